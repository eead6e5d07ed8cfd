package rules

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A spoiled request is no rule and reaches no function, in little memory.
func TestSpoiledRequests(t *testing.T) {
	good := [][]byte{about(t, client.RuleDomainCart), about(t, client.RuleDomainLocation), about(t, client.RuleDomainPayments)}
	synctest.Test(t, func(t *testing.T) {
		calls, statuses := 0, map[int]int{}
		p := newProbe(t, func(h *Handler) {
			h.Payments = func(context.Context, *Request) ([]PaymentOption, error) { calls++; return nil, nil }
			h.Shipping = func(context.Context, *Request) ([]ShippingOption, error) { calls++; return nil, nil }
			h.Locations = func(_ context.Context, r *Request) (LocationOrder, error) { calls++; return r.First(), nil }
			h.Cart = func(context.Context, *Request) (Verdict, error) { calls++; return VerdictBlock, nil }
			h.OnAnswered = nil
		})
		reader := hostile.Reader{Read: func(body []byte) bool {
			calls = 0
			w := post(t.Context(), p, body)
			statuses[w.Code]++
			if w.Code != 204 && (w.Code != 200 || calls != 1) || calls > 1 {
				t.Errorf("%.100q: status %d, %d calls: %s", body, w.Code, calls, w.Body)
			}
			return calls > 0
		}}
		for _, body := range good {
			if !reader.Read(body) {
				t.Errorf("%s: refused as it is", body)
			}
		}
		all := reader.Play(t, hostile.Documents(hostile.OfHandler/2, good...))
		if all.Documents < hostile.OfHandler {
			t.Errorf("%d documents, want %d at least", all.Documents, hostile.OfHandler)
		}
		for _, f := range p.failures() {
			if len(f.Error()) > 600 {
				t.Errorf("reported in %d bytes: %.200s", len(f.Error()), f)
			}
		}
		t.Logf("%v; statuses %v", all, statuses)
	})
}

func TestSpoiledRecords(t *testing.T) {
	hostile.Records(t, map[string]any{"business_rule": &Request{}, "business_rule_location": &Request{}},
		func(name string) []byte { return document(t, name) })
}
