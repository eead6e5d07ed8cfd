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

// observe exports traces and metrics of the parts of the app, as configured in the environment. With
// OTEL_TRACES_EXPORTER=console and OTEL_METRICS_EXPORTER=console it prints them to standard output. With otlp and
// OTEL_EXPORTER_OTLP_ENDPOINT it sends them to a collector. Without these variables it does nothing. Stop sends the
// remaining data, for at most 5 seconds.
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
	_, err = new(otelcommerce.Telemetry).Instrument(parts...) // Shutdown ends the reports
	return func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second) // a collector may not answer
		defer cancel()
		return errors.Join(traces.Shutdown(ctx), meters.Shutdown(ctx))
	}, err
}
