package sqlite_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// BenchmarkReceive compares receiving durably with receiving in memory and with bare net/http.
func BenchmarkReceive(b *testing.B) {
	const secret client.Secret = "5f2b1c9a7d3e4f60"
	memory, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		b.Fatal(err)
	}
	durable := inbox(b, file(b), sqlite.Options{})
	b.Run("bare", webhooktest.BareLoad)
	b.Run("memory", func(b *testing.B) {
		webhooktest.Load(b, &webhook.Handler{Secrets: []client.Secret{secret}, Inbox: memory}, secret)
	})
	b.Run("sqlite", func(b *testing.B) {
		webhooktest.Load(b, &webhook.Handler{Secrets: []client.Secret{secret}, Inbox: durable}, secret)
	})
}
