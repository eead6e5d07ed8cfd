package otelcommerce

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/commerceplatform/commerce-go/client"
)

// InstrumentJobs reports the items of the jobs of a queue with each collection of metrics, such as of
// sqljobs.Queue.Items. If they cannot be read within 5 seconds, they are missing, and the error goes to the handler of
// package otel. Name distinguishes the queues of an app. Replicas report the same items, so use the largest value and
// not the sum. stop ends the reports; call it before the database is closed.
func (t *Telemetry) InstrumentJobs(
	name string, items func(ctx context.Context) (client.JobItems, error),
) (stop func()) {
	m := t.meter()
	gauge := made(m.Int64ObservableGauge("commerce.jobs.items", metric.WithUnit("{item}"),
		metric.WithDescription("Items of the jobs of a queue by state.")))
	queue := attribute.String("commerce.jobs.queue", name)
	return collected(m, func(ctx context.Context, o metric.Observer) error {
		ctx, cancel := context.WithTimeout(ctx, statsTime)
		defer cancel()
		n, err := figuresOf(ctx, fmt.Sprintf("items of queue %q", name), items)
		if err != nil {
			return err
		}
		for state, n := range map[string]int{"done": n.Done, "failed": n.Failed, "waiting": n.Waiting, "paused": n.Paused} {
			o.ObserveInt64(gauge, int64(n), metric.WithAttributeSet(attribute.NewSet(queue,
				attribute.String("commerce.jobs.state", state))))
		}
		return nil
	}, gauge)
}
