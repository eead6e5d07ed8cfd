package otelcommerce

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// observed is telemetry whose spans and metrics a test reads.
type observed struct {
	Telemetry
	t      testing.TB
	spans  *tracetest.SpanRecorder
	reader *sdkmetric.ManualReader
}

func observe(t testing.TB) *observed {
	o := &observed{t: t, spans: tracetest.NewSpanRecorder(), reader: sdkmetric.NewManualReader()}
	o.TracerProvider = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(o.spans))
	o.MeterProvider = sdkmetric.NewMeterProvider(sdkmetric.WithReader(o.reader))
	return o
}

// span returns the only span of a name. It is an error if a span has not ended.
func (o *observed) span(name string) sdktrace.ReadOnlySpan {
	o.t.Helper()
	all := o.named(name)
	if len(all) != 1 {
		o.t.Fatalf("%d spans %q, want 1 of %q", len(all), name, o.names())
	}
	return all[0]
}

// named returns the spans of a name in the order of their ends.
func (o *observed) named(name string) (all []sdktrace.ReadOnlySpan) {
	o.t.Helper()
	if started, ended := len(o.spans.Started()), len(o.spans.Ended()); started != ended {
		o.t.Errorf("%d spans were started, and %d ended", started, ended)
	}
	for _, s := range o.spans.Ended() {
		if s.Name() == name {
			all = append(all, s)
		}
	}
	return all
}

func (o *observed) names() (all []string) {
	for _, s := range o.spans.Ended() {
		all = append(all, s.Name())
	}
	return all
}

// below checks that a span is a child of another.
func (o *observed) below(child, parent sdktrace.ReadOnlySpan) {
	o.t.Helper()
	if child.Parent().SpanID() != parent.SpanContext().SpanID() ||
		child.SpanContext().TraceID() != parent.SpanContext().TraceID() {
		o.t.Errorf("%s is no child of %s", child.Name(), parent.Name())
	}
}

// attributes returns those of a span by name, as text.
func attributes(s sdktrace.ReadOnlySpan) map[string]string {
	all := map[string]string{}
	for _, kv := range s.Attributes() {
		all[string(kv.Key)] = kv.Value.String()
	}
	return all
}

// has checks attributes of a span, "name=value".
func (o *observed) has(s sdktrace.ReadOnlySpan, want ...string) {
	o.t.Helper()
	all := attributes(s)
	for _, one := range want {
		name, value, _ := strings.Cut(one, "=")
		if all[name] != value {
			o.t.Errorf("%s has %s=%q, want %q", s.Name(), name, all[name], value)
		}
	}
}

// point is a series of a metric.
type point struct {
	metric, unit string
	set          attribute.Set
	value        float64 // of a counter or gauge; the count of a histogram
	sum          float64 // of a histogram
}

func (p point) String() string {
	return fmt.Sprintf("%s{%s} %v", p.metric, p.set.Encoded(attribute.DefaultEncoder()), p.value)
}

// points collects the metrics.
func (o *observed) points() (all []point) {
	o.t.Helper()
	var got metricdata.ResourceMetrics
	if err := o.reader.Collect(context.Background(), &got); err != nil {
		o.t.Log(err)
	}
	for _, scope := range got.ScopeMetrics {
		for _, m := range scope.Metrics {
			add := func(set attribute.Set, value, sum float64) {
				all = append(all, point{m.Name, m.Unit, set, value, sum})
			}
			switch data := m.Data.(type) {
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, float64(p.Count), p.Sum)
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, float64(p.Count), float64(p.Sum))
				}
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, float64(p.Value), 0)
				}
			case metricdata.Gauge[int64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, float64(p.Value), 0)
				}
			case metricdata.Gauge[float64]:
				for _, p := range data.DataPoints {
					add(p.Attributes, p.Value, 0)
				}
			default:
				o.t.Errorf("%s is a %T", m.Name, data)
			}
		}
	}
	return all
}

// lines returns the series as text, sorted.
func (o *observed) lines() (all []string) {
	for _, p := range o.points() {
		all = append(all, p.String())
	}
	slices.Sort(all)
	return all
}

// counts checks that series are among those collected.
func (o *observed) counts(want ...string) {
	o.t.Helper()
	got := o.lines()
	for _, line := range want {
		if !slices.Contains(got, line) {
			o.t.Errorf("no series %s in\n%s", line, strings.Join(got, "\n"))
		}
	}
}
