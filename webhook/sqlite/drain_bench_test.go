package sqlite_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	bench "github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// BenchmarkDrain reports how many runs a second one Worker makes of handlers that do nothing, so many at a time.
func BenchmarkDrain(b *testing.B) {
	for _, runs := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(runs), func(b *testing.B) {
			const entries = 1000
			in := inbox(b, file(b), sqlite.Options{})
			var took time.Duration
			for b.Loop() {
				bench.Fill(b, in, entries, update)
				began := time.Now()
				works(b, in, runs, entries)()
				took += time.Since(began)
			}
			b.ReportMetric(float64(entries*b.N)/took.Seconds(), "runs/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkLife reports how many deliveries a second 64 senders and one Worker bring from arrival to the end of their
// run, next to a table by hand that does as little for each.
func BenchmarkLife(b *testing.B) {
	in := inbox(b, file(b), sqlite.Options{})
	t := newTable(b)
	defer t.close()
	var n atomic.Int64
	var ours, hand []float64
	for b.Loop() {
		began := time.Now()
		ended := works(b, in, webhook.DefaultConcurrency, burstSize)
		burst(b, &n, 64, func(ctx context.Context, e webhook.Entry) error {
			_, err := in.Accept(ctx, e)
			return err
		})
		ended()
		ours = append(ours, burstSize/time.Since(began).Seconds())
		began = time.Now()
		ended = t.works(b, webhook.DefaultConcurrency, burstSize)
		burst(b, &n, 64, t.accept)
		ended()
		hand = append(hand, burstSize/time.Since(began).Seconds())
	}
	b.ReportMetric(middle(ours), "lives/s")
	b.ReportMetric(middle(hand), "floor/s")
	b.ReportMetric(middle(ours)/middle(hand), "ratio")
	b.ReportMetric(0, "ns/op")
}

// works starts a Worker. What it returns waits until so many runs have been made.
func works(b *testing.B, in webhook.Inbox, runs, entries int) (ended func()) {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	var left atomic.Int64
	left.Store(int64(entries))
	var events webhook.Registry
	webhook.On(&events, webhook.OrderUpdated, func(context.Context, webhook.Delivery[webhook.Entity]) error {
		if left.Add(-1) == 0 {
			stop()
		}
		return nil
	})
	w := &webhook.Worker{Inbox: in, Registry: &events, Concurrency: runs, PerStore: runs, Logger: slog.New(slog.DiscardHandler)}
	over := make(chan error, 1)
	go func() { over <- w.Run(ctx) }()
	return func() {
		defer stop()
		if err := <-over; err != nil && ctx.Err() == nil {
			b.Fatal(err)
		}
	}
}
