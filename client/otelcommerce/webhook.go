package otelcommerce

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/commerceplatform/commerce-go/webhook"
)

// InstrumentWebhooks adds spans and metrics to a handler before it serves. It sets OnStarted, OnAnswered and OnRefused,
// and calls the previous hooks within the span. It sets Trace, unless that is set, so that the run of a delivery is
// part of the trace of the request; see [Telemetry.InstrumentWorker]. Call it once for a handler.
func (t *Telemetry) InstrumentWebhooks(h *webhook.Handler) {
	o := t.callback(callbackKind{name: "webhook", span: "receive", about: eventKey, limit: webhook.AnswerTime})
	dead := newDead(t.meter())
	h.OnStarted, h.OnRefused = o.started(h.OnStarted), o.refused(h.OnRefused)
	answered := ended(o, h.OnAnswered, webhookAnswer)
	h.OnAnswered = func(ctx context.Context, a webhook.Answer) {
		if a.Outcome == webhook.OutcomeShelved {
			dead.count(ctx, a.Event)
		}
		answered(ctx, a)
	}
	if h.Trace == nil {
		h.Trace = o.traceparent
	}
}

func webhookAnswer(a webhook.Answer) callbackAnswer {
	out := callbackAnswer{
		about: eventOf(a.Event), status: a.Status, took: a.Took, err: a.Err, more: ofStore(a.StoreID),
		outcome: known(a.Outcome, webhook.OutcomeStored, webhook.OutcomeJoined, webhook.OutcomeKnown, webhook.OutcomeRevived,
			webhook.OutcomeShelved, webhook.OutcomeRan, webhook.OutcomeShared, webhook.OutcomeQueued, webhook.OutcomeIgnored,
			webhook.OutcomeUnknown, webhook.OutcomeFailed, webhook.OutcomeRefused),
	}
	switch a.Outcome {
	case webhook.OutcomeRefused:
		out.err = nil
		return out
	case "":
		out.outcome, out.err = unanswered, aborted{}
	}
	if a.Bytes > 0 {
		out.more = append(out.more, attribute.Int("commerce.request.size", a.Bytes))
	}
	out.more = append(out.more, keyOf(a.Event, a.Key)...)
	return out
}

// events are the events of the contract.
var events = webhook.Events()

// eventOf returns an event of the contract, "_OTHER" for another one, and "" for none.
func eventOf(event webhook.Name) string { return known(event, events...) }

// keyOf returns the attribute of an entry's key. It omits the key of a privacy request, which may contain the
// id of a customer whose data must be erased.
func keyOf(event webhook.Name, key string) []attribute.KeyValue {
	if key == "" || slices.Contains([]webhook.Name{
		webhook.StoreRedactRequested.Name, webhook.CustomerRedactRequested.Name, webhook.CustomerDataRequested.Name,
	}, event) {
		return nil
	}
	return []attribute.KeyValue{text(semconv.MessagingMessageIDKey, key)}
}

// deadEntries counts entries that died.
type deadEntries struct {
	counter metric.Int64Counter
	events  *seriesBy[string]
}

func newDead(m metric.Meter) deadEntries {
	return deadEntries{
		made(m.Int64Counter("commerce.webhook.dead", metric.WithUnit("{entry}"),
			metric.WithDescription("Dead-lettered entries, which failed permanently or have no handler."))),
		byEvent(),
	}
}

func (d deadEntries) count(ctx context.Context, event webhook.Name) {
	d.counter.Add(ctx, 1, d.events.of(eventOf(event)).add...)
}

// eventEnd distinguishes the series of runs and of sweeps.
type eventEnd struct{ event, outcome, err string }

// byEvent holds the series of events.
func byEvent() *seriesBy[string] {
	return newSeriesBy(func(event string) []attribute.KeyValue { return []attribute.KeyValue{eventKey.String(event)} })
}
