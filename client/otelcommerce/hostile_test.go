package otelcommerce

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Texts that others write are short and UTF-8: an exporter rejects the whole batch of a span that is not.
func TestTextsOfOthers(t *testing.T) {
	for _, bad := range []string{"7\xff", strings.Repeat("ü", 1<<20), strings.Repeat("a", 199) + "ü"} {
		code := client.Code(bad)
		for name, a := range map[string]callbackAnswer{
			"key":     webhookAnswer(webhook.Answer{Key: bad}),
			"cart":    discountsAnswer(discounts.Answer{CartID: code}),
			"carrier": ratesAnswer(shipping.Answer{CarrierID: code}),
			"attempt": paymentsAnswer(payments.Answer{About: payments.About{PaymentAttemptID: code}}),
		} {
			for _, kv := range a.more {
				if got := kv.Value.String(); !utf8.ValidString(got) || len(got) > longestText+len("\uFFFD") || got == "" {
					t.Errorf("%s: %.20q of %d bytes", name, got, len(got))
				}
			}
			if len(a.more) != 1 {
				t.Errorf("%s: %d attributes", name, len(a.more))
			}
		}
	}
}

// Requests, runs and collections at the same time have a span each, and one count.
func TestConcurrentRequests(t *testing.T) {
	o := observe(t)
	h, w := &webhook.Handler{}, &webhook.Worker{}
	o.InstrumentWebhooks(h)
	o.InstrumentWorker(w)
	r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
	const requests = 100
	var all sync.WaitGroup
	for i := range requests {
		all.Go(func() {
			ctx := h.OnStarted(t.Context(), r)
			h.OnAnswered(ctx, webhook.Answer{Event: events[i%10], Status: 200, Outcome: webhook.OutcomeStored})
			l := webhook.Lease{Entry: webhook.Entry{Event: events[i%10], Trace: h.Trace(ctx)}, Attempt: 1}
			w.OnFinished(w.OnStarted(context.WithoutCancel(ctx), l), l, webhook.Result{})
			o.points()
		})
	}
	all.Wait()
	receipts, runs := 0.0, 0.0
	for _, p := range o.points() {
		switch p.metric {
		case "commerce.callback.duration":
			receipts += p.value
		case "messaging.process.duration":
			runs += p.value
		}
	}
	if len(o.spans.Ended()) != 2*requests || receipts != requests || runs != requests {
		t.Errorf("%d spans, %v requests, %v runs; want %d each", len(o.spans.Ended()), receipts, runs, requests)
	}
}
