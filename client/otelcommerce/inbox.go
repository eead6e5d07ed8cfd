package otelcommerce

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/commerceplatform/commerce-go/webhook"
)

// statsTime is the maximum time that a collection of metrics waits for the statistics of an inbox.
const statsTime = 5 * time.Second

// InstrumentInbox reports the statistics of an inbox with each collection of metrics, which waits up to 5 seconds for
// them. If they cannot be read in time, they are missing, and the error goes to the handler of package otel. stop ends
// the reports. It returns when no collection reads the inbox any more, so call it before the inbox is closed.
//
// Replicas of an app that share a database report the same entries, so use the largest value and not the sum. An app
// with several inboxes instruments each with its own MeterProvider, because the metrics have no attribute for the
// inbox.
func (t *Telemetry) InstrumentInbox(inbox webhook.Inbox) (stop func()) {
	m := t.meter()
	entries := made(m.Int64ObservableGauge("commerce.inbox.entries", metric.WithUnit("{entry}"),
		metric.WithDescription("Entries of the inbox by state. Due and leased entries are pending, too.")))
	oldest := made(m.Float64ObservableGauge("commerce.inbox.oldest", metric.WithUnit("s"),
		metric.WithDescription("Time for which the oldest pending entry has been pending.")))
	protected := made(m.Float64ObservableGauge("commerce.inbox.oldest_protected", metric.WithUnit("s"),
		metric.WithDescription("Age of the oldest privacy request that is pending or dead.")))
	log := made(m.Int64ObservableGauge("commerce.inbox.log.size", metric.WithUnit("By"),
		metric.WithDescription("Size of the log of writes of webhook/sqlite.")))
	states := []struct {
		option metric.ObserveOption
		count  func(webhook.Stats) int
	}{
		{inState("pending"), func(s webhook.Stats) int { return s.Pending }},
		{inState("due"), func(s webhook.Stats) int { return s.Due }},
		{inState("leased"), func(s webhook.Stats) int { return s.Leased }},
		{inState("done"), func(s webhook.Stats) int { return s.Done }},
		{inState("dead"), func(s webhook.Stats) int { return s.Dead }},
	}
	return collected(m, func(ctx context.Context, o metric.Observer) error {
		ctx, cancel := context.WithTimeout(ctx, statsTime)
		defer cancel()
		s, err := figuresOf(ctx, "Stats of the inbox", inbox.Stats)
		if err != nil {
			return err
		}
		for _, state := range states {
			o.ObserveInt64(entries, int64(state.count(s)), state.option)
		}
		o.ObserveFloat64(oldest, s.Oldest.Seconds())
		o.ObserveFloat64(protected, s.OldestProtected.Seconds())
		o.ObserveInt64(log, s.LogSize)
		return nil
	}, entries, oldest, protected, log)
}

// figuresOf returns figures of the app. A panic would end the process, because readers have their own goroutines.
func figuresOf[T any](ctx context.Context, what string, read func(ctx context.Context) (T, error)) (f T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("otelcommerce: %s panicked: %v", what, v)
		}
	}()
	if f, err = read(ctx); err != nil {
		err = fmt.Errorf("otelcommerce: %s: %w", what, err)
	}
	return f, err
}

func inState(name string) metric.ObserveOption {
	return metric.WithAttributeSet(attribute.NewSet(attribute.String("commerce.inbox.state", name)))
}
