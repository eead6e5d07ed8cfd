package webhook_test

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// Dead letters are replayed by event, and purged by store. In production the inbox is one of webhook/sqlite or
// webhook/postgres.
func ExampleBrowser() {
	ctx := context.Background()
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var events webhook.Registry
	webhook.On(&events, webhook.ProductUpdated, func(context.Context, webhook.Delivery[webhook.Entity]) error {
		return nil
	})
	quiet := func(context.Context, *webhook.Failure) {}
	hooks := &webhook.Handler{
		Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events, Inbox: inbox, OnFailure: quiet,
	}
	sender := webhooktest.Sender{Handler: hooks, Secret: "5f2b1c9a7d3e4f60"}
	for _, event := range []webhook.Name{webhook.OrderPaid.Name, webhook.OrderCreated.Name} { // without a handler
		fmt.Println(sender.Deliver(ctx, webhooktest.Body(1234, event, map[string]any{"id": 7})))
	}
	fmt.Println(replay(ctx, inbox, webhook.OrderPaid.Name))
	fmt.Println(purge(ctx, inbox, 1234))
	// Output:
	// 200 <nil>
	// 200 <nil>
	// 1 <nil>
	// 1 <nil>
}

// replay makes the dead letters of an event pending again, and returns their number.
func replay(ctx context.Context, inbox webhook.Browser, event webhook.Name) (int, error) {
	// README: replay
	dead := webhook.EntryFilter{State: webhook.EntryDead, Event: client.Set(event)}
	page, err := inbox.Browse(ctx, webhook.BrowseQuery{Filter: dead, Limit: 100})
	if err != nil {
		return 0, err
	}
	n, err := inbox.ReplayListed(ctx, page.Entries...) // pending again with 0 attempts, unless they changed since
	// end
	return n, err
}

// purge deletes the dead letters of a store, and returns their number.
func purge(ctx context.Context, inbox webhook.DeadLetters, store client.ID) (int, error) {
	// README: purge store
	n, err := inbox.PurgeStore(ctx, store, nil) // nil means all; a function can select entries
	// end
	return n, err
}
