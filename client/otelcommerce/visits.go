package otelcommerce

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/commerceplatform/commerce-go/client"
)

// InstrumentVisits reports the results of a loop over all stores with each collection of metrics, such as
// webhook.Sweep.Visits, client.Copies.Visits or sqljobs.Queue.Visits. It counts the stores that fail and the others,
// and measures how old the oldest last success is. Name distinguishes the loops of an app. stop ends the reports.
func (t *Telemetry) InstrumentVisits(name string, visits func() map[client.ID]client.Visited) (stop func()) {
	m := t.meter()
	stores := made(m.Int64ObservableGauge("commerce.loop.stores", metric.WithUnit("{store}"),
		metric.WithDescription("Stores that a loop visits, by the result of the last visit.")))
	oldest := made(m.Float64ObservableGauge("commerce.loop.oldest", metric.WithUnit("s"),
		metric.WithDescription("The longest time since a store's last success.")))
	loop := attribute.String("commerce.loop", name)
	return collected(m, func(_ context.Context, o metric.Observer) error {
		counts, first := map[string]int64{"good": 0, "failing": 0}, time.Time{}
		for _, v := range visits() {
			if v.Err != nil && !v.Good.After(v.Failed) {
				counts["failing"]++
			} else {
				counts["good"]++
			}
			if at := v.Good; !at.IsZero() && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
		for result, n := range counts {
			o.ObserveInt64(stores, n, metric.WithAttributeSet(attribute.NewSet(loop,
				attribute.String("commerce.loop.result", result))))
		}
		if !first.IsZero() {
			o.ObserveFloat64(oldest, time.Since(first).Seconds(), metric.WithAttributeSet(attribute.NewSet(loop)))
		}
		return nil
	}, stores, oldest)
}
