package queue

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkOpen opens an inbox of SQLite in which a million entries are pending, as after an outage: when the system
// has read the file recently (cached-ms), and when it reads it from the disk (uncached-ms, on Linux). To fill the file
// takes half a minute.
func BenchmarkOpen(b *testing.B) {
	const pending = 1_000_000
	path := filepath.Join(b.TempDir(), "inbox.db")
	open := func() *sqlite.Inbox {
		in, err := sqlite.Open(b.Context(), path, sqlite.Options{HighWater: 2 * pending})
		if err != nil {
			b.Fatal(err)
		}
		return in
	}
	closing := func(in *sqlite.Inbox) {
		if err := in.Close(); err != nil {
			b.Fatal(err)
		}
	}
	in := open()
	bench.Fill(b, in, pending, entry)
	closing(in)
	timed := func() float64 {
		began := time.Now()
		in := open()
		took := time.Since(began)
		closing(in)
		return float64(took.Microseconds()) / 1000
	}
	var cached, uncached []float64
	for b.Loop() {
		cached = append(cached, timed())
		if forget(b, path, path+"-wal") {
			uncached = append(uncached, timed())
		}
	}
	slices.Sort(cached)
	b.ReportMetric(cached[len(cached)/2], "cached-ms")
	if len(uncached) > 0 {
		slices.Sort(uncached)
		b.ReportMetric(uncached[len(uncached)/2], "uncached-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// entry is what webhook.Handler makes of the nth update.
func entry(n int64) webhook.Entry {
	const store client.ID = 123
	body, _ := bench.Updates(int(n - 1))
	return webhook.Entry{
		Key: fmt.Sprintf(":%d:order/updated:%d", store, n), Lane: fmt.Sprintf(":%d:order:%d", store, n), Kind: webhook.KindSignal,
		Event: webhook.OrderUpdated.Name, StoreID: store, Body: body,
	}
}
