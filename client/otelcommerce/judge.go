package otelcommerce

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/commerceplatform/commerce-go/client"
)

// InstrumentJudge reports with each collection of metrics how many stores refuse the app's token, and how long the
// platform's authorization has been out. stop ends the reports. The metrics are of one process, so use the largest
// value of all replicas and not the sum.
func (t *Telemetry) InstrumentJudge(j *client.Judge) (stop func()) {
	m := t.meter()
	stores := made(m.Int64ObservableGauge("commerce.installation.refused", metric.WithUnit("{store}"),
		metric.WithDescription("Stores that refuse the app's token, by what that proves.")))
	outage := made(m.Float64ObservableGauge("commerce.authorization.outage", metric.WithUnit("s"),
		metric.WithDescription("Time for which the platform has been refusing the tokens of many stores.")))
	return collected(m, func(ctx context.Context, o metric.Observer) error {
		counts := map[client.Access]int64{client.AccessDoubtful: 0, client.AccessGone: 0}
		for _, v := range j.Doubts(ctx) {
			counts[v.Access]++
		}
		for access, n := range counts {
			o.ObserveInt64(stores, n, metric.WithAttributeSet(attribute.NewSet(
				attribute.String("commerce.installation.access", string(access)))))
		}
		since, seconds := j.Outage().Since, 0.0
		if !since.IsZero() {
			seconds = time.Since(since).Seconds()
		}
		o.ObserveFloat64(outage, seconds)
		return nil
	}, stores, outage)
}
