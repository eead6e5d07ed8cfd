package otelcommerce

import (
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// scope names the instrumentation, as traces and metrics show it.
const scope = "github.com/commerceplatform/commerce-go/client/otelcommerce"

// Telemetry says where spans and metrics go. The zero value uses the global providers of package otel, also if they are
// set later. Its methods only read it and may be called concurrently.
type Telemetry struct {
	// TracerProvider gives the tracer. Nil is otel.GetTracerProvider().
	TracerProvider trace.TracerProvider
	// MeterProvider gives the meter. Nil is otel.GetMeterProvider().
	MeterProvider metric.MeterProvider
	// Propagator adds the trace context to the headers of requests to the platform. Nil adds nothing, whatever the
	// global propagator is: the platform is a third party, and a trace context shows it ids of internal traces, or
	// baggage. If the platform, or a proxy of the app's own, is part of the traces, set propagation.TraceContext{}.
	Propagator propagation.TextMapPropagator
	// Incoming reads the trace context of requests to handlers from their headers, unless their context has a span
	// already, such as that of otelhttp. Nil reads nothing: the headers are not signed, so whoever sends a request
	// would choose its trace and whether that is sampled. If a proxy of yours is part of the traces and replaces the
	// headers of others, set propagation.TraceContext{}.
	Incoming propagation.TextMapPropagator
	// SeparateRuns gives each run of a worker a trace of its own, which links to that of its delivery. If false, a run
	// is part of the trace of its delivery, which may be days long then: entries that fail are retried.
	SeparateRuns bool
}

func (t *Telemetry) tracer() trace.Tracer {
	provider := t.TracerProvider
	if provider == nil {
		provider = otel.GetTracerProvider()
	}
	return provider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL))
}

func (t *Telemetry) meter() metric.Meter {
	provider := t.MeterProvider
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	return provider.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))
}

// made returns an instrument. An error is reported to the handler of package otel, and the instrument does nothing then
// or works as far as it can, as the API of metrics promises.
func made[I any](instrument I, err error) I {
	if err != nil {
		otel.Handle(err)
	}
	return instrument
}
