package otelcommerce

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"testing"

	"go.opentelemetry.io/otel/codes"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// What came of a request: the outcome, whether it is an error, and its class.
func TestCallbackAnswers(t *testing.T) {
	failure := errors.New("failed")
	gone := &client.Error{Status: 404}
	type (
		delivery = webhook.Answer
		cart     = discounts.Answer
		rates    = shipping.Answer
		labels   = shipping.LabelAnswer
		payment  = payments.Answer
	)
	for name, test := range map[string]struct {
		got  callbackAnswer
		want string // outcome and class
	}{
		"webhook stored": {webhookAnswer(delivery{Status: 200, Outcome: webhook.OutcomeStored}), "stored "},
		"webhook failed": {webhookAnswer(delivery{Status: 503, Outcome: webhook.OutcomeFailed, Err: webhook.ErrFull}),
			"failed full"},
		"webhook refused": {webhookAnswer(delivery{Status: 401, Outcome: webhook.OutcomeRefused, Err: failure}),
			"refused "},
		"webhook panicked": {webhookAnswer(delivery{}), "unanswered panic"},
		"webhook newer":    {webhookAnswer(delivery{Status: 200, Outcome: "newer"}), "_OTHER "},
		"cart ran":         {discountsAnswer(cart{Status: 200, Ran: true}), "ran "},
		"cart late":        {discountsAnswer(cart{Status: 204, Err: discounts.ErrLate, Ran: true}), "failed late"},
		"cart remembered":  {discountsAnswer(cart{Status: 200, Remembered: true}), "remembered "},
		"cart uninstalled": {discountsAnswer(cart{Status: discounts.StatusUninstalled}), "uninstalled "},
		"cart refused":     {discountsAnswer(cart{Status: 403, Refused: true, Err: failure}), "refused "},
		"cart panicked":    {discountsAnswer(cart{}), "unanswered panic"},
		"rule ran":         {rulesAnswer(rules.Answer{Status: 204, Ran: true}), "ran "},
		"rule late":        {rulesAnswer(rules.Answer{Status: 204, Err: rules.ErrLate, Ran: true}), "failed late"},
		"rule refused":     {rulesAnswer(rules.Answer{Status: 403, Refused: true, Err: failure}), "refused "},
		"rule panicked":    {rulesAnswer(rules.Answer{}), "unanswered panic"},
		"rates called":     {ratesAnswer(rates{Status: 200, Source: shipping.SourceCalled}), "called "},
		"rates stale":      {ratesAnswer(rates{Status: 200, Source: shipping.SourceStale, Err: gone}), "stale 404"},
		"rates none": {ratesAnswer(rates{Status: 503, Source: shipping.SourceNobody, Err: shipping.ErrUpstream}),
			"failed circuit_open"},
		"rates no coverage": {ratesAnswer(rates{Status: 422, Source: shipping.SourceCalled, Err: shipping.ErrNoCoverage}),
			"declined "},
		"rates declined":    {ratesAnswer(rates{Status: 409, Err: fmt.Errorf("x: %w", &shipping.Refusal{})}), "declined "},
		"rates refused":     {ratesAnswer(rates{Status: 403, Refused: true, Err: failure}), "refused "},
		"rates panicked":    {ratesAnswer(rates{}), "unanswered panic"},
		"labels ran":        {labelsAnswer(labels{Status: 202, Ran: true}), "ran "},
		"labels failed":     {labelsAnswer(labels{Status: 503, Err: shipping.ErrBusy}), "failed busy"},
		"labels in part":    {labelsAnswer(labels{Status: 207, Failed: 1}), "declined "},
		"labels unanswered": {labelsAnswer(labels{Err: shipping.ErrLate}), "unanswered late"},
		"labels panicked":   {labelsAnswer(labels{}), "unanswered panic"},
		"labels refused":    {labelsAnswer(labels{Status: 404, Refused: true, Err: failure}), "refused "},
		"payment ran":       {paymentsAnswer(payment{Status: 201, Ran: true}), "ran "},
		"payment joined":    {paymentsAnswer(payment{Status: 201, Joined: true, Repeated: true}), "joined "},
		"payment replayed": {paymentsAnswer(payment{Status: 422, Repeated: true, Err: payments.RefundRefusalTooOld}),
			"replayed "},
		"payment declined": {paymentsAnswer(payment{Status: 422, Ran: true, Err: payments.RefundRefusalTooOld}),
			"declined "},
		"payment failed":   {paymentsAnswer(payment{Status: 503, Err: payments.ErrInProgress}), "failed in_progress"},
		"payment refused":  {paymentsAnswer(payment{Status: 401, Refused: true, Err: failure}), "refused "},
		"payment panicked": {paymentsAnswer(payment{}), "unanswered panic"},
		"refresh of another": {paymentsAnswer(payment{Status: 401, Ran: true, Err: payments.ErrInvalidClient}),
			"declined "},
	} {
		class := ""
		if test.got.err != nil {
			class = classOf(test.got.err)
		}
		if got := test.got.outcome + " " + class; got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// Nothing that a stranger writes becomes a part of a series or a span: neither a path nor an event, and no id of a call
// that is not signed.
func TestStrangersMakeNoSeries(t *testing.T) {
	about := payments.About{StoreID: 1, OrderID: 2, PaymentAttemptID: "a", TransactionID: [16]byte{1}}
	for name, a := range map[string]callbackAnswer{
		"labels":  labelsAnswer(shipping.LabelAnswer{Status: 404, Action: "6666-token", Refused: true}),
		"event":   webhookAnswer(webhook.Answer{Status: 200, Event: "order/6666"}),
		"tier":    discountsAnswer(discounts.Answer{Status: 204, Tier: "6666"}),
		"domain":  rulesAnswer(rules.Answer{Status: 204, Domain: "6666"}),
		"refused": paymentsAnswer(payments.Answer{About: about, Status: 401, Refused: true}),
		"refresh": paymentsAnswer(payments.Answer{Call: payments.CallRefresh, About: about, Status: 200}),
	} {
		if a.about != "" && a.about != otherType && a.about != "refresh" || len(a.more) > 0 {
			t.Errorf("%s: %q, %v", name, a.about, a.more)
		}
	}
	for _, redaction := range []webhook.Answer{
		{Event: "customers/redact", Key: ":1:customers/redact:7"}, {Event: "customers/data_request", Key: "k"},
		{Event: "store/redact", Key: "k"},
	} {
		if more := webhookAnswer(redaction).more; len(more) > 0 {
			t.Errorf("a privacy request has %v", more)
		}
	}
}

// An answer that failed is an error without the text of it, and one that was refused or declined is none.
func TestCallbackStatus(t *testing.T) {
	o := observe(t)
	h := &discounts.Handler{}
	o.InstrumentDiscounts(h)
	for _, a := range []discounts.Answer{
		{Status: 204, Tier: promotions.TierLineItems, Err: errors.New("of ana@example.com")},
		{Status: 403, Refused: true, Err: errors.New("x")},
	} {
		h.OnAnswered(h.OnStarted(t.Context(), httptest.NewRequest("SPAM", "/", nil)), a)
	}
	bad, strangers := o.span("answer discounts line_item"), o.span("answer discounts")
	if bad.Status().Code != codes.Error || bad.Status().Description != "" || strangers.Status().Code != codes.Unset {
		t.Errorf("got %+v and %+v", bad.Status(), strangers.Status())
	}
	o.has(bad, "commerce.outcome=failed", "error.type=_OTHER", "http.response.status_code=204",
		"http.request.method=_OTHER")
	o.has(strangers, "commerce.outcome=refused", "error.type=")
	o.counts(
		"commerce.callback.duration{commerce.callback=discounts,commerce.discounts.tier=line_item,commerce.outcome=failed,"+
			"error.type=_OTHER,http.response.status_code=204} 1",
		"commerce.callback.limit.utilization{commerce.callback=discounts} 2",
	)
}
