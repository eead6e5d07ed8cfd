package otelcommerce

import (
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// scope names the instrumentation in traces and metrics.
const scope = "github.com/commerceplatform/commerce-go/client/otelcommerce"

// Telemetry configures where spans and metrics go. The zero value uses the global providers of package otel, even if
// they are set later. Its methods only read it and may be called concurrently.
type Telemetry struct {
	// TracerProvider provides the tracer. Nil means otel.GetTracerProvider().
	TracerProvider trace.TracerProvider
	// MeterProvider provides the meter. Nil means otel.GetMeterProvider().
	MeterProvider metric.MeterProvider
	// Propagator adds the trace context to the headers of requests to the platform. Nil adds nothing, whatever the
	// global propagator is. The platform is a third party, and a trace context would show it internal trace ids or
	// baggage. If the platform, or a proxy of yours, is part of the traces, set propagation.TraceContext{}.
	Propagator propagation.TextMapPropagator
	// Incoming reads the trace context of requests to handlers from their headers, unless their context already has a
	// span, such as that of otelhttp. Nil reads nothing: the headers are not signed, so any sender could choose the
	// trace and whether it is sampled. If a proxy of yours is part of the traces and replaces these headers, set
	// propagation.TraceContext{}.
	Incoming propagation.TextMapPropagator
	// SeparateRuns gives each run of a worker its own trace, which links to that of its delivery. If false, a run is
	// part of the trace of its delivery. That trace may last for days, because failed entries are retried.
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

// made returns an instrument. An error is reported to the handler of package otel. The instrument then does nothing or
// works as far as it can, as the API of metrics promises.
func made[I any](instrument I, err error) I {
	if err != nil {
		otel.Handle(err)
	}
	return instrument
}
