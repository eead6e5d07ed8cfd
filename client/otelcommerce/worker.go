package otelcommerce

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/webhook"
)

// InstrumentWorker adds spans and metrics to a worker before it runs. It sets OnStarted and OnFinished, and calls the
// previous hooks within the span. Call it once for a worker.
//
// The span of a run is a child of the span under which its delivery was received, also from another process, and links
// to it. With SeparateRuns it only links to it. The run of an entry without a trace has its own trace. A span in the
// context of [webhook.Worker.Run] is not used as the parent, because all runs of the process would be its children.
func (t *Telemetry) InstrumentWorker(w *webhook.Worker) {
	o := &runObserver{tracer: t.tracer(), separate: t.SeparateRuns, runMeters: newRunMeters(t.meter())}
	w.OnStarted, w.OnFinished = o.started(w.OnStarted), o.finished(w.OnFinished)
}

// system is messaging.system: the inbox, with any engine.
var system = semconv.MessagingSystemKey.String("commerce_inbox")

// runObserver makes spans and metrics of runs. It is the key of their spans.
type runObserver struct {
	tracer   trace.Tracer
	separate bool
	runMeters
}

// started is OnStarted. If the app's hook panics, the run fails and its context is the previous one, so the span ends
// here.
func (o *runObserver) started(
	app func(context.Context, webhook.Lease) context.Context,
) func(context.Context, webhook.Lease) context.Context {
	return func(ctx context.Context, l webhook.Lease) context.Context {
		ctx, span := o.begin(ctx, l)
		if app != nil {
			returned := false
			defer func() {
				if !returned {
					span.SetStatus(codes.Error, "")
					span.SetAttributes(outcomeKey.String(runUnsettled), semconv.ErrorTypeKey.String("panic"))
					span.End()
				}
			}()
			its := app(ctx, l)
			if returned = true; its != nil {
				ctx = its
			}
		}
		return context.WithValue(ctx, o, span)
	}
}

func (o *runObserver) begin(ctx context.Context, l webhook.Lease) (context.Context, trace.Span) {
	event := eventOf(l.Event)
	attributes := append(ofStore(l.StoreID),
		system, semconv.MessagingOperationTypeProcess, semconv.MessagingOperationName("process"), eventKey.String(event),
		attribute.Int("commerce.attempt", l.Attempt), attribute.Int("commerce.webhook.deliveries", l.Count))
	if !l.Protected {
		attributes = append(attributes, keyOf(l.Event, l.Key)...)
	}
	options := append(make([]trace.SpanStartOption, 0, 4),
		trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(attributes...))
	receipt := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(
		context.Background(), propagation.MapCarrier{"traceparent": l.Trace}))
	if receipt.IsValid() {
		options = append(options, trace.WithLinks(trace.Link{SpanContext: receipt}))
	}
	if receipt.IsValid() && !o.separate {
		ctx = trace.ContextWithRemoteSpanContext(ctx, receipt)
	} else {
		options = append(options, trace.WithNewRoot())
	}
	return o.tracer.Start(ctx, "process "+event, options...)
}

// finished is OnFinished. It ends the span after the hook of the app.
func (o *runObserver) finished(
	app func(context.Context, webhook.Lease, webhook.Result),
) func(context.Context, webhook.Lease, webhook.Result) {
	return func(ctx context.Context, l webhook.Lease, r webhook.Result) {
		defer o.end(ctx, l, r)
		if app != nil {
			app(ctx, l, r)
		}
	}
}

func (o *runObserver) end(ctx context.Context, l webhook.Lease, r webhook.Result) {
	end := eventEnd{eventOf(l.Event), runOutcome(r), ""}
	if r.Err != nil {
		end.err = classOf(r.Err)
	}
	o.record(ctx, l, r, end)
	span, ok := ctx.Value(o).(trace.Span)
	if !ok {
		return // already ended, because the app's hook panicked
	}
	defer span.End()
	if !span.IsRecording() {
		return
	}
	all := append(make([]attribute.KeyValue, 0, 5), outcomeKey.String(end.outcome))
	if end.err != "" {
		all = append(all, semconv.ErrorTypeKey.String(end.err))
	}
	if r.Retry > 0 {
		all = append(all, attribute.Float64("commerce.retry.wait", r.Retry.Seconds()))
	}
	if r.Dropped > 0 {
		all = append(all, attribute.Int("commerce.webhook.dropped", r.Dropped))
	}
	if r.Purged > 0 {
		all = append(all, attribute.Int("commerce.webhook.purged", r.Purged))
	}
	span.SetAttributes(all...)
	switch end.outcome {
	case runUnsettled:
		if errors.Is(r.Err, context.Canceled) || errors.Is(r.Err, webhook.ErrDraining) {
			return // normal when a process is replaced
		}
		fallthrough
	case runRetried, runDead, runLost:
		span.SetStatus(codes.Error, "")
	}
}

// Values of commerce.outcome of a run.
const (
	runDone      = "done"      // handled
	runAgain     = "again"     // handled, and it arrived again during the run
	runRetried   = "retry"     // it failed, and will be retried
	runWaits     = "waits"     // the handler asked for a wait
	runDead      = "dead"      // it failed permanently
	runDropped   = "dropped"   // the app is no longer installed
	runLost      = "lost"      // the lease was lost
	runUnsettled = "unsettled" // returned by a draining worker, or its end could not be stored or was stored already
)

func runOutcome(r webhook.Result) string {
	switch {
	case r.Err == nil && r.Again:
		return runAgain
	case r.Err == nil:
		return runDone
	case r.Dead:
		return runDead
	case r.Waited:
		return runWaits
	case errors.Is(r.Err, webhook.ErrLeaseLost):
		return runLost
	case r.Retry > 0 && r.Dropped == 0:
		return runRetried
	case errors.Is(r.Err, webhook.ErrStale), errors.Is(r.Err, webhook.ErrGone):
		return runDropped
	}
	return runUnsettled
}
