package main

import (
	"context"
	"errors"
	"os"
	"time"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/commerceplatform/commerce-go/client/otelcommerce"
)

// observe exports traces and metrics of the parts of the app, as the environment says: with
// OTEL_TRACES_EXPORTER=console and OTEL_METRICS_EXPORTER=console to standard output, with otlp and
// OTEL_EXPORTER_OTLP_ENDPOINT to a collector. It does nothing without these variables. Stop sends what is left, for 5
// seconds at most.
func observe(ctx context.Context, parts ...any) (stop func() error, err error) {
	none := func() error { return nil }
	if os.Getenv("OTEL_TRACES_EXPORTER")+os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" {
		return none, nil
	}
	spans, noSpans := autoexport.NewSpanExporter(ctx)
	reader, noReader := autoexport.NewMetricReader(ctx)
	if err := errors.Join(noSpans, noReader); err != nil {
		return none, err
	}
	traces, meters := trace.NewTracerProvider(trace.WithBatcher(spans)), metric.NewMeterProvider(metric.WithReader(reader))
	otel.SetTracerProvider(traces)
	otel.SetMeterProvider(meters)
	_, err = new(otelcommerce.Telemetry).Instrument(parts...) // Shutdown ends what it began
	return func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // a collector may not answer
		defer cancel()
		return errors.Join(traces.Shutdown(ctx), meters.Shutdown(ctx))
	}, err
}
