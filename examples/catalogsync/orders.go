package main

import (
	"context"
	"iter"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// orders are read with the scope read_orders. Crawl goes beyond the 10,000 that one query gives; its pages are always
// the largest.
func orders(api *v202503.API) resource {
	return service[client.Order]{
		newest: api.Orders.List(client.OrderFilter{Paging: client.Paging{PerPage: 1}}),
		records: func(ctx context.Context, q query) iter.Seq2[*client.Order, error] {
			return api.Orders.Crawl(client.OrderFilter{SinceID: q.after, Window: client.Window{UpdatedMin: q.changed}}).All(ctx)
		},
		get: func(ctx context.Context, id client.ID) (*client.Order, error) {
			return api.Orders.Get(ctx, id)
		},
		key: func(o *client.Order) (client.ID, client.Time) { return o.ID, o.UpdatedAt },
	}.resource("orders",
		webhook.OrderCreated, webhook.OrderUpdated, webhook.OrderPaid, webhook.OrderPacked, webhook.OrderUnpacked,
		webhook.OrderFulfilled, webhook.OrderCancelled, webhook.OrderCustomFieldsUpdated, webhook.OrderEdited,
		webhook.OrderPending, webhook.OrderVoided, webhook.OrderInPreparation)
}
