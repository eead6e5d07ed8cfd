package discounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// upstream is a plan that asks an API of the app and passes its context on, as a client of HTTP or of a database does.
func upstream(d time.Duration, runs *atomic.Int32) Plans {
	return Plans{LineItems: func(ctx context.Context, p *LinePlan) error {
		runs.Add(1)
		select {
		case <-time.After(d):
			return half(ctx, p)
		case <-ctx.Done():
			return fmt.Errorf("upstream: %w", context.Cause(ctx))
		}
	}}
}

// The result of a late plan was kept only if the plan ignored its context.
func TestLateResultsOfPlansThatPassTheirContextOn(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	for _, v := range []struct {
		name   string
		takes  time.Duration
		linger time.Duration
		again  string // the answer to the same cart, ten seconds later
		runs   int32
	}{
		{"late", time.Second, 0, `200 0s {"commands"`, 1},
		{"at the end of the default", DefaultBudget + DefaultLinger - time.Millisecond, 0, `200 0s {"commands"`, 1},
		{"after the default", DefaultBudget + DefaultLinger + time.Millisecond, 0, "204 600ms", 2},
		{"late, with a longer Linger", 5 * time.Second, 5 * time.Second, `200 0s {"commands"`, 1},
		{"never", time.Hour, 5 * time.Second, "204 600ms", 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			var runs atomic.Int32
			p := newProbe(t, upstream(v.takes, &runs), func(h *Handler) { h.Linger, h.MaxRuns = v.linger, 1 })
			defer p.Registry.Close()
			if got := timed(t, p, cart); got != "204 600ms " {
				t.Errorf("%s: got %s, want 204 when it is due", v.name, got)
			}
			if got := timed(t, p, []byte(strings.Replace(string(cart), "7001", "7002", 1))); got != "204 5ms " || !errors.Is(p.answers[1].Err, ErrBusy) {
				t.Errorf("%s: got %s, want the place of the plan taken until it ends", v.name, got)
			}
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if n := p.server.Runs.Running(); n > 0 {
				t.Errorf("%s: the plan is still there", v.name)
			}
			if got := timed(t, p, cart); !strings.HasPrefix(got, v.again) || runs.Load() != v.runs {
				t.Errorf("%s: got %s after %d runs, want %s… after %d", v.name, got, runs.Load(), v.again, v.runs)
			}
			time.Sleep(10 * time.Second)
			synctest.Wait()
			for _, f := range p.failures() {
				if !errors.Is(f, ErrLate) && !errors.Is(f, ErrBusy) {
					t.Errorf("%s: reported %v", v.name, f)
				}
			}
		})
	}
}

// The platform that hangs up ended the plan, so that the same cart had it run again, and perhaps in vain again.
func TestPlanGoesOnWhenItsCallerHangsUp(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		p := newProbe(t, upstream(300*time.Millisecond, &runs), nil)
		defer p.Registry.Close()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		began := time.Now()
		p.ServeHTTP(discard{}, request(ctx, cart))
		if took := time.Since(began); took != 100*time.Millisecond {
			t.Errorf("the handler returned after %v, want 100ms", took)
		}
		time.Sleep(time.Second)
		if got := timed(t, p, cart); !strings.HasPrefix(got, `200 0s {"commands"`) || runs.Load() != 1 {
			t.Errorf("got %s after %d runs, want what the first run returned", got, runs.Load())
		}
	})
}

// A plan can see both ends, has the values of the request, and its context ends with it.
func TestContextOfAPlan(t *testing.T) {
	type key struct{}
	for _, v := range []struct{ budget, linger, due, end time.Duration }{
		{0, 0, DefaultBudget, DefaultBudget + 2*time.Second},
		{250 * time.Millisecond, 10 * time.Second, 250 * time.Millisecond, 10250 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			var seen context.Context
			var due, end time.Time
			p := newProbe(t, Plans{LineItems: func(ctx context.Context, lp *LinePlan) error {
				seen = ctx
				at, ok := AnswerBy(ctx)
				if due = at; !ok || ctx.Value(key{}) != "value" {
					t.Errorf("AnswerBy: %v, value %v", ok, ctx.Value(key{}))
				}
				end, _ = ctx.Deadline()
				return half(ctx, lp)
			}}, func(h *Handler) { h.Budget, h.Linger = v.budget, v.linger })
			defer p.Registry.Close()
			began := time.Now()
			p.ServeHTTP(discard{}, request(context.WithValue(t.Context(), key{}, "value"), readCorpus(t).Carts["line_item"]))
			if due.Sub(began) != v.due || end.Sub(began) != v.end {
				t.Errorf("the answer is due after %v, and the context ends after %v; want %v and %v", due.Sub(began), end.Sub(began), v.due, v.end)
			}
			synctest.Wait()
			if !errors.Is(seen.Err(), context.Canceled) {
				t.Errorf("after the plan: %v", seen.Err())
			}
		})
	}
	if at, ok := AnswerBy(t.Context()); ok || !at.IsZero() {
		t.Errorf("got %v of a context that is not a plan's", at)
	}
}

// The result of a plan that began earlier does not take the place of a later one's.
func TestLateResultsThatAreOlder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memory
		o, cart, now := newOwn(nil, 1), []byte("cart"), time.Now()
		m.keep(o, cart, reply{status: 200, commands: 2, began: now})
		m.keep(o, cart, reply{status: 200, commands: 1, began: now.Add(-time.Second)})
		if got, ok := m.recall(o, cart); !ok || got.commands != 2 {
			t.Errorf("got %d commands, %v; want the 2 of the plan that began last", got.commands, ok)
		}
		m.keep(o, cart, reply{status: 200, commands: 3, began: now.Add(time.Second)})
		if got, _ := m.recall(o, cart); got.commands != 3 {
			t.Errorf("got %d commands, want 3", got.commands)
		}
		time.Sleep(lateTime)
		m.keep(o, cart, reply{status: 200, commands: 4, began: now}) // what is too old counts no more
		if got, ok := m.recall(o, cart); !ok || got.commands != 4 {
			t.Errorf("got %d commands, %v; want 4", got.commands, ok)
		}
	})
}

func TestLingerIsBounded(t *testing.T) {
	for linger, want := range map[time.Duration]string{
		-time.Second:                "Linger is -1s: ",
		MaxLinger + time.Nanosecond: "Linger is 30.000000001s: ",
		MaxLinger:                   "",
		time.Nanosecond:             "",
	} {
		p := newProbe(t, Plans{LineItems: half}, nil)
		p.Linger = linger
		if err := p.Check(); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v: got %v, want %q", linger, err, want)
		}
	}
}
