package otelcommerce

import (
	"errors"

	"go.opentelemetry.io/otel/attribute"

	"github.com/commerceplatform/commerce-go/payments"
)

// InstrumentPayments adds spans and metrics to a handler of signed calls before it serves. It sets OnStarted,
// OnAnswered and OnRefused, and calls the previous hooks within the span. Call it once for the Callback of each
// handler, or once for a Callback before it is assigned to several handlers.
//
//	telemetry.InstrumentPayments(&process.Callback)
//	telemetry.InstrumentPayments(&refund.Callback)
func (t *Telemetry) InstrumentPayments(c *payments.Callback) {
	o := t.callback(paymentsKind)
	c.OnStarted, c.OnRefused = o.started(c.OnStarted), o.refused(c.OnRefused)
	c.OnAnswered = ended(o, c.OnAnswered, paymentsAnswer)
}

// InstrumentRefresh adds spans and metrics to a handler of refreshes, as InstrumentPayments does for the others. Call
// it once for a handler.
func (t *Telemetry) InstrumentRefresh(h *payments.RefreshHandler) {
	o := t.callback(paymentsKind)
	h.OnStarted, h.OnRefused = o.started(h.OnStarted), o.refused(h.OnRefused)
	h.OnAnswered = ended(o, h.OnAnswered, paymentsAnswer)
}

// InstrumentReview adds spans and metrics to a handler of the merchant's decisions, as InstrumentPayments does for the
// others. Call it once for a handler.
func (t *Telemetry) InstrumentReview(h *payments.ReviewHandler) {
	o := t.callback(paymentsKind)
	h.OnStarted, h.OnRefused = o.started(h.OnStarted), o.refused(h.OnRefused)
	h.OnAnswered = ended(o, h.OnAnswered, paymentsAnswer)
}

var paymentsKind = callbackKind{
	name: "payments", span: "answer payment", about: "commerce.payments.call", limit: payments.AnswerTime,
}

func paymentsAnswer(a payments.Answer) callbackAnswer {
	out := callbackAnswer{
		about: string(a.Call), status: a.Status, took: a.Took, err: a.Err, more: ofStore(a.StoreID),
	}
	no := errors.As(a.Err, new(payments.RefundRefusal)) || errors.Is(a.Err, payments.ErrInvalidClient) ||
		errors.Is(a.Err, payments.ErrInvalidGrant)
	if no || a.Refused {
		out.err = nil
	}
	switch {
	case a.Refused:
		out.outcome = refused
	case a.Status == 0:
		out.outcome, out.err = unanswered, aborted{}
	case a.Joined:
		out.outcome = "joined"
	case a.Repeated:
		out.outcome = "replayed"
	case no:
		out.outcome = declined
	case a.Err != nil:
		out.outcome = failed
	default:
		out.outcome = ran
	}
	if a.Refused || a.Call == payments.CallRefresh { // its ids are not verified
		out.more = nil
		return out
	}
	if a.OrderID != 0 {
		out.more = append(out.more, attribute.Int64("commerce.order.id", int64(a.OrderID)))
	}
	if a.PaymentAttemptID != "" {
		out.more = append(out.more, text("commerce.payments.attempt.id", string(a.PaymentAttemptID)))
	}
	if a.TransactionID != [16]byte{} {
		out.more = append(out.more, attribute.String("commerce.payments.transaction.id", a.TransactionID.String()))
	}
	return out
}
