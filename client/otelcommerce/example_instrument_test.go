package otelcommerce_test

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/otelcommerce"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

func ExampleTelemetry_Instrument() {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: inbox}
	worker := &webhook.Worker{Inbox: inbox, Registry: &events}
	err = observed(hooks, worker, inbox, client.Config{}, func() {
		sender := webhooktest.Sender{Handler: hooks, Secret: secret}
		fmt.Println(sender.Deliver(context.Background(), []byte(`{"store_id":123,"event":"order/paid","id":7}`)))
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 200 <nil>
}

// observed serves with all parts instrumented.
func observed(hooks *webhook.Handler, worker *webhook.Worker, inbox webhook.Inbox, config client.Config, serve func()) error {
	// README: telemetry
	var telemetry otelcommerce.Telemetry // uses the global providers of package otel
	stop, err := telemetry.Instrument(&config, hooks, worker, inbox)
	if err != nil {
		return err
	}
	defer stop() // before the inbox is closed
	// end
	serve()
	return nil
}
