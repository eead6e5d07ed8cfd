package otelcommerce

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/commerceplatform/commerce-go/webhook"
)

// figured is an inbox of which only the figures are read.
type figured struct {
	webhook.Inbox
	stats func(ctx context.Context) (webhook.Stats, error)
	asked int
}

func (f *figured) Stats(ctx context.Context) (webhook.Stats, error) {
	f.asked++
	return f.stats(ctx)
}

func TestInbox(t *testing.T) {
	o := observe(t)
	inbox := &figured{stats: func(context.Context) (webhook.Stats, error) {
		return webhook.Stats{
			Pending: 5, Due: 2, Leased: 1, Done: 7, Dead: 3, Oldest: time.Minute, OldestProtected: time.Hour, LogSize: 4096,
		}, nil
	}}
	stop := o.InstrumentInbox(inbox)
	o.counts(
		"commerce.inbox.entries{commerce.inbox.state=pending} 5", "commerce.inbox.entries{commerce.inbox.state=due} 2",
		"commerce.inbox.entries{commerce.inbox.state=leased} 1", "commerce.inbox.entries{commerce.inbox.state=done} 7",
		"commerce.inbox.entries{commerce.inbox.state=dead} 3", "commerce.inbox.oldest{} 60",
		"commerce.inbox.oldest_protected{} 3600", "commerce.inbox.log.size{} 4096",
	)
	stop()
	if lines := o.lines(); len(lines) > 0 || inbox.asked != 1 {
		t.Errorf("after stop: %q, asked %d times", lines, inbox.asked)
	}
	stop()
}

// Figures that cannot be read, or not in time, are missing, and other metrics are collected.
func TestInboxThatFails(t *testing.T) {
	for name, stats := range map[string]func(ctx context.Context) (webhook.Stats, error){
		"fails":  func(context.Context) (webhook.Stats, error) { return webhook.Stats{}, errors.New("database is down") },
		"panics": func(context.Context) (webhook.Stats, error) { panic("closed") },
		"hangs":  func(ctx context.Context) (webhook.Stats, error) { <-ctx.Done(); return webhook.Stats{}, ctx.Err() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reader := sdkmetric.NewManualReader()
				provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
				telemetry := Telemetry{MeterProvider: provider}
				stop := telemetry.InstrumentInbox(&figured{stats: stats})
				defer stop()
				counter, err := provider.Meter("app").Int64Counter("mine")
				if err != nil {
					t.Fatal(err)
				}
				counter.Add(t.Context(), 1)
				began := time.Now()
				var got metricdata.ResourceMetrics
				err = reader.Collect(t.Context(), &got)
				if err == nil || !strings.Contains(err.Error(), "of the inbox") || time.Since(began) > statsTime {
					t.Errorf("got %v after %v", err, time.Since(began))
				}
				if len(got.ScopeMetrics) != 1 || got.ScopeMetrics[0].Scope.Name != "app" {
					t.Errorf("collected %+v", got.ScopeMetrics)
				}
			})
		})
	}
}

// stop waits for a collection that reads the inbox, which the app closes next.
func TestInboxStopWaits(t *testing.T) {
	o := observe(t)
	begun, release := make(chan struct{}), make(chan struct{})
	var read atomic.Bool
	stop := o.InstrumentInbox(&figured{stats: func(context.Context) (webhook.Stats, error) {
		close(begun)
		<-release
		read.Store(true)
		return webhook.Stats{}, nil
	}})
	var collected sync.WaitGroup
	collected.Go(func() { o.points() })
	<-begun
	time.AfterFunc(10*time.Millisecond, func() { close(release) })
	stop()
	if !read.Load() {
		t.Error("stop has returned while the inbox is read")
	}
	collected.Wait()
}
