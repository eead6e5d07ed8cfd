package shipping

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The rates of a late function were kept only if the function ignored its context.
func TestLateRatesOfFunctionsThatPassTheirContextOn(t *testing.T) {
	const due = DefaultBudget - margin
	body := document(t, "rate_request")
	for _, v := range []struct {
		name   string
		takes  time.Duration // of an upstream that is given the context
		change func(*Handler)
		status int // of the same request, when the function has ended
		from   Source
		calls  int64
	}{
		{"late", 6 * time.Second, nil, 200, SourceCached, 1},
		{"at the end of the default", due + DefaultLinger - time.Millisecond, nil, 200, SourceCached, 1},
		{"after the default", due + DefaultLinger + time.Millisecond, nil, 503, SourceNobody, 2},
		{"late, with a longer Linger", 20 * time.Second, func(h *Handler) { h.Linger = 20 * time.Second }, 200, SourceCached, 1},
		{"kept for outages only", 6 * time.Second, func(h *Handler) { h.Fresh = -1 }, 200, SourceStale, 2},
		{"nothing is kept", 6 * time.Second, func(h *Handler) { h.Fresh, h.Stale = -1, -1 }, 503, SourceNobody, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{}
			s.set([]Rate{ship(t, "standard")}, nil, v.takes)
			p := newProbe(s.do, func(h *Handler) {
				h.MaxRuns = 1
				if v.change != nil {
					v.change(h)
				}
			})
			p.want(t, body, 503, SourceNobody)
			if a := p.last(); a.Took != due {
				t.Errorf("%s: answered after %v, want %v", v.name, a.Took, due)
			}
			if v.name != "nothing is kept" {
				p.want(t, with(t, "items.0.grams", 1), 429, SourceNobody) // the place of the function is taken until it ends
			}
			time.Sleep(30 * time.Second)
			if n := p.engine.server.Runs.Running(); n > 0 {
				t.Errorf("%s: the function is still there", v.name)
			}
			p.want(t, body, v.status, v.from)
			if got := s.calls.Load(); got != v.calls {
				t.Errorf("%s: %d calls, want %d", v.name, got, v.calls)
			}
			time.Sleep(30 * time.Second)
			for _, f := range p.failures() {
				if !errors.Is(f, ErrLate) && !errors.Is(f, ErrBusy) {
					t.Errorf("%s: reported %v", v.name, f)
				}
			}
		})
	}
}

// Without a cache the context ends with the answer: whatever the function still does is lost.
func TestContextEndsWithTheAnswerIfNothingIsKept(t *testing.T) {
	for _, v := range []struct {
		name             string
		change           func(*Handler)
		due, end, answer time.Duration
	}{
		{"default", nil, 3900 * time.Millisecond, 8900 * time.Millisecond, 3900 * time.Millisecond},
		{"own times", func(h *Handler) { h.Budget, h.Linger = time.Second, 3*time.Second }, 900 * time.Millisecond, 3900 * time.Millisecond, 900 * time.Millisecond},
		{"nothing is kept", func(h *Handler) { h.Fresh, h.Stale = -1, -1 }, 3900 * time.Millisecond, 3900 * time.Millisecond, 3900 * time.Millisecond},
		{"probing", func(h *Handler) { m := healthIn(h); m.state, m.since = HealthStateProbing, time.Now() }, 1950 * time.Millisecond, 6950 * time.Millisecond, 1950 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			var due, end, ended time.Duration
			began := time.Now()
			p := newProbe(func(ctx context.Context, _ Quote) ([]Rate, error) {
				at, ok := AnswerBy(ctx)
				deadline, _ := ctx.Deadline()
				if due, end = at.Sub(began), deadline.Sub(began); !ok {
					t.Errorf("%s: AnswerBy knows nothing", v.name)
				}
				<-ctx.Done()
				ended = time.Since(began)
				return nil, ctx.Err()
			}, v.change)
			p.want(t, document(t, "rate_request"), 503, SourceNobody)
			if took := time.Since(began); took != v.answer {
				t.Errorf("%s: answered after %v, want %v", v.name, took, v.answer)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if due != v.due || end != v.end || ended != v.end {
				t.Errorf("%s: the answer is due after %v, and the context ends after %v and did after %v; want %v and %v", v.name, due, end, ended, v.due, v.end)
			}
		})
	}
	if at, ok := AnswerBy(t.Context()); ok || !at.IsZero() {
		t.Errorf("got %v of a context that is not a function's", at)
	}
}

// A function continues if its client disconnects, with the values of the request, and the answer reports the cause.
func TestFunctionGoesOnWhenItsCallerHangsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		var value any
		left, body := errors.New("the caller left"), document(t, "rate_request")
		s := &script{}
		s.set([]Rate{ship(t, "standard")}, nil, 6*time.Second)
		p := newProbe(func(ctx context.Context, q Quote) ([]Rate, error) {
			value = ctx.Value(key{})
			return s.do(ctx, q)
		}, nil)
		ctx, cancel := context.WithCancelCause(context.WithValue(t.Context(), key{}, "value"))
		time.AfterFunc(100*time.Millisecond, func() { cancel(left) })
		p.ServeHTTP(discard{}, request(ctx, body))
		if a := p.last(); a.Took != 100*time.Millisecond || !errors.Is(a.Err, context.Canceled) || !errors.Is(a.Err, left) {
			t.Errorf("got %v after %v, want the end of the context and its cause after 100ms", a.Err, a.Took)
		}
		time.Sleep(10 * time.Second)
		p.want(t, body, 200, SourceCached)
		if got := s.calls.Load(); got != 1 || value != "value" {
			t.Errorf("%d calls, want 1 with the values of its request, not %v", got, value)
		}
	})
}

// A call that comes late does not take the place of one that began after it.
func TestLateRatesAreOlder(t *testing.T) { synctest.Test(t, testLateRatesAreOlder) }

func testLateRatesAreOlder(t *testing.T) {
	body := document(t, "rate_request")
	s := &script{deaf: true}
	s.set([]Rate{ship(t, "old")}, nil, 10*time.Second)
	p := newProbe(s.do, nil)
	p.want(t, body, 503, SourceNobody)
	synctest.Wait()
	s.set([]Rate{ship(t, "new")}, nil, 0)
	p.want(t, body, 200, SourceCalled)
	time.Sleep(10 * time.Second)
	if w := post(p, body); !strings.Contains(w.Body.String(), `"new"`) || p.last().Source != SourceCached {
		t.Errorf("got %s from %s, want what the later call said", w.Body, p.last().Source)
	}
}
