package payments

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hooktest"
)

const renewal = `{"grant_type":"refresh_token","client_id":"me","client_secret":"cnry_7f3a","refresh_token":"cnry_7f3b"}`

// Each call has one OnStarted and one OnAnswered, whose contexts have the same values, whatever becomes of it.
func TestHooks(t *testing.T) {
	keyOf()
	fails := errors.New("fails")
	for _, test := range []struct {
		name    string
		do      func() error
		change  func(h *RefundHandler, r *http.Request)
		want    Answer // its Status, Ran and Refused
		seen    []string
		refresh int // the status of a refresh, 0 if that is not tried
	}{
		{"succeeds", func() error { return nil }, nil, Answer{Status: 202, Ran: true}, []string{"function"}, 200},
		{"fails", func() error { return fails }, nil,
			Answer{Status: 503, Ran: true}, []string{"function", "OnFailure"}, 503},
		{"panics", func() error { panic("no") }, nil,
			Answer{Status: 503, Ran: true}, []string{"function", "OnFailure"}, 503},
		{"leaves its goroutine", func() error { runtime.Goexit(); return nil }, nil, Answer{Status: 503, Ran: true},
			[]string{"function", "OnFailure"}, 503},
		{"late, and fails later", func() error { time.Sleep(time.Minute); return fails }, nil,
			Answer{Status: 503, Ran: true},
			[]string{"function", "OnFailure", "OnFailure"}, 503},
		{"the platform has gone", func() error { time.Sleep(time.Second); return nil }, func(_ *RefundHandler, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			time.AfterFunc(time.Millisecond, cancel)
			*r = *r.WithContext(ctx)
		}, Answer{Status: 202, Ran: true}, []string{"function"}, 0},
		{"another method", nil, func(_ *RefundHandler, r *http.Request) { r.Method = http.MethodPatch },
			Answer{Status: 405, Refused: true}, []string{"OnRefused"}, 0},
		{"unsigned", nil, func(_ *RefundHandler, r *http.Request) { r.Header.Del(SignatureHeader) },
			Answer{Status: 401, Refused: true}, []string{"OnRefused"}, 0},
		{"broken off", nil, func(_ *RefundHandler, r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(fails)) },
			Answer{Status: 400, Refused: true}, []string{"OnRefused"}, 0},
		{"misconfigured", nil, func(h *RefundHandler, _ *http.Request) { h.Origin = "" },
			Answer{Status: 503}, []string{"OnFailure"}, 0},
	} {
		watch := func(t *testing.T) (*hooktest.Spans, Callback, *[]Answer) {
			s, c, answers := &hooktest.Spans{T: t}, configured(nil), &[]Answer{}
			c.OnStarted = s.Started
			c.OnAnswered = func(ctx context.Context, a Answer) { s.End(ctx); *answers = append(*answers, a) }
			c.OnFailure = func(ctx context.Context, _ *Failure) { s.See(ctx, "OnFailure") }
			c.OnRefused = func(ctx context.Context, _ client.Refused) { s.See(ctx, "OnRefused") }
			return s, c, answers
		}
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c, answers := watch(t)
				h := &RefundHandler{Callback: c, Refund: func(ctx context.Context, _ RefundRequest) error {
					s.See(ctx, "function")
					return test.do()
				}}
				r := signed(t, http.MethodPost, "/r", refund)
				if test.change != nil {
					test.change(h, r)
				}
				w := ask(h, r)
				time.Sleep(time.Hour)
				synctest.Wait()
				s.Check(1, test.seen...)
				a := (*answers)[0]
				if w.Code != test.want.Status || a.Status != w.Code || a.Ran != test.want.Ran ||
					a.Refused != test.want.Refused || a.Call != CallRefund {
					t.Errorf("got %d and %+v, want %+v", w.Code, a, test.want)
				}
				if a.Ran && (a.StoreID != 123 || a.TransactionID != someID) {
					t.Errorf("whose payment? %+v", a)
				}
			})
			if test.refresh == 0 {
				return
			}
			synctest.Test(t, func(t *testing.T) {
				s, c, answers := watch(t)
				h := &RefreshHandler{
					OnStarted: c.OnStarted, OnAnswered: c.OnAnswered, OnFailure: c.OnFailure, OnRefused: c.OnRefused,
					Refresh: func(ctx context.Context, _ RefreshRequest) (Tokens, error) {
						s.See(ctx, "function")
						return Tokens{"a", "b", time.Hour}, test.do()
					},
				}
				w := ask(h, signed(t, http.MethodPost, "/f", renewal))
				time.Sleep(time.Hour)
				synctest.Wait()
				s.Check(1, test.seen...)
				a := (*answers)[0]
				if w.Code != test.refresh || a.Status != w.Code || !a.Ran || a.Call != CallRefresh || a.ClientID != "me" {
					t.Errorf("refresh: got %d and %+v, want %d", w.Code, a, test.refresh)
				}
			})
		})
	}
}

// An answer reports whether the function ran for its call, was joined, or its answer replayed.
func TestAnswerSource(t *testing.T) {
	keyOf()
	synctest.Test(t, func(t *testing.T) {
		s, c := &hooktest.Spans{T: t}, configured(new(failures))
		var mu sync.Mutex
		got := map[string]int{}
		c.OnStarted = s.Started
		c.OnAnswered = func(ctx context.Context, a Answer) {
			s.End(ctx)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case a.Ran && !a.Joined && !a.Repeated:
				got["ran"]++
			case !a.Ran && a.Joined && a.Repeated:
				got["joined"]++
			case !a.Ran && !a.Joined && a.Repeated:
				got["replayed"]++
			default:
				t.Errorf("%+v", a)
			}
		}
		h := &RefundHandler{Callback: c, Refund: func(context.Context, RefundRequest) error {
			time.Sleep(time.Second)
			return nil
		}}
		var calls []*http.Request
		for range 3 {
			calls = append(calls, signed(t, "POST", "/r", refund))
		}
		var all sync.WaitGroup
		for _, r := range calls[:2] {
			all.Go(func() { ask(h, r) })
		}
		all.Wait()
		ask(h, calls[2])
		s.Check(3)
		if got["ran"] != 1 || got["joined"] != 1 || got["replayed"] != 1 {
			t.Errorf("got %v, want one of each", got)
		}
	})
}

// A body that panics as it is read aborts the call, and OnAnswered still ends the span. Hooks that panic lose no
// answer.
func TestHooksAndPanics(t *testing.T) {
	s, c := &hooktest.Spans{T: t}, configured(new(failures))
	c.OnStarted = s.Started
	c.OnAnswered = func(ctx context.Context, a Answer) {
		s.End(ctx)
		if a.Status != 0 {
			t.Errorf("got %+v, want status 0", a)
		}
	}
	refunds := func(context.Context, RefundRequest) error { return nil }
	r := signed(t, http.MethodPost, "/r", refund)
	r.Body = io.NopCloser(panics{})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		(&RefundHandler{Callback: c, Refund: refunds}).ServeHTTP(httptest.NewRecorder(), r)
	}()
	s.Check(1)

	c.OnStarted = func(context.Context, *http.Request) context.Context { panic("no tracer") }
	c.OnAnswered = func(context.Context, Answer) { panic("no meter") }
	w := ask(&RefundHandler{Callback: c, Refund: refunds}, signed(t, http.MethodPost, "/r", refund))
	if w.Code != http.StatusAccepted {
		t.Errorf("got %d, want 202", w.Code)
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic(http.ErrAbortHandler) }
