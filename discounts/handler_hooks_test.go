package discounts

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hooktest"
)

// Each request has one OnStarted and one OnAnswered, whose contexts have the same values, whatever becomes of it.
func TestHooks(t *testing.T) {
	body := readCorpus(t).Carts["line_item"]
	fails := errors.New("fails")
	for _, test := range []struct {
		name    string
		plan    func() error
		change  func(h *Handler, r *http.Request)
		status  int
		ran     bool
		refused bool
		seen    []string
	}{
		{"planned", func() error { return nil }, nil, 200, true, false, []string{"plan"}},
		{"fails", func() error { return fails }, nil, 204, true, false, []string{"plan", "OnFailure"}},
		{"panics", func() error { panic("no") }, nil, 204, true, false, []string{"plan", "OnFailure"}},
		{"leaves its goroutine", func() error { runtime.Goexit(); return nil }, nil, 204, true, false, []string{"plan", "OnFailure"}},
		{"late, and fails later", func() error { time.Sleep(time.Minute); return fails }, nil, 204, true, false,
			[]string{"plan", "OnFailure", "OnFailure"}},
		{"no promotions", nil, func(h *Handler, _ *http.Request) {
			h.Registry = &Registry{Load: func(context.Context, client.ID) ([]Promotion, error) { return nil, fails }}
		}, 204, false, false, []string{"OnFailure"}},
		{"no cart", nil, func(_ *Handler, r *http.Request) { r.Body = http.NoBody },
			204, false, false, []string{"OnFailure"}},
		{"broken off", nil, func(_ *Handler, r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(fails)) },
			204, false, false,
			[]string{"OnFailure"}},
		{"the platform has gone", func() error { time.Sleep(time.Second); return nil }, func(_ *Handler, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			time.AfterFunc(time.Millisecond, cancel)
			*r = *r.WithContext(ctx)
		}, 204, true, false, []string{"plan", "OnFailure"}},
		{"another method", nil, func(_ *Handler, r *http.Request) { r.Method = http.MethodGet },
			405, false, true, []string{"OnRefused"}},
		{"a stranger", nil, func(h *Handler, _ *http.Request) { h.Guarded, h.Secrets = false, []client.Secret{"0123456789abcdef"} },
			403, false, true, []string{"OnRefused"}},
		{"misconfigured", nil, func(h *Handler, _ *http.Request) { h.Guarded = false },
			204, false, false, []string{"OnFailure"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &hooktest.Spans{T: t}
				p := newProbe(t, Plans{LineItems: func(ctx context.Context, _ *LinePlan) error {
					s.See(ctx, "plan")
					return test.plan()
				}}, nil)
				var answers []Answer
				p.OnStarted = s.Started
				p.OnAnswered = func(ctx context.Context, a Answer) { s.End(ctx); answers = append(answers, a) }
				p.OnFailure = func(ctx context.Context, _ *Failure) { s.See(ctx, "OnFailure") }
				p.OnRefused = func(ctx context.Context, _ client.Refused) { s.See(ctx, "OnRefused") }
				r, w := request(t.Context(), body), httptest.NewRecorder()
				if test.change != nil {
					test.change(p.Handler, r)
				}
				p.ServeHTTP(w, r)
				time.Sleep(time.Hour)
				synctest.Wait()
				s.Check(1, test.seen...)
				a := answers[0]
				if w.Code != test.status || a.Status != test.status || a.Ran != test.ran || a.Refused != test.refused ||
					(a.Err == nil) != (test.status == 200) {
					t.Errorf("got %d and %+v", w.Code, a)
				}
				if test.ran && (a.StoreID == 0 || a.CartID == "" || a.Tier != TierLineItems) {
					t.Errorf("whose cart? %+v", a)
				}
			})
		})
	}
}

// A body that panics as it is read aborts the request, and OnAnswered still ends the span. Hooks that panic lose no
// answer.
func TestHooksAndPanics(t *testing.T) {
	body := readCorpus(t).Carts["line_item"]
	s := &hooktest.Spans{T: t}
	p := newProbe(t, Plans{LineItems: nothing}, nil)
	p.OnStarted = s.Started
	p.OnAnswered = func(ctx context.Context, a Answer) {
		s.End(ctx)
		if a.Status != 0 {
			t.Errorf("got %+v, want status 0", a)
		}
	}
	r := request(t.Context(), body)
	r.Body = io.NopCloser(panics{})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		p.ServeHTTP(httptest.NewRecorder(), r)
	}()
	s.Check(1)

	p = newProbe(t, Plans{LineItems: nothing}, nil)
	p.OnStarted = func(context.Context, *http.Request) context.Context { panic("no tracer") }
	p.OnAnswered = func(context.Context, Answer) { panic("no meter") }
	w := httptest.NewRecorder()
	if p.ServeHTTP(w, request(t.Context(), body)); w.Code != 200 || w.Body.String() != removesLine {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic(http.ErrAbortHandler) }
