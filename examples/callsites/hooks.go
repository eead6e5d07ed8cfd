package main

import (
	"context"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// receiver sends the id of each paid order to a channel.
func receiver(secret client.Secret) (*webhook.Handler, <-chan client.ID) {
	paid := make(chan client.ID, 1)
	// README: webhook
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		paid <- d.Payload.ID
		return nil // 2xx is answered only now
	})
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}
	// end
	return hooks, paid
}

// hears delivers a webhook as the platform does.
func hears(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	hooks, paid := receiver(platform.App().Secret)
	if err := hooks.Check(); err != nil {
		return err
	}
	sender := webhooktest.Sender{Handler: hooks, Secret: platform.App().Secret}
	status, err := sender.Deliver(ctx, webhooktest.Body(platform.StoreID(), webhook.OrderPaid.Name, map[string]any{"id": 42}))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "paid order:", <-paid, "answered with", status)
	return nil
}
