package otelcommerce

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

// discarding is an exporter that takes no time of its own.
type discarding struct{}

func (discarding) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (discarding) Shutdown(context.Context) error                             { return nil }

// BenchmarkCall measures what telemetry adds to a call over a transport in memory, by turns with a call without a hook,
// and with one whose two spans are made by hand: to-hand is the ratio to what that adds, which is the SDK's own time.
func BenchmarkCall(b *testing.B) {
	reader := sdkmetric.NewManualReader()
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	traces := func(s sdktrace.Sampler) *sdktrace.TracerProvider {
		p := sdktrace.NewTracerProvider(sdktrace.WithSampler(s), sdktrace.WithBatcher(discarding{}))
		b.Cleanup(func() { _ = p.Shutdown(context.Background()) })
		return p
	}
	none := get(b, nil, nil)
	hand := byHand(traces(sdktrace.AlwaysSample()).Tracer("bench"))
	noTraces, noMeters := tracenoop.NewTracerProvider(), metricnoop.NewMeterProvider()
	for _, test := range []struct {
		name      string
		telemetry *Telemetry
		hook      onAttempt
	}{
		{"hand", nil, hand},
		{"hook", nil, func(ctx context.Context, _ client.Attempt) (context.Context, func(client.AttemptEnd)) {
			return ctx, func(client.AttemptEnd) {}
		}},
		{"noop", &Telemetry{TracerProvider: noTraces, MeterProvider: noMeters}, nil},
		{"unsampled", &Telemetry{TracerProvider: traces(sdktrace.NeverSample()), MeterProvider: meters}, nil},
		{"ratio", &Telemetry{TracerProvider: traces(sdktrace.TraceIDRatioBased(0.01)), MeterProvider: meters}, nil},
		{"metrics", &Telemetry{TracerProvider: noTraces, MeterProvider: meters}, nil},
		{"spans", &Telemetry{TracerProvider: traces(sdktrace.AlwaysSample()), MeterProvider: noMeters}, nil},
		{"sampled", &Telemetry{TracerProvider: traces(sdktrace.AlwaysSample()), MeterProvider: meters}, nil},
	} {
		b.Run(test.name, func(b *testing.B) { added(b, get(b, test.telemetry, test.hook), none, get(b, nil, hand)) })
	}
}

// byHand makes the same spans with two attributes each, and no metrics: what the SDK takes, whoever calls it.
func byHand(tracer trace.Tracer) onAttempt {
	start := []trace.SpanStartOption{trace.WithAttributes(attribute.String("http.request.method", "GET"))}
	return func(ctx context.Context, a client.Attempt) (context.Context, func(client.AttemptEnd)) {
		ctx, span := tracer.Start(ctx, "GET /products/{id}", start...)
		return ctx, func(e client.AttemptEnd) {
			span.SetAttributes(attribute.Int("http.response.status_code", e.Status))
			span.End()
		}
	}
}

func get(b *testing.B, telemetry *Telemetry, hook onAttempt) func() {
	config := client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"),
		UserAgent:  "Bench (bench@app.example)",
		HTTPClient: &http.Client{Transport: bench.Canned(`{"id":1}`)}, OnAttempt: hook,
	}
	if telemetry != nil {
		telemetry.InstrumentClient(&config)
	}
	c, err := client.New(config)
	if err != nil {
		b.Fatal(err)
	}
	return func() {
		if err := c.Do(context.Background(), client.Request{Path: "/products/{id}", Args: []any{1}}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// added runs all by turns and reports the medians of what the first takes beyond the second, and of its ratio to what
// the third takes beyond that.
func added(b *testing.B, ours, floor, hand func()) {
	const turn = 50
	run := func(f func()) (took time.Duration, allocated uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		for range turn {
			f()
		}
		took = time.Since(start)
		runtime.ReadMemStats(&after)
		return took, after.Mallocs - before.Mallocs
	}
	var times, allocations, ratios, toHand []float64
	for b.Loop() {
		took, objects := run(ours)
		least, needed := run(floor)
		spans, _ := run(hand)
		times = append(times, float64((took-least).Nanoseconds())/turn/1000)
		allocations = append(allocations, (float64(objects)-float64(needed))/turn)
		ratios = append(ratios, took.Seconds()/least.Seconds())
		toHand = append(toHand, (took-least).Seconds()/(spans-least).Seconds())
	}
	for unit, all := range map[string][]float64{
		"added-us": times, "added-allocs": allocations, "ours/floor": ratios, "to-hand": toHand,
	} {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], unit)
	}
}
