package otelcommerce

import (
	"go.opentelemetry.io/otel/attribute"

	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
)

// InstrumentDiscounts adds spans and metrics to a handler of carts before it serves. It sets OnStarted, OnAnswered and
// OnRefused, and calls the previous hooks within the span. Call it once for a handler.
func (t *Telemetry) InstrumentDiscounts(h *discounts.Handler) {
	o := t.callback(callbackKind{
		name: "discounts", span: "answer discounts", about: "commerce.discounts.tier", limit: discounts.AnswerTime,
	})
	h.OnStarted, h.OnRefused = o.started(h.OnStarted), o.refused(h.OnRefused)
	h.OnAnswered = ended(o, h.OnAnswered, discountsAnswer)
}

func discountsAnswer(a discounts.Answer) callbackAnswer {
	out := callbackAnswer{
		about:  known(a.Tier, promotions.TierLineItems, promotions.TierCrossItems),
		status: a.Status, took: a.Took, err: a.Err, more: ofStore(a.StoreID),
	}
	switch {
	case a.Refused:
		out.outcome, out.err = refused, nil
	case a.Status == 0:
		out.outcome, out.err = unanswered, aborted{}
	case a.Err != nil:
		out.outcome = failed
	case a.Status == discounts.StatusUninstalled:
		out.outcome = "uninstalled"
	case a.Remembered:
		out.outcome = "remembered"
	default:
		out.outcome = ran
	}
	if a.CartID != "" {
		out.more = append(out.more, text("commerce.cart.id", string(a.CartID)))
	}
	if a.Commands > 0 {
		out.more = append(out.more, attribute.Int("commerce.discounts.commands", a.Commands))
	}
	return out
}
