package postgres

import (
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// BenchmarkReceive compares receiving durably with receiving in memory, and with the least that is durable.
func BenchmarkReceive(b *testing.B) {
	memory, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		b.Fatal(err)
	}
	secrets := []client.Secret{bench.Secret}
	target := func(h http.Handler) bench.Target { return bench.Target{Handler: h, Body: bench.Updates} }
	durable := target(&webhook.Handler{Secrets: secrets, Inbox: open(b, database.URL(), Options{Queue: newQueue(b)})})
	inMemory := target(&webhook.Handler{Secrets: secrets, Inbox: memory})
	b.Run("memory", func(b *testing.B) { bench.Throughput(b, durable, inMemory) })
	b.Run("log", func(b *testing.B) {
		bench.Throughput(b, durable, target(&webhook.Handler{Secrets: secrets, Sink: bench.NewLog(b)}))
	})
	b.Run("p99", func(b *testing.B) { bench.Latency(b, 1000, durable, inMemory) })
}
