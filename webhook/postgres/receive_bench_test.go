package postgres

import (
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench/load"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// BenchmarkReceive compares receiving durably with receiving in memory, and with the least that is durable.
func BenchmarkReceive(b *testing.B) {
	memory, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		b.Fatal(err)
	}
	secrets := []client.Secret{load.Secret}
	target := func(h http.Handler) load.Target { return load.Target{Handler: h, Body: load.Updates} }
	durable := target(&webhook.Handler{Secrets: secrets, Inbox: open(b, database.URL(), Options{Queue: newQueue(b)})})
	inMemory := target(&webhook.Handler{Secrets: secrets, Inbox: memory})
	b.Run("memory", func(b *testing.B) { load.Throughput(b, durable, inMemory) })
	b.Run("log", func(b *testing.B) {
		load.Throughput(b, durable, target(&webhook.Handler{Secrets: secrets, Sink: load.NewLog(b)}))
	})
	b.Run("p99", func(b *testing.B) { load.Latency(b, 1000, durable, inMemory) })
}
