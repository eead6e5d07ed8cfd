package main

import (
	"context"

	"github.com/commerceplatform/commerce-go/webhook"
)

// handlers say what is done with each event. The copies end their deliveries in the transactions of their steps: see
// note.
func (a *app) handlers() *webhook.Registry {
	r := new(webhook.Registry)
	webhook.OnCopied(r, a.products, webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted)
	webhook.OnCopied(r, a.orders, webhook.OrderCreated, webhook.OrderUpdated, webhook.OrderPaid, webhook.OrderCancelled)
	webhook.On(r, webhook.AppUninstalled, func(ctx context.Context, d webhook.Delivery[webhook.App]) error {
		return a.end(ctx, d.StoreID)
	})
	webhook.On(r, webhook.StoreRedactRequested, a.redactStore)
	webhook.On(r, webhook.CustomerRedactRequested, a.redactCustomer)
	webhook.On(r, webhook.CustomerDataRequested, a.noteDataRequest)
	return r
}

// worker runs the handlers, until a drain gives each Worker.Grace to finish.
func (a *app) worker() *webhook.Worker {
	return &webhook.Worker{Inbox: a.db.inbox, Registry: a.events, Lease: a.lease, Probe: webhook.ProbeBy(a.stores.Client)}
}

// sweep puts what changed into the inbox whose delivery the platform gave up. All replicas sweep, which costs a few
// requests more than one would.
func (a *app) sweep() *webhook.Sweep {
	return &webhook.Sweep{
		Inbox: a.db.inbox, Marks: a.db.inbox, Registry: a.events, Stores: a.tokens.Installed,
		Sources: []webhook.Source{
			webhook.ChangedIn(webhook.ProductUpdated.Name, a.productList),
			webhook.ChangedIn(webhook.OrderUpdated.Name, a.orderList),
		},
	}
}
