package otelcommerce

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/commerceplatform/commerce-go/client"
)

// clientMeters are the instruments of calls.
type clientMeters struct {
	requests, calls, waits metric.Float64Histogram
	remaining              metric.Int64Histogram
	resends, rejections    metric.Int64Counter
	standard, large        *series // tiers of the rate limit
}

// standardLimit is the size of the documented bucket. Larger plans have more.
const standardLimit = 40

func newClientMeters(m metric.Meter) clientMeters {
	seconds := metric.WithExplicitBucketBoundaries(
		0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30,
	)
	tier := func(name string) *series {
		return newSeries([]attribute.KeyValue{attribute.String("commerce.rate_limit.tier", name)})
	}
	return clientMeters{
		requests: made(m.Float64Histogram("http.client.request.duration", metric.WithUnit("s"), seconds,
			metric.WithDescription("Duration of HTTP client requests."))),
		calls: made(m.Float64Histogram("commerce.client.call.duration", metric.WithUnit("s"), seconds,
			metric.WithDescription("Duration of calls of the API, with their waits and retries."))),
		waits: made(m.Float64Histogram("commerce.client.rate_limit.wait", metric.WithUnit("s"), seconds,
			metric.WithDescription("Time that calls waited for the rate limit of their store, if they did."))),
		remaining: made(m.Int64Histogram("commerce.client.rate_limit.remaining", metric.WithUnit("{request}"),
			metric.WithExplicitBucketBoundaries(0, 1, 2, 5, 10, 20, 30, 40, 100, 200, 400),
			metric.WithDescription("Requests left in the platform's bucket of a store after an answer."))),
		resends: made(m.Int64Counter("commerce.client.resends", metric.WithUnit("{request}"),
			metric.WithDescription("Requests that were retried, by the reason."))),
		rejections: made(m.Int64Counter("commerce.client.breaker.rejections", metric.WithUnit("{call}"),
			metric.WithDescription("Calls that an open circuit rejected."))),
		standard: tier("standard"), large: tier("large"),
	}
}

// call records the end of a call.
func (m *clientMeters) call(ctx context.Context, r *route, e client.AttemptEnd) {
	m.calls.Record(ctx, e.Duration.Seconds(), r.ended(e).record...)
	if e.Waited > 0 { // few calls wait, and a record takes half a microsecond
		m.waits.Record(ctx, e.Waited.Seconds(), r.server.record...)
	}
	if e.Err != nil && errors.Is(e.Err, client.ErrCircuitOpen) {
		m.rejections.Add(ctx, 1, r.all.add...)
	}
}

// request records the end of a request.
func (m *clientMeters) request(ctx context.Context, r *route, e client.AttemptEnd) {
	end := r.ended(e)
	m.requests.Record(ctx, e.Duration.Seconds(), end.record...)
	if e.Again {
		m.resends.Add(ctx, 1, end.add...)
	}
	if e.Rate.Limit > standardLimit {
		m.remaining.Record(ctx, int64(e.Rate.Remaining), m.large.record...)
	} else if e.Rate.Limit > 0 {
		m.remaining.Record(ctx, int64(e.Rate.Remaining), m.standard.record...)
	}
}
