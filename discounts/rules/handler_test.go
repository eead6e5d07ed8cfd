package rules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
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
		domain Domain
		set    func(*Handler)
		body   string // of the answer; empty is 204
		err    error
		says   string
	}{
		{"payments", DomainPayments, payments(card, cash, card),
			`{"command":"filter_payments_options","detail":{"filtered_options":[{"id":"acme","option_id":"card_1"},{"id":"acme","option_id":"cash"}]}}`, nil, ""},
		{"nothing to hide", DomainPayments, payments(), "", nil, ""},
		{"an option without a provider", DomainPayments, payments(card, PaymentOption{OptionID: "cash"}), "", ErrInvalid, "option 1: ProviderID: "},
		{"an option without an id", DomainPayments, payments(PaymentOption{ProviderID: "acme"}), "", ErrInvalid, "option 0: OptionID: "},
		{"an id that is no text", DomainPayments, payments(PaymentOption{"acme", "\xff"}), "", ErrInvalid, "OptionID"},
		{"shipping", DomainShipping, shipping(ShippingOption{"12", "34", "standard"}),
			`{"command":"filter_shipping_options","detail":{"filtered_options":[{"id":"12","option_id":"34","code":"standard"}]}}`, nil, ""},
		{"an option without a code", DomainShipping, shipping(ShippingOption{"12", "34", ""}), "", ErrInvalid, "option 0: Code: "},
		{"first", DomainLocation, locations(func(r *Request) LocationOrder { return r.First(second) }),
			`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","priority":0},{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6P","priority":1}]}}`, nil, ""},
		{"the merchant's", DomainLocation, locations(func(r *Request) LocationOrder { return r.First() }),
			`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6P","priority":0},{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","priority":1}]}}`, nil, ""},
		{"only", DomainLocation, locations(fixed(Only(second))),
			`{"command":"location_prioritization","detail":{"location_prioritization":[{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","priority":0}]}}`, nil, ""},
		{"no order", DomainLocation, locations(fixed(LocationOrder{})), "", nil, ""},
		{"an empty order", DomainLocation, locations(fixed(Only())), "", ErrInvalid, "leaves no location to ship from: return Nowhere()"},
		{"nowhere", DomainLocation, locations(fixed(Nowhere())),
			`{"command":"location_prioritization","detail":{"location_prioritization":[]}}`, nil, ""},
		{"a location of another store", DomainLocation, locations(fixed(Only(ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV")))), "", ErrInvalid,
			"location 01ARZ3NDEKTSV4RRFFQ69G5FAV is not one of the request's 2"},
		{"a location twice", DomainLocation, locations(fixed(Only(first, first))), "", ErrInvalid, "twice"},
		{"block", DomainCart, cart(VerdictBlock, nil), `{"command":"block_checkout","detail":{}}`, nil, ""},
		{"allow", DomainCart, cart(VerdictAllow, nil), "", nil, ""},
		{"neither", DomainCart, cart(7, nil), "", ErrInvalid, "Verdict 7"},
		{"fails", DomainCart, cart(VerdictBlock, fails), "", fails, "fails"},
		{"another domain", DomainPayments, cart(VerdictBlock, nil), "", nil, ""},
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
		if a.Status != status || a.StoreID != 1001 || a.CartID == "" || a.Domain != v.domain || a.Ran != (v.name != "another domain") ||
			(a.Command != "") != (v.body != "") || a.Took <= 0 || !errors.Is(a.Err, v.err) {
			t.Errorf("%s: %+v", v.name, a)
		}
		if (len(failed) == 1) != (v.err != nil) || len(failed) == 1 && (!errors.Is(failed[0], v.err) || !strings.Contains(failed[0].Error(), v.says) ||
			failed[0].StoreID != 1001 || failed[0].Domain != v.domain || !strings.HasPrefix(failed[0].Error(), "rules: "+string(v.domain)+" of cart 7700")) {
			t.Errorf("%s: reported %v, want %v: %s", v.name, failed, v.err, v.says)
		}
	}
}

// The platform waits 800 ms. Whatever a function does, the answer is there before.
func TestHandlerIsNeverLate(t *testing.T) {
	for _, v := range []struct {
		name   string
		budget time.Duration
		cart   func(ctx context.Context, end <-chan struct{}) (Verdict, error)
		want   string // status and time
		err    error
	}{
		{"in time", 0, func(context.Context, <-chan struct{}) (Verdict, error) {
			time.Sleep(599 * time.Millisecond)
			return VerdictBlock, nil
		}, "200 599ms", nil},
		{"ignores its context", 0, func(_ context.Context, end <-chan struct{}) (Verdict, error) { <-end; return VerdictBlock, nil }, "204 600ms", ErrLate},
		{"obeys its context", 0, func(ctx context.Context, _ <-chan struct{}) (Verdict, error) { <-ctx.Done(); return 0, ctx.Err() }, "204 600ms", ErrLate},
		{"wraps the end of its context", 0, func(ctx context.Context, _ <-chan struct{}) (Verdict, error) {
			<-ctx.Done()
			return 0, fmt.Errorf("upstream: %w", ctx.Err())
		}, "204 600ms", ErrLate},
		{"has more time", MaxBudget, func(context.Context, <-chan struct{}) (Verdict, error) {
			time.Sleep(699 * time.Millisecond)
			return VerdictBlock, nil
		}, "200 699ms", nil},
		{"has less", MinBudget, func(_ context.Context, end <-chan struct{}) (Verdict, error) { <-end; return VerdictBlock, nil }, "204 200ms", ErrLate},
		{"panics", 0, func(context.Context, <-chan struct{}) (Verdict, error) { panic("no") }, "204 0s", nil},
		{"ends its goroutine", 0, func(context.Context, <-chan struct{}) (Verdict, error) { runtime.Goexit(); return 0, nil }, "204 0s", callback.ErrExit},
	} {
		synctest.Test(t, func(t *testing.T) {
			end := make(chan struct{})
			p := newProbe(t, func(h *Handler) {
				h.Budget = v.budget
				h.Cart = func(ctx context.Context, _ *Request) (Verdict, error) { return v.cart(ctx, end) }
			})
			began := time.Now()
			w := post(t.Context(), p, about(t, DomainCart))
			if got := fmt.Sprint(w.Code, " ", time.Since(began)); got != v.want || time.Since(began) >= AnswerTime {
				t.Errorf("%s: got %s, want %s", v.name, got, v.want)
			}
			if n := p.server.Runs.Running(); v.err == ErrLate && strings.Contains(v.name, "ignores") && n != 1 {
				t.Errorf("%s: %d functions in progress, want the late one", v.name, n)
			}
			close(end)
			time.Sleep(time.Minute)
			synctest.Wait()
			failed := p.failures()
			if (len(failed) == 1) != (w.Code == 204) || v.err != nil && !errors.Is(failed[0], v.err) {
				t.Errorf("%s: reported %v, want %v once", v.name, failed, v.err)
			}
			if v.name == "panics" && (len(failed[0].Stack) == 0 || !strings.Contains(failed[0].Error(), "panic: no")) {
				t.Errorf("%s: %v without its stack", v.name, failed[0])
			}
			if n := p.server.Runs.Running(); n != 0 {
				t.Errorf("%s: %d functions are still in progress", v.name, n)
			}
		})
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
		if w := post(t.Context(), p, about(t, DomainCart)); w.Code != 204 {
			t.Errorf("got %d", w.Code)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		failed := p.failures()
		if len(failed) != 2 || !errors.Is(failed[0], ErrLate) || !errors.Is(failed[1], fails) || failed[1].StoreID != 1001 || failed[1].CartID != "77001" {
			t.Errorf("reported %v", failed)
		}
	})
}

// The platform that hangs up ends the function.
func TestFunctionEndsWithTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, func(h *Handler) {
			h.Cart = func(ctx context.Context, _ *Request) (Verdict, error) { <-ctx.Done(); return 0, ctx.Err() }
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		began := time.Now()
		post(ctx, p, about(t, DomainCart))
		synctest.Wait()
		if took := time.Since(began); took != 100*time.Millisecond || p.server.Runs.Running() != 0 || !errors.Is(p.last().Err, ErrLate) {
			t.Errorf("after %v: %+v", took, p.last())
		}
	})
}

// Functions in progress are bounded, and one store leaves room for others.
func TestHandlerAdmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		var calls atomic.Int32
		p := newProbe(t, func(h *Handler) {
			h.MaxRuns = 4
			h.Cart = func(context.Context, *Request) (Verdict, error) { calls.Add(1); <-end; return VerdictBlock, nil }
		})
		other := bytes.Replace(about(t, DomainCart), []byte(`"1001"`), []byte(`"2"`), 1)
		for _, body := range [][]byte{other, about(t, DomainCart), about(t, DomainCart), about(t, DomainCart)} {
			post(t.Context(), p, body)
		}
		if n := calls.Load(); n != 3 || !errors.Is(p.last().Err, ErrBusy) || p.last().Ran || p.last().Took > 10*time.Millisecond {
			t.Errorf("%d functions were called, and the last one was answered %+v, want ErrBusy for the third of one store", n, p.last())
		}
		close(end)
		synctest.Wait()
	})
}

// Requests of strangers are refused before their bodies are read.
func TestRefusedRequests(t *testing.T) {
	var sources client.Sources
	sources.Set(netip.MustParsePrefix("192.0.2.7/32"))
	for _, v := range []struct {
		name   string
		change func(*http.Request)
		status int
		reason client.RefusedReason
	}{
		{"the platform", func(*http.Request) {}, 200, ""},
		{"another method", func(r *http.Request) { r.Method = http.MethodGet }, 405, client.RefusedMethod},
		{"a stranger", func(r *http.Request) { r.RemoteAddr = "198.51.100.1:443" }, 403, client.RefusedAddress},
	} {
		var refused []client.Refused
		p := newProbe(t, func(h *Handler) {
			h.Guarded, h.Sources = false, &sources
			h.OnRefused = func(_ context.Context, r client.Refused) { refused = append(refused, r) }
		})
		r := httptest.NewRequest(http.MethodPost, "/rules", bytes.NewReader(about(t, DomainCart)))
		r.RemoteAddr = "192.0.2.7:443"
		v.change(r)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if w.Code != v.status || (len(refused) == 1) != (v.reason != "") || len(refused) == 1 && (refused[0].Reason != v.reason || refused[0].Handler != "rules") {
			t.Errorf("%s: got %d and %v", v.name, w.Code, refused)
		}
		if a := p.last(); a.Refused != (v.reason != "") || a.Status != v.status || len(p.failures()) > 0 {
			t.Errorf("%s: %+v", v.name, a)
		}
	}
}

// Bodies are bounded, one by one and together. What does not fit is no rule.
func TestBodiesAreBounded(t *testing.T) {
	p := newProbe(t, func(h *Handler) { h.MaxBody, h.MaxReceiving = 2048, 8192 })
	if w := post(t.Context(), p, append(about(t, DomainCart), bytes.Repeat([]byte(" "), 4096)...)); w.Code != 204 || !errors.Is(p.last().Err, ErrMalformed) {
		t.Errorf("a long body: got %d, %v", w.Code, p.last().Err)
	}
	if w := post(t.Context(), p, about(t, DomainCart)); w.Code != 200 {
		t.Errorf("the next one: got %d", w.Code)
	}
	var refused []client.Refused
	p = newProbe(t, func(h *Handler) {
		h.MaxBody, h.MaxReceiving = 2048, 4096
		h.OnRefused = func(_ context.Context, r client.Refused) { refused = append(refused, r) }
	})
	body, sender := io.Pipe() // of a request that is being received
	var other sync.WaitGroup
	other.Go(func() {
		p.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/rules", body))
	})
	if _, err := sender.Write([]byte("{")); err != nil {
		t.Fatal(err)
	}
	if w := post(t.Context(), p, about(t, DomainCart)); w.Code != 204 || len(refused) != 1 || refused[0].Reason != client.RefusedFull || !p.last().Refused {
		t.Errorf("too many bodies: got %d, %v", w.Code, refused)
	}
	_ = sender.Close()
	other.Wait()
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
		{func(h *Handler) { h.Budget = MinBudget - 1 }, "Budget is 199.999999ms"},
		{func(h *Handler) { h.Budget = AnswerTime }, "Budget is 800ms"},
		{func(h *Handler) { h.ReadTime = time.Second }, "ReadTime is 1s"},
		{func(h *Handler) { h.MaxBody = -1 }, "MaxBody is -1"},
		{func(h *Handler) { h.MaxReceiving = 1 }, "MaxReceiving is 1"},
		{func(h *Handler) { h.MaxRuns = -1 }, "MaxRuns is -1"},
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
		if w := post(t.Context(), h, about(t, DomainCart)); w.Code != 204 {
			t.Errorf("misconfigured: got %d", w.Code)
		}
	}
	if len(failed) != 1 || failed[0].Error() == "" || failed[0].Domain != "" {
		t.Errorf("misconfigured: reported %v, want it once", failed)
	}
}

// Rules compute, so they are protected from each other.
func TestRulesHaveProcessors(t *testing.T) {
	if h := newProbe(t, nil).Handler; !h.row().Processors {
		t.Error("the row of rules has no processors")
	}
}
