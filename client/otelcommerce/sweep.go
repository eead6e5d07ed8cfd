package otelcommerce

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// InstrumentSweep adds spans and metrics to a sweep before it runs. It sets OnStarted and OnFinished, and calls the
// previous hooks within the span. It sets Trace, unless that is set. Each found entry has its own span and trace, which
// links to the sweep, because a sweep may find thousands. Call it once for a sweep.
func (t *Telemetry) InstrumentSweep(s *webhook.Sweep) {
	o := &sweepObserver{tracer: t.tracer(), sweepMeters: newSweepMeters(t.meter())}
	s.OnStarted, s.OnFinished = o.started(s.OnStarted), o.finished(s.OnFinished)
	if s.Trace == nil {
		s.Trace = o.found
	}
}

// sweepObserver makes spans and metrics of sweeps. It is the key of their spans.
type sweepObserver struct {
	tracer trace.Tracer
	sweepMeters
}

// sweeping is a list that is being read.
type sweeping struct {
	span  trace.Span
	found []trace.SpanStartOption // of the span of an entry
	name  string
}

func (o *sweepObserver) started(
	app func(context.Context, client.ID, webhook.Name) context.Context,
) func(context.Context, client.ID, webhook.Name) context.Context {
	return func(ctx context.Context, store client.ID, event webhook.Name) context.Context {
		name := eventOf(event)
		whose := trace.WithAttributes(append(ofStore(store), eventKey.String(name))...)
		ctx, span := o.tracer.Start(ctx, "sweep "+name, whose)
		pass := &sweeping{span: span, name: "found " + name, found: []trace.SpanStartOption{
			trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindProducer), whose,
			trace.WithAttributes(system, semconv.MessagingOperationTypeCreate, semconv.MessagingOperationName("found")),
			trace.WithLinks(trace.Link{SpanContext: span.SpanContext()}),
		}}
		return context.WithValue(within(ctx, func() context.Context {
			if app == nil {
				return nil
			}
			return app(ctx, store, event)
		}), o, pass)
	}
}

// found makes the span of an entry, and returns its trace.
func (o *sweepObserver) found(ctx context.Context) string {
	pass, ok := ctx.Value(o).(*sweeping)
	if !ok {
		return ""
	}
	_, span := o.tracer.Start(ctx, pass.name, pass.found...)
	span.End()
	return traceparent(ctx, span)
}

func (o *sweepObserver) finished(app func(context.Context, webhook.Swept)) func(context.Context, webhook.Swept) {
	return func(ctx context.Context, s webhook.Swept) {
		defer o.end(ctx, s)
		if app != nil {
			app(ctx, s)
		}
	}
}

func (o *sweepObserver) end(ctx context.Context, s webhook.Swept) {
	end := eventEnd{event: eventOf(s.Event), outcome: sweepOutcome(s.Err)}
	if end.outcome == sweepFailed {
		end.err = classOf(s.Err)
	}
	o.record(ctx, s, end)
	pass, ok := ctx.Value(o).(*sweeping)
	if !ok {
		return
	}
	defer pass.span.End()
	pass.span.SetAttributes(outcome{err: end.err}.attributes([]attribute.KeyValue{
		outcomeKey.String(end.outcome), attribute.Int("commerce.sweep.entries", s.Entries),
	})...)
	if end.outcome == sweepFailed {
		pass.span.SetStatus(codes.Error, "")
	}
}

// Values of commerce.outcome of a sweep.
const (
	sweepRead      = "read"      // to its end
	sweepFailed    = "failed"    // it will be read again
	sweepSuspended = "suspended" // the access to the store is suspended
	sweepStopped   = "stopped"   // the context has ended
)

func sweepOutcome(err error) string {
	if access, _ := webhook.AccessOf(err); access == webhook.AccessSuspended {
		return sweepSuspended
	}
	switch {
	case err == nil:
		return sweepRead
	case errors.Is(err, context.Canceled):
		return sweepStopped
	}
	return sweepFailed
}

// sweepMeters are the instruments of sweeps.
type sweepMeters struct {
	durations metric.Float64Histogram
	entries   metric.Int64Counter
	events    *seriesBy[string]
	ends      *seriesBy[eventEnd]
}

func newSweepMeters(m metric.Meter) sweepMeters {
	return sweepMeters{
		durations: made(m.Float64Histogram("commerce.webhook.sweep.duration", metric.WithUnit("s"),
			metric.WithExplicitBucketBoundaries(0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600),
			metric.WithDescription("Time to read a list of a store."))),
		entries: made(m.Int64Counter("commerce.webhook.sweep.entries", metric.WithUnit("{entry}"),
			metric.WithDescription("Changed records that sweeps have found."))),
		events: byEvent(),
		ends: newSeriesBy(func(e eventEnd) []attribute.KeyValue {
			return outcome{err: e.err}.attributes([]attribute.KeyValue{eventKey.String(e.event), outcomeKey.String(e.outcome)})
		}),
	}
}

func (m *sweepMeters) record(ctx context.Context, s webhook.Swept, end eventEnd) {
	m.durations.Record(ctx, s.Took.Seconds(), m.ends.of(end).record...)
	m.entries.Add(ctx, int64(s.Entries), m.events.of(end.event).add...)
}
