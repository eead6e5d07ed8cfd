package rules

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hooktest"
)

// Each request has one OnStarted and one OnAnswered, whose contexts have the same values, whatever becomes of it.
func TestHooks(t *testing.T) {
	fails := errors.New("fails")
	for _, test := range []struct {
		name    string
		cart    func() error
		change  func(h *Handler, r *http.Request)
		status  int
		ran     bool
		refused bool
		seen    []string
	}{
		{"a rule", func() error { return nil }, nil, 200, true, false, []string{"rule"}},
		{"fails", func() error { return fails }, nil, 204, true, false, []string{"rule", "OnFailure"}},
		{"panics", func() error { panic("no") }, nil, 204, true, false, []string{"rule", "OnFailure"}},
		{"late, and fails later", func() error { time.Sleep(time.Minute); return fails }, nil, 204, true, false,
			[]string{"rule", "OnFailure", "OnFailure"}},
		{"no request", nil, func(_ *Handler, r *http.Request) { r.Body = http.NoBody }, 204, false, false, []string{"OnFailure"}},
		{"broken off", nil, func(_ *Handler, r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(fails)) },
			204, false, false, []string{"OnFailure"}},
		{"another method", nil, func(_ *Handler, r *http.Request) { r.Method = http.MethodGet }, 405, false, true, []string{"OnRefused"}},
		{"a stranger", nil, func(h *Handler, _ *http.Request) { h.Guarded, h.Sources = false, &client.Sources{} },
			403, false, true, []string{"OnRefused"}},
		{"misconfigured", nil, func(h *Handler, _ *http.Request) { h.Guarded = false }, 204, false, false, []string{"OnFailure"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &hooktest.Spans{T: t}
				var answers []Answer
				p := newProbe(t, func(h *Handler) {
					h.Cart = func(ctx context.Context, _ *Request) (Verdict, error) {
						s.See(ctx, "rule")
						return VerdictBlock, test.cart()
					}
					h.OnStarted = s.Started
					h.OnAnswered = func(ctx context.Context, a Answer) { s.End(ctx); answers = append(answers, a) }
					h.OnFailure = func(ctx context.Context, _ *Failure) { s.See(ctx, "OnFailure") }
					h.OnRefused = func(ctx context.Context, _ client.Refused) { s.See(ctx, "OnRefused") }
				})
				r, w := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/rules", nil), httptest.NewRecorder()
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(about(t, DomainCart))), -1
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
			})
		})
	}
}

// A body that panics as it is read aborts the request, and OnAnswered still ends the span. Hooks that panic lose no
// answer.
func TestHooksAndPanics(t *testing.T) {
	s := &hooktest.Spans{T: t}
	p := newProbe(t, func(h *Handler) {
		h.OnStarted = s.Started
		h.OnAnswered = func(ctx context.Context, a Answer) {
			s.End(ctx)
			if a.Status != 0 {
				t.Errorf("got %+v, want status 0", a)
			}
		}
	})
	r := httptest.NewRequest(http.MethodPost, "/rules", io.NopCloser(panics{}))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		p.ServeHTTP(httptest.NewRecorder(), r)
	}()
	s.Check(1)

	p = newProbe(t, func(h *Handler) {
		h.OnStarted = func(context.Context, *http.Request) context.Context { panic("no tracer") }
		h.OnAnswered = func(context.Context, Answer) { panic("no meter") }
	})
	if w := post(t.Context(), p, about(t, DomainCart)); w.Code != 200 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic(http.ErrAbortHandler) }
