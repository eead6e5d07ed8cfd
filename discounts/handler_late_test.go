package discounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
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

func TestHandlerIsNeverLate(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	obedient := Plans{LineItems: func(ctx context.Context, _ *LinePlan) error {
		<-ctx.Done()
		return ctx.Err()
	}}
	for _, v := range []struct {
		name   string
		plans  Plans
		change func(*Handler)
		want   string
	}{
		{"in time", slow(599 * time.Millisecond), nil, "200 599ms "},
		{"late", slow(5 * time.Second), nil, "204 600ms "},
		{"late, and told so", obedient, nil, "204 600ms "},
		{"late, and what acts is removed", slow(5 * time.Second), func(h *Handler) { h.Late = PolicyRemoveOwn }, "200 600ms " + removesLine},
		{"a budget of its own", slow(5 * time.Second), func(h *Handler) { h.Budget = 250 * time.Millisecond }, "204 250ms "},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newProbe(t, v.plans, v.change)
			defer p.Registry.Close()
			if got := timed(t, p, cart); !strings.HasPrefix(got, v.want) {
				t.Errorf("%s: got %s, want %s…", v.name, got, v.want)
			}
			time.Sleep(10 * time.Second) // the plan comes to its end
			synctest.Wait()
			f := p.failures()
			if late := !strings.HasPrefix(v.want, "200 599"); late != (len(f) == 1 && errors.Is(f[0], ErrLate)) {
				t.Errorf("%s: reported %v", v.name, f)
			}
		})
	}
}

// What fails after the answer is told with the cart that it failed for.
func TestFailuresAfterTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, Plans{LineItems: func(context.Context, *LinePlan) error { time.Sleep(time.Second); return io.ErrNoProgress }}, nil)
		defer p.Registry.Close()
		post(p, readCorpus(t).Carts["line_item"])
		time.Sleep(time.Minute)
		f := p.failures()
		if len(f) != 2 || !errors.Is(f[1], io.ErrNoProgress) || f[1].StoreID != 123 || f[1].CartID != "7001" || f[1].Tier != TierLineItems {
			t.Errorf("reported %+v", f)
		}
	})
}

// The context of a plan ends some time after the answer is due, whether the caller has gone or not.
func TestPlanContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		var saw atomic.Value
		p := newProbe(t, Plans{LineItems: func(ctx context.Context, _ *LinePlan) error {
			began := time.Now()
			<-ctx.Done()
			saw.Store(fmt.Sprint(time.Since(began), " ", ctx.Value(key{}), " ", ctx.Err()))
			return ctx.Err()
		}}, nil)
		defer p.Registry.Close()
		for _, v := range []struct {
			after time.Duration
			want  string
		}{{time.Hour, "2.6s value context deadline exceeded"}, {100 * time.Millisecond, "2.6s value context deadline exceeded"}} {
			ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
			defer time.AfterFunc(v.after, cancel).Stop()
			p.ServeHTTP(discard{}, request(ctx, readCorpus(t).Carts["line_item"]))
			time.Sleep(5 * time.Second)
			if got := saw.Load(); got != v.want {
				t.Errorf("got %s, want %s", got, v.want)
			}
		}
	})
}

// A caller that leaves while promotions are loaded is reported with its cause.
func TestCallerThatLeavesIsReportedWithItsCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := errors.New("the caller left")
		p := newProbe(t, slow(0), nil)
		p.Registry.Load = func(ctx context.Context, _ client.ID) ([]Promotion, error) { <-ctx.Done(); return nil, ctx.Err() }
		defer p.Registry.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer time.AfterFunc(100*time.Millisecond, func() { cancel(left) }).Stop()
		p.ServeHTTP(discard{}, request(ctx, readCorpus(t).Carts["line_item"]))
		if err := p.answers[0].Err; !errors.Is(err, ErrNoPromotions) || !errors.Is(err, context.Canceled) || !errors.Is(err, left) {
			t.Errorf("told %v, want the end of the context and its cause", err)
		}
	})
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
		defer p.Registry.Close()
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
		if err := p.Registry.Refresh(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		say("the same cart, promotions loaded anew", cart, "200 0s", 3)
		p.Registry.Load = always(t, c.Promotions[:1]...).Load
		if err := p.Registry.Refresh(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		say("the same cart, promotions changed", cart, "204 600ms", 4)
		time.Sleep(time.Second)
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
		defer p.Registry.Close()
		for n := range 2 {
			if got := timed(t, p, cart); !strings.HasPrefix(got, "204 600ms") {
				t.Errorf("got %s", got)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			f := p.failures()
			if len(f) != 2*(n+1) || !errors.Is(f[2*n], ErrLate) || f[2*n+1].Err.Error() != "panic: too late" || len(f[2*n+1].Stack) == 0 || f[2*n+1].CartID != "7001" {
				t.Errorf("reported %v", f)
			}
		}
	})
}

// Plans in progress are bounded, those among them that nobody waits for any more. A
// request waits 5 ms for one to end and no longer.
func TestHandlerAdmission(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		var mu sync.Mutex
		took := map[string]int{}
		d := 5 * time.Second
		p := newProbe(t, Plans{LineItems: func(ctx context.Context, lp *LinePlan) error {
			n := running.Add(1)
			defer running.Add(-1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(d)
			return half(ctx, lp)
		}}, func(h *Handler) { h.MaxRuns = 3; h.Late = PolicyRemoveOwn })
		defer p.Registry.Close()
		if err := p.Registry.Refresh(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		storm := func(n int) {
			var wg sync.WaitGroup
			for range n {
				wg.Go(func() {
					got := timed(t, p, cart)
					mu.Lock()
					defer mu.Unlock()
					took[strings.Replace(got, removesLine, "removed", 1)]++
				})
			}
			wg.Wait()
		}
		storm(64)
		if want := map[string]int{"200 600ms removed": 3, "200 5ms removed": 61}; fmt.Sprint(took) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", took, want)
		}
		clear(took)
		storm(10) // the three are still at it
		if want := map[string]int{"200 5ms removed": 10}; fmt.Sprint(took) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", took, want)
		}
		time.Sleep(40 * time.Second)
		synctest.Wait()
		late, busy := 0, 0
		for _, f := range p.failures() {
			if errors.Is(f, ErrLate) {
				late++
			}
			if errors.Is(f, ErrBusy) {
				busy++
				if want := "MaxRuns is 3"; !strings.Contains(f.Error(), want) { // what is to be turned
					t.Errorf("got %v, want it to say %s", f, want)
				}
			}
		}
		if late != 3 || busy != 71 || most.Load() != 3 || running.Load() != 0 {
			t.Errorf("%d late, %d busy, %d at a time, %d left", late, busy, most.Load(), running.Load())
		}
		clear(took)
		d = time.Millisecond // quick plans: a burst of them is no reason to go without
		storm(15)
		for got := range took {
			if !strings.Contains(got, "create_or_update_discount") {
				t.Errorf("got %s", got)
			}
		}
	})
}

// Without MaxRuns, 64 plans may wait for something else, however many processors there are.
func TestHandlerAdmissionByDefault(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		synctest.Test(t, func(t *testing.T) {
			var started atomic.Int32
			p := newProbe(t, Plans{LineItems: func(context.Context, *LinePlan) error {
				started.Add(1)
				time.Sleep(5 * time.Second)
				return nil
			}}, nil)
			defer p.Registry.Close()
			var wg sync.WaitGroup
			for range 2 * callers {
				wg.Go(func() { post(p, cart) })
			}
			wg.Wait()
			if got := started.Load(); got != 64 {
				t.Errorf("GOMAXPROCS %d: %d plans in progress, want 64", processors, got)
			}
			time.Sleep(5 * time.Second)
		})
	}
}

// Whoever is first, a plan or its deadline, there is one answer, and it is a whole one.
func TestLateRace(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	seed := seeded(t)
	r := rand.New(rand.NewPCG(seed, 1))
	statuses := map[int]int{}
	synctest.Test(t, func(t *testing.T) {
		var d time.Duration
		p := newProbe(t, Plans{LineItems: func(ctx context.Context, lp *LinePlan) error {
			time.Sleep(d)
			return half(ctx, lp)
		}}, nil)
		defer p.Registry.Close()
		for i := range lateRaces {
			d = DefaultBudget
			if i%2 == 0 { // else at the very moment
				d += time.Duration(r.Int64N(int64(2*time.Millisecond))) - time.Millisecond
			}
			w := &single{header: http.Header{}}
			body := []byte(strings.Replace(string(cart), "7001", fmt.Sprint(i+1), 1))
			p.ServeHTTP(w, request(t.Context(), body))
			if w.statuses != 1 || w.status == 200 && !strings.HasSuffix(w.body.String(), "}]}") || w.status == 204 && w.body.Len() > 0 {
				t.Fatalf("seed %d, run %d: %d statuses, the last %d, body %s", seed, i, w.statuses, w.status, w.body.String())
			}
			statuses[w.status]++
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
			if w.status == 204 { // then the result is not lost
				p.ServeHTTP(discard{}, request(t.Context(), body))
				if a := p.answers[len(p.answers)-1]; a.Status != 200 || !a.Remembered {
					t.Fatalf("seed %d, run %d: the result is neither sent nor kept: %+v", seed, i, a)
				}
			}
		}
		late := 0
		for _, f := range p.failures() {
			if !errors.Is(f, ErrLate) {
				t.Fatalf("seed %d: reported %v", seed, f)
			}
			late++
		}
		if late != statuses[204] || statuses[200]+statuses[204] != lateRaces {
			t.Errorf("seed %d: answers %v, %d reported as late", seed, statuses, late)
		}
	})
	t.Logf("seed %d: %v", seed, statuses)
}

// stuck is specs whose writing takes as long as they say.
type stuck time.Duration

func (s stuck) MarshalJSON() ([]byte, error) {
	time.Sleep(time.Duration(s))
	return []byte(`{}`), nil
}

// The writing of commands is a part of the plan where it can take long, and does not hold the answer.
func TestWritingIsNeverLate(t *testing.T) {
	plans := Plans{Raw: func(_ context.Context, _ *Cart, _ []Promotion, out *Commands) error {
		out.Add("remove_discount", stuck(5*time.Second))
		return nil
	}}
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, plans, nil)
		defer p.Registry.Close()
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
		"none":                   {func(*Commands) {}, true},
		"as many lines as may":   {func(c *Commands) { c.DiscountLines(half50, "ARS", nil, lines(mostBrief-1)...) }, true},
		"a line more":            {func(c *Commands) { c.DiscountLines(half50, "ARS", nil, lines(mostBrief)...) }, false},
		"many commands":          {func(c *Commands) { c.Remove(make([]uuid.UUID, mostBrief)...) }, false},
		"many removed lines":     {func(c *Commands) { c.RemoveLines(half50, make([]client.ID, mostBrief)...) }, false},
		"a text":                 {func(c *Commands) { c.DiscountCart(half50, "ARS", text(100), ten) }, true},
		"a long text of a cart":  {func(c *Commands) { c.DiscountCart(half50, "ARS", text(64*mostBrief), ten) }, false},
		"a long text of a line":  {func(c *Commands) { c.DiscountLines(half50, "ARS", text(64*mostBrief), lines(1)...) }, false},
		"specs of the app's own": {func(c *Commands) { c.Add("remove_discount", stuck(0)) }, false},
	} {
		c := &Commands{}
		v.fill(c)
		if got := c.brief(); got != v.want {
			t.Errorf("%s: brief is %t, want %t", name, got, v.want)
		}
	}
}
