package otelcommerce

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/commerceplatform/commerce-go/webhook"
)

// runMeters are the instruments of runs.
type runMeters struct {
	durations, lags metric.Float64Histogram
	attempts        metric.Int64Histogram
	dead            deadEntries
	events          *seriesBy[string]
	ends            *seriesBy[eventEnd]
	outcomes        *seriesBy[eventEnd] // of attempts, without the error
}

func newRunMeters(m metric.Meter) runMeters {
	return runMeters{
		durations: made(m.Float64Histogram("messaging.process.duration", metric.WithUnit("s"),
			metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300),
			metric.WithDescription("Duration of processing operation."))),
		lags: made(m.Float64Histogram("commerce.webhook.run.lag", metric.WithUnit("s"),
			metric.WithExplicitBucketBoundaries(0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14400, 86400),
			metric.WithDescription("Age of an entry when its first run starts."))),
		attempts: made(m.Int64Histogram("commerce.webhook.run.attempts", metric.WithUnit("{attempt}"),
			metric.WithExplicitBucketBoundaries(1, 2, 3, 5, 10, 20, 50, 100, 400),
			metric.WithDescription("Attempts of an entry until it was handled, dropped or dead."))),
		dead: newDead(m), events: byEvent(),
		ends: newSeriesBy(func(e eventEnd) []attribute.KeyValue {
			all := []attribute.KeyValue{
				system, semconv.MessagingOperationName("process"), eventKey.String(e.event), outcomeKey.String(e.outcome),
			}
			return outcome{err: e.err}.attributes(all)
		}),
		outcomes: newSeriesBy(func(e eventEnd) []attribute.KeyValue {
			return []attribute.KeyValue{eventKey.String(e.event), outcomeKey.String(e.outcome)}
		}),
	}
}

// record records the end of a run.
func (m *runMeters) record(ctx context.Context, l webhook.Lease, r webhook.Result, end eventEnd) {
	m.durations.Record(ctx, r.Took.Seconds(), m.ends.of(end).record...)
	if l.Attempt == 1 {
		m.lags.Record(ctx, l.Age.Seconds(), m.events.of(end.event).record...)
	}
	switch end.outcome {
	case runDead:
		m.dead.count(ctx, l.Event)
		fallthrough
	case runDone, runAgain, runDropped:
		m.attempts.Record(ctx, int64(l.Attempt), m.outcomes.of(eventEnd{event: end.event, outcome: end.outcome}).record...)
	}
}
