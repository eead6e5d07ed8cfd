package res

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The types of events of a payment, and their outcomes.
const (
	authorization   = "authorization"
	capture         = "capture"
	expiration      = "expiration"
	inFraudAnalysis = "in_fraud_analysis"
	refund          = "refund"
	needsReview     = "needs_merchant_review"
	saleEvent       = "sale"
	void            = "void"

	success = "success"
	failure = "failure"
)

func eventTypes() []string {
	return []string{authorization, capture, expiration, inFraudAnalysis, refund, needsReview, saleEvent, void}
}

func eventStatuses() []string { return []string{"error", failure, "pending", success} }

// typesOf are the types that a payment method may report: all but expiration for
// cards that are credited, a sale and its ends for the others.
func typesOf(method string) []string {
	switch method {
	case "credit_card":
		return slices.DeleteFunc(eventTypes(), func(t string) bool { return t == expiration })
	case "boleto", "pix", "ticket":
		return []string{saleEvent, expiration, refund}
	}
	return []string{saleEvent, refund}
}

// TransactionStates is the table of a payment. An act is named by its type and its status, for example "sale success".
func TransactionStates() api.Machine[world.TransactionStatus] {
	type edge = api.Edge[world.TransactionStatus]
	const begun, pending, fraud, review = world.TransactionNew, world.TransactionPending, world.TransactionInFraudAnalysis, world.TransactionNeedsReview
	const authorized, paid, part, refunded = world.TransactionAuthorized, world.TransactionPaid, world.TransactionPartiallyRefunded, world.TransactionRefunded
	const voided, expired, failed = world.TransactionVoided, world.TransactionExpired, world.TransactionFailed
	m := api.Machine[world.TransactionStatus]{
		Name:    "transaction",
		Initial: begun,
		States:  []world.TransactionStatus{begun, pending, fraud, review, authorized, paid, part, refunded, voided, expired, failed},
	}
	// on adds what a type does: the status it leads to, while it is pending, and if
	// it comes to nothing.
	on := func(from world.TransactionStatus, kind string, done, waiting, refused world.TransactionStatus) {
		m.Edges = append(m.Edges,
			edge{From: from, On: kind + " " + success, To: done}, edge{From: from, On: kind + " pending", To: waiting},
			edge{From: from, On: kind + " " + failure, To: refused}, edge{From: from, On: kind + " error", To: refused})
	}
	for _, from := range []world.TransactionStatus{begun, pending, fraud, review} {
		on(from, authorization, authorized, pending, failed)
		on(from, saleEvent, paid, pending, failed)
		on(from, inFraudAnalysis, fraud, fraud, failed)
		on(from, needsReview, review, review, failed)
	}
	on(pending, expiration, expired, pending, pending)
	for _, from := range []world.TransactionStatus{pending, fraud, review, authorized} {
		on(from, void, voided, from, from)
	}
	on(authorized, inFraudAnalysis, fraud, fraud, failed)
	on(authorized, needsReview, review, review, failed)
	for _, from := range []world.TransactionStatus{fraud, review, authorized, paid} {
		on(from, capture, paid, from, from)
	}
	for _, from := range []world.TransactionStatus{paid, part} {
		m.Edges = append(m.Edges,
			edge{From: from, On: refund + " " + success, To: refunded, When: "all that was captured is refunded"},
			edge{From: from, On: refund + " " + success, To: part, When: "something is left"})
		for _, status := range []string{"pending", failure, "error"} {
			m.Edges = append(m.Edges, edge{From: from, On: refund + " " + status, To: from})
		}
	}
	return m
}

// happen is the transaction after something happened to it. It says why not
// otherwise: in an order that the table does not have, or with more money than
// there is.
func happen(t world.Transaction, e world.TransactionEvent) (world.Transaction, string) {
	to := TransactionStates().Next(t.Status, e.Type+" "+e.Status)
	if len(to) == 0 {
		return t, wrongEvent
	}
	if refusal := tooMuch(t, e); refusal != "" {
		return t, refusal
	}
	t.Events, t.Status = append(slices.Clone(t.Events), e), to[0]
	if e.Status == failure {
		t.FailureCode = e.FailureCode
	}
	if e.Status != success {
		return t, ""
	}
	switch e.Type {
	case authorization: // again after a review, of the same money
		t.Authorized = e.Amount
	case saleEvent, capture:
		t.Captured = t.Captured.Add(e.Amount)
	case void:
		t.Voided = t.Voided.Add(e.Amount)
	case refund:
		if t.Refunded = t.Refunded.Add(e.Amount); t.Refunded.LessThan(t.Captured) {
			t.Status = world.TransactionPartiallyRefunded
		}
	}
	return t, ""
}

// tooMuch says why an event cannot have its amount. Only one that moves money, or is about to, has a limit.
func tooMuch(t world.Transaction, e world.TransactionEvent) string {
	if e.Status != success && e.Status != "pending" {
		return ""
	}
	most, refusal := e.Amount, moreThanBegun
	if len(t.Events) > 0 {
		most = t.Events[0].Amount
	}
	if t.Authorized.IsPositive() {
		most, refusal = t.Authorized, moreThanAuthorized
	}
	switch e.Type {
	case authorization, saleEvent:
	case capture:
		most, refusal = t.Authorized.Sub(t.Captured), moreThanAuthorized
	case void:
		most = most.Sub(t.Voided)
	case refund:
		most, refusal = t.Captured.Sub(t.Refunded), moreThanCaptured
	default:
		return ""
	}
	if e.Status == "pending" && (e.Type == capture || e.Type == void || e.Type == refund) {
		most = most.Sub(inProgress(t, e.Type))
	}
	if e.Amount.GreaterThan(most) {
		return refusal
	}
	return ""
}

// inProgress is the sum of the pending events of a type. Each ends with the next event of its amount.
func inProgress(t world.Transaction, kind string) decimal.Decimal {
	var open []decimal.Decimal
	for _, e := range t.Events {
		i := slices.IndexFunc(open, e.Amount.Equal)
		switch {
		case e.Type != kind:
		case e.Status == "pending":
			open = append(open, e.Amount)
		case i >= 0:
			open = slices.Delete(open, i, i+1)
		}
	}
	return decimal.Sum(decimal.Zero, open...)
}

// sums are what the transactions of an order come to.
type sums struct {
	captured, refunded          decimal.Decimal
	fees, discounted            decimal.Decimal
	authorized, pending, voided bool
}

func sumsOf(all []world.Transaction) sums {
	var out sums
	for _, t := range all {
		out.captured, out.refunded = out.captured.Add(t.Captured), out.refunded.Add(t.Refunded)
		if t.Captured.IsPositive() {
			out.fees, out.discounted = out.fees.Add(t.Fees), out.discounted.Add(t.Discounted)
		}
		switch t.Status {
		case world.TransactionAuthorized:
			out.authorized = true
		case world.TransactionPending, world.TransactionInFraudAnalysis, world.TransactionNeedsReview:
			out.pending = true
		case world.TransactionVoided:
			out.voided = true
		}
	}
	return out
}

// status is the payment status of an order with this total. The discount of a provider need not be captured.
func (s sums) status(total decimal.Decimal) string {
	switch {
	case s.refunded.IsPositive() && !s.refunded.LessThan(s.captured):
		return paymentRefunded
	case s.refunded.IsPositive():
		return paymentPartiallyRefunded
	case s.captured.IsPositive() && !s.captured.Add(s.discounted).LessThan(total):
		return paymentPaid
	case s.captured.IsPositive():
		return paymentPartiallyPaid
	case s.authorized:
		return paymentAuthorized
	case s.voided && !s.pending:
		return paymentVoided
	}
	return paymentPending
}
