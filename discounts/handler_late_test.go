package discounts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// timed answers a cart, and tells what it was answered after which time.
func timed(t *testing.T, h http.Handler, body []byte) string {
	t.Helper()
	began := time.Now()
	w := post(h, body)
	return fmt.Sprint(w.Code, " ", time.Since(began), " ", w.Body)
}

// slow returns half after a time, whatever its context says.
func slow(d time.Duration) Plans {
	return Plans{LineItems: func(ctx context.Context, p *LinePlan) error {
		time.Sleep(d)
		return half(ctx, p)
	}}
}

// A cart whose plan has no result keeps its discounts, or loses those of the app.
func TestPolicies(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	for name, plans := range map[string]Plans{
		"late": slow(5 * time.Second), "fails": {LineItems: func(context.Context,
			*LinePlan) error {
			return errors.New("fails")
		}},
		"panics": {LineItems: func(context.Context, *LinePlan) error { panic("no") }},
	} {
		for policy, want := range map[Policy]string{PolicyKeep: "204  ", PolicyRemoveOwn: "200  " + removesLine} {
			synctest.Test(t, func(t *testing.T) {
				p := newProbe(t, plans, func(h *Handler) { h.Late, h.MaxRuns = policy, 1 })
				defer p.Promotions.Close()
				for n := range 2 { // the second plan finds no place if the first is late
					w := post(p, cart)
					busy := n == 1 && name == "late"
					if got := fmt.Sprint(w.Code, "  ", w.Body); got != want || p.answers[n].Ran == busy ||
						errors.Is(p.answers[n].Err, ErrBusy) != busy {
						t.Errorf("%s: got %s and %+v, want %s", name, got, p.answers[n], want)
					}
				}
				time.Sleep(time.Minute)
			})
		}
	}
}

// A plan that passes its context on, as a client of HTTP or of a database does, has Linger to complete its result for
// the same cart, even if the platform disconnects.
func TestLinger(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	for _, v := range []struct {
		name                 string
		takes, linger, leave time.Duration // leave is when the platform disconnects
		again                string        // the answer to the same cart, ten seconds later
		runs                 int32
	}{
		{"at the end of the default", DefaultBudget + DefaultLinger - 1, 0, time.Hour, `200 0s {"commands"`, 1},
		{"after the default", DefaultBudget + DefaultLinger + 1, 0, time.Hour, "204 600ms", 2},
		{"a longer Linger", 5 * time.Second, 5 * time.Second, time.Hour, `200 0s {"commands"`, 1},
		{"the platform disconnects", time.Second, 0, 100 * time.Millisecond, `200 0s {"commands"`, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var runs atomic.Int32
			p := newProbe(t, Plans{LineItems: func(ctx context.Context, p *LinePlan) error {
				if by, ok := AnswerBy(ctx); !ok || time.Until(by) != DefaultBudget {
					t.Errorf("%s: the answer is due at %v, %t", v.name, by, ok)
				}
				runs.Add(1)
				select {
				case <-time.After(v.takes):
					return half(ctx, p)
				case <-ctx.Done():
					return fmt.Errorf("upstream: %w", context.Cause(ctx))
				}
			}}, func(h *Handler) { h.Linger = v.linger })
			defer p.Promotions.Close()
			ctx, leave := context.WithCancel(t.Context())
			defer time.AfterFunc(v.leave, leave).Stop()
			began := time.Now()
			p.ServeHTTP(discard{}, request(ctx, cart))
			if took := time.Since(began); took != min(v.leave, DefaultBudget) || !errors.Is(p.answers[0].Err, ErrLate) {
				t.Errorf("%s: answered %+v after %v", v.name, p.answers[0], took)
			}
			time.Sleep(10 * time.Second)
			if got := timed(t, p, cart); !strings.HasPrefix(got, v.again) || runs.Load() != v.runs {
				t.Errorf("%s: got %s after %d runs, want %s… after %d", v.name, got, runs.Load(), v.again, v.runs)
			}
			time.Sleep(10 * time.Second)
			for _, f := range p.failures() {
				if !errors.Is(f, ErrLate) {
					t.Errorf("%s: reported %v", v.name, f)
				}
			}
		})
	}
}

// A result that came too late is for the same cart when it comes again, and for no other.
func TestLateResults(t *testing.T) {
	c := readCorpus(t)
	cart := c.Carts["line_item"]
	another := []byte(strings.Replace(string(cart), `"quantity": 3`, `"quantity": 4`, 1))
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		p := newProbe(t, Plans{LineItems: func(ctx context.Context, lp *LinePlan) error {
			if runs.Add(1) != 2 {
				time.Sleep(700 * time.Millisecond)
			}
			return half(ctx, lp)
		}}, nil)
		defer p.Promotions.Close()
		say := func(name string, body []byte, status string, wantRuns int32) {
			t.Helper()
			if got := timed(t, p, body); !strings.HasPrefix(got, status) || runs.Load() != wantRuns {
				t.Errorf("%s: got %s after %d runs, want %s… after %d", name, got, runs.Load(), status, wantRuns)
			}
		}
		say("late", cart, "204 600ms", 1)
		time.Sleep(time.Second)
		say("another cart", another, "200 0s", 2)
		say("the same cart", cart, `200 0s {"commands"`, 2)
		if a := p.answers[2]; !a.Remembered || a.Commands != 1 || a.Err != nil {
			t.Errorf("told %+v", a)
		}
		time.Sleep(28 * time.Second)
		say("the same cart, later", cart, "200 0s", 2)
		time.Sleep(2 * time.Second)
		say("the same cart, much later", cart, "204 600ms", 3)
		time.Sleep(time.Second)
		if err := p.Promotions.Refresh(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		say("the same cart, promotions loaded anew", cart, "200 0s", 3)
		p.Promotions.Load = always(t, c.Promotions[:1]...).Load
		if err := p.Promotions.Refresh(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		say("the same cart, promotions changed", cart, "204 600ms", 4)
		time.Sleep(time.Second)
	})
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

func TestLateResultsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memory
		o := newOwn(nil, 1)
		for i := range 3 * mostLate {
			m.keep(o, fmt.Append(nil, i), reply{status: 200, commands: i})
			m.keep(o, fmt.Append(nil, i), reply{status: 200, commands: i + 1})
		}
		if m.byCart.Len() != mostLate {
			t.Errorf("%d results, want %d", m.byCart.Len(), mostLate)
		}
		if got, ok := m.recall(o, fmt.Append(nil, 3*mostLate-1)); !ok || got.commands != 3*mostLate {
			t.Errorf("the last one: got %v, %v", got, ok)
		}
		if _, ok := m.recall(o, fmt.Append(nil, 0)); ok {
			t.Error("the first one is there")
		}
		time.Sleep(lateTime)
		if _, ok := m.recall(o, fmt.Append(nil, 3*mostLate-1)); ok || m.byCart.Len() != 0 {
			t.Error("something is older than half a minute")
		}
	})
}

// A late plan that panics is heard of, and one that fails is not kept.
func TestLatePlansThatFail(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, Plans{LineItems: func(context.Context, *LinePlan) error {
			time.Sleep(time.Second)
			panic("too late")
		}}, nil)
		defer p.Promotions.Close()
		for n := range 2 {
			if got := timed(t, p, cart); !strings.HasPrefix(got, "204 600ms") {
				t.Errorf("got %s", got)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			f := p.failures()
			if len(f) != 2*(n+1) || !errors.Is(f[2*n], ErrLate) || f[2*n+1].Err.Error() != "panic: too late" ||
				len(f[2*n+1].Stack) == 0 || f[2*n+1].CartID != "7001" {
				t.Errorf("reported %v", f)
			}
		}
	})
}

// A caller that leaves while promotions are loaded is reported with its cause.
func TestCallerThatLeavesIsReportedWithItsCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := errors.New("the caller left")
		p := newProbe(t, slow(0), nil)
		p.Promotions.Load = func(ctx context.Context, _ client.ID) ([]promotions.Promotion, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		defer p.Promotions.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer time.AfterFunc(100*time.Millisecond, func() { cancel(left) }).Stop()
		p.ServeHTTP(discard{}, request(ctx, readCorpus(t).Carts["line_item"]))
		if err := p.answers[0].Err; !errors.Is(err, ErrNoPromotions) || !errors.Is(err, context.Canceled) ||
			!errors.Is(err, left) {
			t.Errorf("told %v, want the end of the context and its cause", err)
		}
	})
}

// stuck is specs whose writing takes as long as they say.
type stuck time.Duration

func (s stuck) MarshalJSON() ([]byte, error) {
	time.Sleep(time.Duration(s))
	return []byte(`{}`), nil
}

// The writing of commands is a part of the plan where it can take long, and does not hold the answer.
func TestWritingIsNeverLate(t *testing.T) {
	plans := Plans{Raw: func(_ context.Context, _ *Cart, _ []promotions.Promotion, out *Commands) error {
		out.Add("remove_discount", stuck(5*time.Second))
		return nil
	}}
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, plans, nil)
		defer p.Promotions.Close()
		if got := timed(t, p, readCorpus(t).Carts["line_item"]); got != "204 600ms " {
			t.Errorf("got %s, want 204 after 600ms", got)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		f := p.failures()
		if len(f) != 2 || !errors.Is(f[0], ErrLate) || !errors.Is(f[1], ErrInvalid) {
			t.Errorf("reported %v, want that it was late, then that it is invalid", f)
		}
	})
}

func TestBriefCommands(t *testing.T) {
	ten, err := BasisPoints(1000)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(n int) []LineDiscount {
		all := make([]LineDiscount, n)
		for i := range all {
			all[i] = LineDiscount{Line: 1, Amount: ten}
		}
		return all
	}
	text := func(bytes int) map[string]string { return map[string]string{"es": strings.Repeat("a", bytes)} }
	for name, v := range map[string]struct {
		fill func(*Commands)
		want bool
	}{
		"none":                  {func(*Commands) {}, true},
		"as many lines as may":  {func(c *Commands) { c.DiscountLines(half50, "ARS", nil, lines(mostBrief-1)...) }, true},
		"a line more":           {func(c *Commands) { c.DiscountLines(half50, "ARS", nil, lines(mostBrief)...) }, false},
		"many commands":         {func(c *Commands) { c.Remove(make([]uuid.UUID, mostBrief)...) }, false},
		"many removed lines":    {func(c *Commands) { c.RemoveLines(half50, make([]client.ID, mostBrief)...) }, false},
		"a text":                {func(c *Commands) { c.DiscountCart(half50, "ARS", text(100), ten) }, true},
		"a long text of a cart": {func(c *Commands) { c.DiscountCart(half50, "ARS", text(64*mostBrief), ten) }, false},
		"a long text of a line": {func(c *Commands) { c.DiscountLines(half50, "ARS", text(64*mostBrief), lines(1)...) },
			false},
		"specs of the app's own": {func(c *Commands) { c.Add("remove_discount", stuck(0)) }, false},
	} {
		c := &Commands{}
		v.fill(c)
		if got := c.brief(); got != v.want {
			t.Errorf("%s: brief is %t, want %t", name, got, v.want)
		}
	}
}
