package otelcommerce

import (
	"context"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
)

// collected calls observe with each collection of metrics. stop returns when observe does not run any more.
func collected(
	m metric.Meter, observe func(context.Context, metric.Observer) error, of ...metric.Observable,
) (stop func()) {
	var running sync.RWMutex
	stopped := false
	registration, err := m.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		running.RLock() // Unregister may not wait for callbacks
		defer running.RUnlock()
		if stopped {
			return nil
		}
		return observe(ctx, o)
	}, of...)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() {
		if err := registration.Unregister(); err != nil {
			otel.Handle(err)
		}
		running.Lock()
		defer running.Unlock()
		stopped = true
	}
}
