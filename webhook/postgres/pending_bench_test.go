package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
)

// BenchmarkPending measures accepts and claims (a lease and its commit) while so many other entries are pending. The
// largest number takes half a minute to fill in.
func BenchmarkPending(b *testing.B) {
	for _, pending := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			schema := newSchema(b)
			in := open(b, database.URL(), Options{Queue: newQueue(b), Schema: schema, HighWater: 2_000_000})
			_, written := sizes(b, schema)
			bench.Fill(b, in, pending, delivery)
			bytes, filled := sizes(b, schema)
			lives := bench.Lives(b, in, pending, delivery)
			_, worked := sizes(b, schema)
			b.ReportMetric(float64(bytes)/float64(pending), "B/entry")
			b.ReportMetric(float64(filled-written)/float64(pending), "wal-B/accept")
			b.ReportMetric(float64(worked-filled)/float64(lives), "wal-B/life")
		})
	}
}

// sizes returns the bytes of the tables of a schema with their indexes, and of all that was written to the log.
func sizes(b *testing.B, schema string) (tables, log int64) {
	b.Helper()
	const query = `SELECT pg_total_relation_size(($1 || '.entry')::regclass) + pg_total_relation_size(($1 || '.lane')::regclass),
		pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint`
	if err := newPool(b, database.URL(), 1).QueryRow(b.Context(), query, schema).Scan(&tables, &log); err != nil {
		b.Fatal(err)
	}
	return tables, log
}

// BenchmarkDrain reports how many runs a second one Worker makes of handlers that do nothing, so many at a time, and
// what a run writes to the log: with nothing else pending, and beside what ten seconds of 10,000 deliveries leave
// behind.
func BenchmarkDrain(b *testing.B) {
	for _, others := range []int{0, 100_000} {
		for _, runs := range []int{1, 8, 16, 64} {
			b.Run(fmt.Sprintf("%d/beside-%d", runs, others), func(b *testing.B) { drains(b, runs, others) })
		}
	}
}

func drains(b *testing.B, runs, others int) {
	const entries = 2000
	schema := newSchema(b)
	in := open(b, database.URL(), Options{Queue: newQueue(b), Schema: schema})
	bench.Fill(b, in, others, func(n int64) webhook.Entry { return delivery(entries + n) })
	var took time.Duration
	var log int64
	for b.Loop() {
		bench.Fill(b, in, entries, delivery)
		_, written := sizes(b, schema)
		began := time.Now()
		drain(b, in, runs, entries)
		took += time.Since(began)
		_, after := sizes(b, schema)
		log += after - written
	}
	b.ReportMetric(float64(entries*b.N)/took.Seconds(), "runs/s")
	b.ReportMetric(float64(log)/float64(entries*b.N), "wal-B/run")
}

// drain works until so many runs have been made.
func drain(b *testing.B, in webhook.Inbox, runs, entries int) {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	var left atomic.Int64
	left.Store(int64(entries))
	var events webhook.Registry
	webhook.On(&events, webhook.OrderUpdated, func(context.Context, webhook.Delivery[webhook.Entity]) error {
		if left.Add(-1) == 0 {
			stop()
		}
		return nil
	})
	w := &webhook.Worker{Inbox: in, Registry: &events, Concurrency: runs, PerStore: runs}
	if err := w.Run(ctx); err != nil && ctx.Err() == nil {
		b.Fatal(err)
	}
}
