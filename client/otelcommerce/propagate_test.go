package otelcommerce

import (
	"net/http"
	"sync"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// globalSpans are those of the global provider, which is set with the first call: package otel has the tracers that
// were made before use the first provider, and no other one.
var globalSpans = sync.OnceValue(func() *tracetest.SpanRecorder {
	spans := tracetest.NewSpanRecorder()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)))
	otel.SetTextMapPropagator(propagation.TraceContext{})
	return spans
})

// The zero Telemetry uses the global provider, even if it is set later, and not the global propagator.
func TestZeroTelemetry(t *testing.T) {
	script := hostile.Answers(hostile.Status(200, `{}`))
	c := instrumented(t, new(Telemetry), script)
	spans := globalSpans()
	before := len(spans.Ended())
	if err := c.Do(t.Context(), client.Request{Path: "/store"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := len(spans.Ended()) - before; got != 2 {
		t.Errorf("%d spans, want 2", got)
	}
	if got := script.Seen[0].Header.Get("Traceparent"); got != "" {
		t.Errorf("the platform got %q", got)
	}
}

// With a propagator each request carries the context of its own span, and keeps its token.
func TestPropagator(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	telemetry := &Telemetry{
		TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)), MeterProvider: noop.NewMeterProvider(),
		Propagator: propagation.TraceContext{},
	}
	script := &closing{Script: hostile.Answers(hostile.Status(500, `{}`), hostile.Status(200, `{}`))}
	c := instrumented(t, telemetry, script)
	if err := c.Do(t.Context(), client.Request{Path: "/store"}, nil); err != nil {
		t.Fatal(err)
	}
	for i, r := range script.Seen {
		s := spans.Ended()[i].SpanContext()
		want := "00-" + s.TraceID().String() + "-" + s.SpanID().String() + "-01"
		if got := r.Header.Get("Traceparent"); got != want || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("request %d: got %q, want %q", i, got, want)
		}
	}
	c.CloseIdleConnections()
	if len(script.Seen) != 2 || !script.closed {
		t.Errorf("%d requests, closed: %v", len(script.Seen), script.closed)
	}
}

type closing struct {
	*hostile.Script
	closed bool
}

func (c *closing) CloseIdleConnections() { c.closed = true }

// A configuration without a transport gets the one of package client.
func TestPropagatorWithoutTransport(t *testing.T) {
	config := client.Config{BaseURL: "https://api.example.com"}
	(&Telemetry{Propagator: propagation.TraceContext{}}).InstrumentClient(&config)
	wrapped, ok := config.HTTPClient.Transport.(*propagating)
	if !ok {
		t.Fatalf("got %T", config.HTTPClient.Transport)
	}
	if inner, ok := wrapped.transport.(*http.Transport); !ok || inner.Proxy != nil || inner.ResponseHeaderTimeout == 0 {
		t.Errorf("got %T, want that of client.NewTransport", wrapped.transport)
	}
}
