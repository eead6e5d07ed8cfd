package otelcommerce

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/commerceplatform/commerce-go/shipping"
)

// InstrumentRates adds spans and metrics to a handler of shipping rates before it serves. It sets OnStarted,
// OnAnswered, OnRefused and OnHealthChanged, and calls the previous hooks within the span. Call it once for a handler.
func (t *Telemetry) InstrumentRates(h *shipping.Handler) {
	o := t.callback(callbackKind{
		name: "shipping_rates", span: "answer shipping rates", limit: shipping.AnswerTime,
	})
	h.OnStarted, h.OnRefused = o.started(h.OnStarted), o.refused(h.OnRefused)
	h.OnAnswered = ended(o, h.OnAnswered, ratesAnswer)
	h.OnHealthChanged = healthChanges(t.meter(), h.OnHealthChanged)
}

// healthChanges returns a hook OnHealthChanged that counts, and calls the app's hook.
func healthChanges(
	m metric.Meter, app func(context.Context, shipping.Health),
) func(context.Context, shipping.Health) {
	counter := made(m.Int64Counter("commerce.shipping.health.changes", metric.WithUnit("{change}"),
		metric.WithDescription("Changes of the state of a carrier's circuit at the platform, by the new state.")))
	states := newSeriesBy(func(s shipping.HealthState) []attribute.KeyValue {
		return []attribute.KeyValue{attribute.String("commerce.shipping.health", s.String())}
	})
	return func(ctx context.Context, now shipping.Health) {
		counter.Add(ctx, 1, states.of(now.State).add...)
		if app != nil {
			app(ctx, now)
		}
	}
}

func ratesAnswer(a shipping.Answer) callbackAnswer {
	out := callbackAnswer{status: a.Status, took: a.Took, err: a.Err, more: ofStore(a.StoreID)}
	switch {
	case a.Refused:
		out.outcome, out.err = refused, nil
	case a.Status == 0:
		out.outcome, out.err = unanswered, aborted{}
	case errors.Is(a.Err, shipping.ErrNoCoverage), errors.As(a.Err, new(*shipping.Refusal)):
		out.outcome, out.err = declined, nil
	case a.Source == shipping.SourceNobody:
		out.outcome = failed
	default:
		out.outcome = known(a.Source,
			shipping.SourceCalled, shipping.SourceShared, shipping.SourceCached, shipping.SourceStale)
	}
	if a.CarrierID != "" {
		out.more = append(out.more, text("commerce.carrier.id", string(a.CarrierID)))
	}
	if a.Rates > 0 {
		out.more = append(out.more, attribute.Int("commerce.shipping.rates", a.Rates))
	}
	return out
}

// InstrumentLabels adds spans and metrics to a handler of labels before it serves. It sets OnStarted, OnAnswered and
// OnRefused, and calls the previous hooks within the span. Call it once for a handler.
func (t *Telemetry) InstrumentLabels(h *shipping.LabelHandler) {
	o := t.callback(callbackKind{
		name: "shipping_labels", span: "answer shipping labels", about: "commerce.shipping.action",
		limit: shipping.AnswerTime,
	})
	h.OnStarted, h.OnRefused = o.started(h.OnStarted), o.refused(h.OnRefused)
	h.OnAnswered = ended(o, h.OnAnswered, labelsAnswer)
}

func labelsAnswer(a shipping.LabelAnswer) callbackAnswer {
	out := callbackAnswer{
		about:  known(a.Action, "generate", "cancel", "suspension", "reactivate"), // could be any path segment otherwise
		status: a.Status, took: a.Took, err: a.Err, more: ofStore(a.StoreID),
	}
	switch {
	case a.Refused:
		out.outcome, out.err = refused, nil
	case a.Status == 0:
		if out.outcome = unanswered; out.err == nil {
			out.err = aborted{}
		}
	case a.Err != nil:
		out.outcome = failed
	case a.Failed > 0:
		out.outcome = declined
	default:
		out.outcome = ran
	}
	if len(a.Labels) > 0 {
		out.more = append(out.more, attribute.Int("commerce.shipping.labels", len(a.Labels)))
	}
	if a.Failed > 0 {
		out.more = append(out.more, attribute.Int("commerce.shipping.labels.failed", a.Failed))
	}
	return out
}
