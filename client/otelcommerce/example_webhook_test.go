package otelcommerce_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/otelcommerce"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

const secret client.Secret = "5f2b1c9a7d3e4f60"

// Without an inbox, the handler runs inside the request, and its calls are children of the span of that.
func ExampleTelemetry_InstrumentWebhooks() {
	telemetry, show := recorded()
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}
	telemetry.InstrumentWebhooks(hooks)

	sender := webhooktest.Sender{Handler: hooks, Secret: secret}
	fmt.Println(sender.Deliver(context.Background(), []byte(`{"store_id":123,"event":"order/paid","id":7}`)))
	show()
	// Output:
	// 200 <nil>
	// server receive order/paid: ran
}

// The run of a delivery is in its trace, in whichever process it takes place.
func ExampleTelemetry_InstrumentWorker() {
	spans := tracetest.NewSpanRecorder()
	telemetry := otelcommerce.Telemetry{TracerProvider: trace.NewTracerProvider(trace.WithSpanProcessor(spans))}
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(context.Context, webhook.Delivery[webhook.Entity]) error {
		stop()
		return nil
	})
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: inbox}
	worker := &webhook.Worker{Registry: &events, Inbox: inbox}
	telemetry.InstrumentWebhooks(hooks)
	telemetry.InstrumentWorker(worker)

	sender := webhooktest.Sender{Handler: hooks, Secret: secret}
	if _, err := sender.Deliver(ctx, []byte(`{"store_id":123,"event":"order/paid","id":7}`)); err != nil {
		fmt.Println(err)
	}
	if err := worker.Run(ctx); err != nil {
		fmt.Println(err)
	}
	receipt, run := spans.Ended()[0], spans.Ended()[1]
	fmt.Println(receipt.Name(), "→", run.Name())
	fmt.Println(run.Parent().SpanID() == receipt.SpanContext().SpanID())
	// Output:
	// receive order/paid → process order/paid
	// true
}

// changed is a list of changes, which an app makes with webhook.Changed.
type changed []string

func (c changed) All(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, id := range c {
			if !yield(id, nil) {
				return
			}
		}
	}
}

func (changed) Mark() time.Time { return time.Now() }

func ExampleTelemetry_InstrumentSweep() {
	telemetry, show := recorded()
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	sweep := &webhook.Sweep{
		Inbox: inbox, Marks: inbox,
		Stores: func(context.Context) ([]client.ID, error) { return []client.ID{123}, nil },
		Sources: []webhook.Source{{
			Event: webhook.OrderUpdated.Name,
			Since: func(context.Context, client.ID, time.Time) (webhook.Changes, error) { return changed{"7"}, nil },
		}},
	}
	telemetry.InstrumentSweep(sweep)

	if err := sweep.Store(context.Background(), 123); err != nil {
		fmt.Println(err)
	}
	show()
	// Output:
	// producer found order/updated
	// internal sweep order/updated: read
}

// The results of a loop over all stores, such as a webhook.Sweep.
func ExampleTelemetry_InstrumentVisits() {
	ctx, reader := context.Background(), metric.NewManualReader()
	telemetry := otelcommerce.Telemetry{MeterProvider: metric.NewMeterProvider(metric.WithReader(reader))}
	copies := new(client.Copies)
	defer telemetry.InstrumentVisits("copies", copies.Visits)()

	var all metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &all); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		fmt.Println(m.Name)
	}
	// Output:
	// commerce.loop.stores
}

// The items of the jobs of a sqljobs.Queue, whose method Items is passed.
func ExampleTelemetry_InstrumentJobs() {
	ctx, reader := context.Background(), metric.NewManualReader()
	telemetry := otelcommerce.Telemetry{MeterProvider: metric.NewMeterProvider(metric.WithReader(reader))}
	defer telemetry.InstrumentJobs("labels", func(context.Context) (client.JobItems, error) {
		return client.JobItems{Done: 40, Failed: 2, Waiting: 8}, nil
	})()

	var all metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &all); err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range all.ScopeMetrics[0].Metrics[0].Data.(metricdata.Gauge[int64]).DataPoints {
		if state, _ := p.Attributes.Value("commerce.jobs.state"); state.AsString() == "failed" {
			fmt.Println(p.Value, "failed")
		}
	}
	// Output:
	// 2 failed
}

// Stores that refuse the app's token are reported until the app has evidence about them.
func ExampleTelemetry_InstrumentJudge() {
	ctx, reader := context.Background(), metric.NewManualReader()
	telemetry := otelcommerce.Telemetry{MeterProvider: metric.NewMeterProvider(metric.WithReader(reader))}
	judge := new(client.Judge) // the one that Worker.Judge, Copies.Judge and the others share
	defer telemetry.InstrumentJudge(judge)()

	judge.Observe(ctx, 123, client.ErrUnauthorized)
	var all metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &all); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if stores, ok := m.Data.(metricdata.Gauge[int64]); ok {
			for _, p := range stores.DataPoints {
				fmt.Println(m.Name, p.Attributes.Encoded(attribute.DefaultEncoder()), p.Value)
			}
		}
	}
	// Unordered output:
	// commerce.installation.refused commerce.installation.access=doubtful 1
	// commerce.installation.refused commerce.installation.access=gone 0
}

// An app has a reader that exports. This one is asked by hand.
func ExampleTelemetry_InstrumentInbox() {
	ctx, reader := context.Background(), metric.NewManualReader()
	telemetry := otelcommerce.Telemetry{MeterProvider: metric.NewMeterProvider(metric.WithReader(reader))}
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	stop := telemetry.InstrumentInbox(inbox)
	defer stop() // before an inbox is closed

	var all metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &all); err != nil {
		fmt.Println(err)
		return
	}
	var names []string
	for _, m := range all.ScopeMetrics[0].Metrics {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	fmt.Println(names)
	// Output:
	// [commerce.inbox.entries commerce.inbox.log.size commerce.inbox.oldest commerce.inbox.oldest_protected]
}
