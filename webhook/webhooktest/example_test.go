package webhooktest_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

func ExampleSender() {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		fmt.Println("order", d.Payload.ID, "of store", d.StoreID)
		return nil
	})
	hooks := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events}

	sender := webhooktest.Sender{Handler: hooks, Secret: "5f2b1c9a7d3e4f60"}
	fmt.Println(sender.Deliver(context.Background(), webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 5})))
	// Output:
	// order 5 of store 123
	// 200 <nil>
}

// Every delivery comes three times, in any order. With a Schedule, and in a bubble of
// testing/synctest, the platform's two days of retries are played too.
func ExampleStorm() {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	hooks := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events}

	storm := webhooktest.Storm{Sender: webhooktest.Sender{Handler: hooks, Secret: "5f2b1c9a7d3e4f60"}, Copies: 3, Seed: 1}
	accepted := 0
	for _, outcome := range storm.Run(context.Background(),
		webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 5}),
		webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 6}),
	) {
		if outcome.Accepted() {
			accepted++
		}
	}
	fmt.Println(accepted)
	// Output: 6
}

func ExampleRecorder() {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		fmt.Println("order", d.Payload.ID)
		return nil
	})
	ctx := context.Background()
	production := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events}
	var recording bytes.Buffer
	recorder := &webhooktest.Recorder{Handler: production, Out: &recording}
	sender := webhooktest.Sender{Handler: recorder, Secret: "5f2b1c9a7d3e4f60"}
	if _, err := sender.Deliver(ctx, webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 5})); err != nil {
		fmt.Println(err)
	}

	desk := webhooktest.Sender{
		Handler: &webhook.Handler{Secrets: []client.Secret{"of the desk"}, Registry: &events},
		Secret:  "of the desk",
	}
	err := webhooktest.Replay(ctx, &recording, desk, func(_ webhooktest.Record, status int) error {
		fmt.Println(status)
		return nil
	})
	fmt.Println(err)
	// Output:
	// order 5
	// order 5
	// 200
	// <nil>
}
