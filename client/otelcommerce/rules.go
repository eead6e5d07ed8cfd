package otelcommerce

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts/rules"
)

// InstrumentRules adds spans and metrics to a handler of business rules before it serves. It sets OnStarted, OnAnswered
// and OnRefused, and calls the previous hooks within the span. Call it once for a handler.
func (t *Telemetry) InstrumentRules(h *rules.Handler) {
	o := t.callback(callbackKind{
		name: "rules", span: "answer rules", about: "commerce.rules.domain", limit: rules.AnswerTime,
	})
	h.OnStarted, h.OnRefused = o.started(h.OnStarted), o.refused(h.OnRefused)
	h.OnAnswered = ended(o, h.OnAnswered, rulesAnswer)
}

func rulesAnswer(a rules.Answer) callbackAnswer {
	out := callbackAnswer{
		about: known(a.Domain, client.RuleDomainPayments, client.RuleDomainShipping, client.RuleDomainLocation,
			client.RuleDomainCart),
		status: a.Status, took: a.Took, err: a.Err, more: ofStore(a.StoreID),
	}
	switch {
	case a.Refused:
		out.outcome, out.err = refused, nil
	case a.Status == 0:
		out.outcome, out.err = unanswered, aborted{}
	case a.Err != nil:
		out.outcome = failed
	default:
		out.outcome = ran
	}
	if a.CartID != "" {
		out.more = append(out.more, text("commerce.cart.id", string(a.CartID)))
	}
	if a.Command != "" {
		out.more = append(out.more, text("commerce.rules.command", a.Command))
	}
	return out
}
