package rules

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Each function makes the command of its domain. What must not be sent is no rule, and reported.
func TestHandlerAnswers(t *testing.T) {
	fails := errors.New("fails")
	payments := func(hide ...PaymentOption) func(*Handler) {
		return func(h *Handler) {
			h.Payments = func(context.Context, *Request) ([]PaymentOption, error) { return hide, nil }
		}
	}
	shipping := func(hide ...ShippingOption) func(*Handler) {
		return func(h *Handler) {
			h.Shipping = func(context.Context, *Request) ([]ShippingOption, error) { return hide, nil }
		}
	}
	locations := func(order func(*Request) LocationOrder) func(*Handler) {
		return func(h *Handler) {
			h.Locations = func(_ context.Context, r *Request) (LocationOrder, error) { return order(r), nil }
		}
	}
	fixed := func(o LocationOrder) func(*Request) LocationOrder { return func(*Request) LocationOrder { return o } }
	cart := func(v Verdict, err error) func(*Handler) {
		return func(h *Handler) { h.Cart = func(context.Context, *Request) (Verdict, error) { return v, err } }
	}
	card, cash := PaymentOption{"acme", "card_1"}, PaymentOption{"acme", "cash"}
	for _, v := range []struct {
		name   string
		domain client.RuleDomain
		set    func(*Handler)
		body   string // of the answer; empty is 204
		err    error
		says   string
	}{
		{"payments", client.RuleDomainPayments, payments(card, cash, card),
			`{"command":"filter_payments_options","detail":{"filtered_options":[{"id":"acme","option_id":"card_1"},{"id":"acme","option_id":"cash"}]}}`, nil, ""},
		{"nothing to hide", client.RuleDomainPayments, payments(), "", nil, ""},
		{"an option without a provider", client.RuleDomainPayments, payments(card, PaymentOption{OptionID: "cash"}), "", ErrInvalid,
			"option 1: ProviderID: "},
		{"an option without an id", client.RuleDomainPayments, payments(PaymentOption{ProviderID: "acme"}), "", ErrInvalid,
			"option 0: OptionID: "},
		{"an id that is no text", client.RuleDomainPayments, payments(PaymentOption{"acme", "\xff"}), "", ErrInvalid, "OptionID"},
		{"shipping", client.RuleDomainShipping, shipping(ShippingOption{"12", "34", "standard"}),
			`{"command":"filter_shipping_options","detail":{"filtered_options":[{"id":"12","option_id":"34","code":"standard"}]}}`, nil, ""},
		{"an option without a code", client.RuleDomainShipping, shipping(ShippingOption{"12", "34", ""}), "", ErrInvalid,
			"option 0: Code: "},
		{"first", client.RuleDomainLocation, locations(func(r *Request) LocationOrder { return r.First(second) }),
			`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","priority":0},{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6P","priority":1}]}}`, nil, ""},
		{"the merchant's", client.RuleDomainLocation, locations(func(r *Request) LocationOrder { return r.First() }),
			`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6P","priority":0},{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","priority":1}]}}`, nil, ""},
		{"only", client.RuleDomainLocation, locations(fixed(Only(second))),
			`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","priority":0}]}}`, nil, ""},
		{"no order", client.RuleDomainLocation, locations(fixed(LocationOrder{})), "", nil, ""},
		{"an empty order", client.RuleDomainLocation, locations(fixed(Only())), "", ErrInvalid,
			"leaves no location to ship from: return Nowhere()"},
		{"nowhere", client.RuleDomainLocation, locations(fixed(Nowhere())),
			`{"command":"location_prioritization","detail":{"location_prioritization":[]}}`, nil, ""},
		{"a location of another store", client.RuleDomainLocation, locations(fixed(Only(ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV")))), "", ErrInvalid,
			"location 01ARZ3NDEKTSV4RRFFQ69G5FAV is not one of the request's 2"},
		{"a location twice", client.RuleDomainLocation, locations(fixed(Only(first, first))), "", ErrInvalid, "twice"},
		{"block", client.RuleDomainCart, cart(VerdictBlock, nil), `{"command":"block_checkout","detail":{}}`, nil, ""},
		{"allow", client.RuleDomainCart, cart(VerdictAllow, nil), "", nil, ""},
		{"neither", client.RuleDomainCart, cart(7, nil), "", ErrInvalid, "Verdict 7"},
		{"fails", client.RuleDomainCart, cart(VerdictBlock, fails), "", fails, "fails"},
		{"another domain", client.RuleDomainPayments, cart(VerdictBlock, nil), "", nil, ""},
	} {
		p := newProbe(t, v.set)
		w := post(t.Context(), p, about(t, v.domain))
		status := http.StatusNoContent
		if v.body != "" {
			status = http.StatusOK
		}
		if w.Code != status || w.Body.String() != v.body {
			t.Errorf("%s: got %d %s, want %d %s", v.name, w.Code, w.Body, status, v.body)
		}
		if v.body != "" && w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: Content-Type %s", v.name, w.Header().Get("Content-Type"))
		}
		a, failed := p.last(), p.failures()
		if a.Status != status || a.StoreID != 1001 || a.CartID == "" || a.Domain != v.domain ||
			a.Ran != (v.name != "another domain") ||
			(a.Command != "") != (v.body != "") || a.Took <= 0 || !errors.Is(a.Err, v.err) {
			t.Errorf("%s: %+v", v.name, a)
		}
		if (len(failed) == 1) != (v.err != nil) || len(failed) == 1 && (!errors.Is(failed[0], v.err) ||
			!strings.Contains(failed[0].Error(), v.says) ||
			failed[0].StoreID != 1001 || failed[0].Domain != v.domain || !strings.HasPrefix(failed[0].Error(),
			"rules: "+string(v.domain)+" of cart 7700")) {
			t.Errorf("%s: reported %v, want %v: %s", v.name, failed, v.err, v.says)
		}
	}
}

// A function that fails after its answer is reported too, and a function may change its request at any time.
func TestHandlerReportsWhatComesLater(t *testing.T) {
	fails := errors.New("fails")
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, func(h *Handler) {
			h.Cart = func(_ context.Context, r *Request) (Verdict, error) {
				time.Sleep(time.Second)
				r.StoreID, r.CartID = 0, "changed"
				return 0, fails
			}
		})
		if w := post(t.Context(), p, about(t, client.RuleDomainCart)); w.Code != 204 {
			t.Errorf("got %d", w.Code)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		failed := p.failures()
		if len(failed) != 2 || !errors.Is(failed[0], ErrLate) || !errors.Is(failed[1], fails) ||
			failed[1].StoreID != 1001 || failed[1].CartID != "77001" {
			t.Errorf("reported %v", failed)
		}
	})
}

func TestCheck(t *testing.T) {
	for _, v := range []struct {
		change func(*Handler)
		want   string
	}{
		{func(*Handler) {}, ""},
		{func(h *Handler) { h.Cart = nil }, "no function"},
		{func(h *Handler) { h.Guarded = false }, "anyone could call"},
		{func(h *Handler) { h.Sources = &client.Sources{} }, "Guarded must not be set together with Sources"},
		{func(h *Handler) { h.Budget = AnswerTime }, "Budget is 800ms"},
	} {
		h := &Handler{Cart: blocks, Guarded: true}
		v.change(h)
		if err := h.Check(); (err == nil) != (v.want == "") || err != nil && !strings.Contains(err.Error(), v.want) {
			t.Errorf("got %v, want %q", err, v.want)
		}
	}
	var failed []*Failure
	h := &Handler{OnFailure: func(_ context.Context, f *Failure) { failed = append(failed, f) }}
	for range 2 {
		if w := post(t.Context(), h, about(t, client.RuleDomainCart)); w.Code != 204 {
			t.Errorf("misconfigured: got %d", w.Code)
		}
	}
	if len(failed) != 1 || failed[0].Error() == "" || failed[0].Domain != "" {
		t.Errorf("misconfigured: reported %v, want it once", failed)
	}
}

// Rules compute, so they are protected from each other. No answer to a purchase is an error, whatever is wrong.
func TestRowOfRules(t *testing.T) {
	p := newProbe(t, func(h *Handler) {
		h.Budget, h.ReadTime, h.MaxBody, h.MaxReceiving, h.MaxRuns = MinBudget, time.Millisecond, 10, 20, 1
	})
	k := p.row()
	want := callback.Limits{Budget: MinBudget, ReadTime: time.Millisecond, MaxBody: 10, MaxReceiving: 20, MaxRuns: 1}
	if k.Name != "rules" || !k.Processors || k.Limits != want || k.Throttle != nil {
		t.Errorf("got %+v", k)
	}
	if k.Full != 204 || k.Misconfigured != 204 || k.Malformed != 204 || k.Unread(ErrBusy) != 204 {
		t.Errorf("full %d, misconfigured %d, malformed %d; want 204", k.Full, k.Misconfigured, k.Malformed)
	}
	p.OnFailure = nil // then failures are logged, seldom
	if k := p.row(); k.Throttle(&received{answer: Answer{StoreID: 7}}) != "7" || !slices.Equal(k.Kinds,
		[]error{ErrInvalid}) {
		t.Errorf("throttled by %v", k.Kinds)
	}
}

// Without a place, the function is not called.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, func(h *Handler) {
			h.MaxRuns = 1
			h.Cart = func(context.Context, *Request) (Verdict, error) { time.Sleep(time.Second); return VerdictBlock, nil }
		})
		for range 2 {
			post(t.Context(), p, about(t, client.RuleDomainCart))
		}
		if a := p.last(); a.Ran || !errors.Is(a.Err, ErrBusy) {
			t.Errorf("got %+v", a)
		}
		time.Sleep(time.Minute)
	})
}
