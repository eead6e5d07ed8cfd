package webhook_test

import (
	"context"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// BenchmarkReceive compares receiving with the floor, bare net/http.
func BenchmarkReceive(b *testing.B) {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderUpdated, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("bare", webhooktest.BareLoad)
	b.Run("direct", func(b *testing.B) {
		webhooktest.Load(b, &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}, secret)
	})
	b.Run("memory", func(b *testing.B) {
		webhooktest.Load(b, &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: inbox}, secret)
	})
}
