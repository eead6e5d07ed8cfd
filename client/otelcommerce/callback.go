package otelcommerce

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/client"
)

// Attributes of several spans and metrics.
const (
	callbackKey = attribute.Key("commerce.callback")
	eventKey    = attribute.Key("commerce.event")
	outcomeKey  = attribute.Key("commerce.outcome")
	reasonKey   = attribute.Key("commerce.refused.reason")
	storeKey    = attribute.Key("commerce.store.id")
)

// Values of commerce.outcome that several kinds of handlers have.
const (
	ran        = "ran"        // the app's function was called and succeeded
	declined   = "declined"   // the app's function refused
	failed     = "failed"     // the answer is not a result of the app's function
	refused    = "refused"    // rejected before its content was read
	unanswered = "unanswered" // left without an answer
)

// aborted is the error of a request that was left without an answer for no other known reason, because of a panic.
type aborted struct{}

func (aborted) Error() string { return "a panic ended the request without an answer" }

// Panicked makes classOf report a panic.
func (aborted) Panicked() any { return nil }

// callbackKind is a kind of handler.
type callbackKind struct {
	name  string        // value of commerce.callback
	span  string        // begins the names of its spans
	about attribute.Key // attribute of callbackAnswer.about
	limit time.Duration // how long the platform waits for an answer
}

// callbackAnswer is the data of an answer for spans and metrics.
type callbackAnswer struct {
	about   string // event, tier, action or call; empty if unknown
	outcome string // a value of commerce.outcome
	status  int
	took    time.Duration
	err     error // nil if refused or declined
	more    []attribute.KeyValue
}

// callbackEnd distinguishes the series of a kind.
type callbackEnd struct {
	about, outcome string
	end            outcome
}

// callbackObserver makes spans and metrics of requests to a handler.
type callbackObserver struct {
	callbackKind
	tracer   trace.Tracer
	incoming propagation.TextMapPropagator

	durations, used metric.Float64Histogram
	refusals        metric.Int64Counter
	all             *series
	ends            *seriesBy[callbackEnd]
	reasons         *seriesBy[client.RefusedReason]
}

func (t *Telemetry) callback(k callbackKind) *callbackObserver {
	kind, m := callbackKey.String(k.name), t.meter()
	return &callbackObserver{
		callbackKind: k, tracer: t.tracer(), incoming: t.Incoming,
		durations: made(m.Float64Histogram("commerce.callback.duration", metric.WithUnit("s"),
			metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.8, 1, 2, 3, 5, 10, 20),
			metric.WithDescription("Time from the arrival of a request of the platform to its answer."))),
		used: made(m.Float64Histogram("commerce.callback.limit.utilization", metric.WithUnit("1"),
			metric.WithExplicitBucketBoundaries(0.1, 0.25, 0.5, 0.75, 0.9, 1),
			metric.WithDescription("Duration of an answer as a part of the platform's time limit."))),
		refusals: made(m.Int64Counter("commerce.callback.refusals", metric.WithUnit("{request}"),
			metric.WithDescription("Requests that were rejected before their content was read."))),
		all: newSeries([]attribute.KeyValue{kind}),
		ends: newSeriesBy(func(e callbackEnd) []attribute.KeyValue {
			all := []attribute.KeyValue{kind, outcomeKey.String(e.outcome)}
			if e.about != "" {
				all = append(all, k.about.String(e.about))
			}
			return e.end.attributes(all)
		}),
		reasons: newSeriesBy(func(r client.RefusedReason) []attribute.KeyValue {
			return []attribute.KeyValue{kind, reasonKey.String(string(r))}
		}),
	}
}

// started returns a hook OnStarted that calls the app's hook within the span. The observer is the key of the span,
// because the app may put its own spans into the context.
func (o *callbackObserver) started(
	app func(context.Context, *http.Request) context.Context,
) func(context.Context, *http.Request) context.Context {
	return func(ctx context.Context, r *http.Request) context.Context {
		ctx, span := o.begin(ctx, r)
		return context.WithValue(within(ctx, func() context.Context {
			if app == nil {
				return nil
			}
			return app(ctx, r)
		}), o, span)
	}
}

// within returns the context that a hook returned. It returns ctx if that is nil or the hook panics.
func within(ctx context.Context, hook func() context.Context) (its context.Context) {
	defer func() {
		if its == nil {
			_ = recover()
			its = ctx
		}
	}()
	return hook()
}

// begin begins the span of a request, which is a server span unless the app has made one.
func (o *callbackObserver) begin(ctx context.Context, r *http.Request) (context.Context, trace.Span) {
	kind := trace.SpanKindServer
	if around := trace.SpanContextFromContext(ctx); around.IsValid() && !around.IsRemote() {
		kind = trace.SpanKindInternal
	} else if o.incoming != nil {
		ctx = o.incoming.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	return o.tracer.Start(ctx, o.span, trace.WithSpanKind(kind),
		trace.WithAttributes(callbackKey.String(o.name), semconv.HTTPRequestMethodKey.String(knownMethod(r.Method))))
}

// spanOf returns the span of a request.
func (o *callbackObserver) spanOf(ctx context.Context) trace.Span {
	if span, ok := ctx.Value(o).(trace.Span); ok {
		return span
	}
	return trace.SpanFromContext(context.Background()) // one that does nothing
}

// traceparent returns the trace of a request, for its entry.
func (o *callbackObserver) traceparent(ctx context.Context) string {
	return traceparent(ctx, o.spanOf(ctx))
}

// traceparent returns a span in the form of the header of W3C Trace Context; empty if it is not valid.
func traceparent(ctx context.Context, span trace.Span) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(trace.ContextWithSpan(ctx, span), carrier)
	return carrier["traceparent"]
}

// ended returns a hook OnAnswered that ends the span after the app's hook.
func ended[A any](
	o *callbackObserver, app func(context.Context, A), read func(A) callbackAnswer,
) func(context.Context, A) {
	return func(ctx context.Context, a A) {
		defer func() { o.end(ctx, read(a)) }()
		if app != nil {
			app(ctx, a)
		}
	}
}

func (o *callbackObserver) end(ctx context.Context, a callbackAnswer) {
	end := outcome{status: a.status}
	if a.err != nil {
		end.err = classOf(a.err)
	}
	series := o.ends.of(callbackEnd{a.about, a.outcome, end})
	o.durations.Record(ctx, a.took.Seconds(), series.record...)
	o.used.Record(ctx, a.took.Seconds()/o.limit.Seconds(), o.all.record...)

	span := o.spanOf(ctx)
	defer span.End()
	if !span.IsRecording() {
		return
	}
	if a.about != "" {
		span.SetName(o.span + " " + a.about)
		a.more = append(a.more, o.about.String(a.about))
	}
	if a.err != nil {
		span.SetStatus(codes.Error, "")
	}
	span.SetAttributes(end.attributes(append(a.more, outcomeKey.String(a.outcome)))...)
}

// refused returns a hook OnRefused that counts a refusal, and calls the app's hook.
func (o *callbackObserver) refused(app func(context.Context, client.Refused)) func(context.Context, client.Refused) {
	return func(ctx context.Context, r client.Refused) {
		o.refusals.Add(ctx, 1, o.reasons.of(r.Reason).add...)
		o.spanOf(ctx).SetAttributes(reasonKey.String(string(r.Reason)))
		if app != nil {
			app(ctx, r)
		}
	}
}

// ofStore returns the attribute of a store; none if the store is unknown.
func ofStore(id client.ID) []attribute.KeyValue {
	if id == 0 {
		return nil
	}
	return []attribute.KeyValue{storeKey.Int64(int64(id))}
}

// longestText is the maximum length, in bytes, of an attribute from outside.
const longestText = 200

// text returns an attribute from outside. Exporters reject a whole batch for one text that is not UTF-8.
func text(key attribute.Key, value string) attribute.KeyValue {
	return key.String(strings.ToValidUTF8(value[:min(len(value), longestText)], "\uFFFD"))
}

// known returns a text if it is one of a few, and "_OTHER" otherwise, so that the number of series does not depend on
// requests.
func known[S ~string](text S, few ...S) string {
	if text == "" || slices.Contains(few, text) {
		return string(text)
	}
	return otherType
}
