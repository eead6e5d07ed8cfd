package discounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// held returns how many places stores get that want so many, one after another: "1:40 2:40".
func held(most int, wants ...[2]int) string {
	g := newGate(most)
	var got []string
	for _, w := range wants {
		n := 0
		for range w[1] {
			if g.admits(client.ID(w[0])) {
				g.hold(client.ID(w[0]))
				n++
			}
		}
		got = append(got, fmt.Sprint(n))
	}
	return strings.Join(got, " ")
}

func TestGate(t *testing.T) {
	for _, v := range []struct {
		name  string
		most  int
		wants [][2]int
		want  string
	}{
		{"a store alone", 64, [][2]int{{1, 100}}, "64"},
		{"two stores", 64, [][2]int{{1, 1}, {2, 100}, {1, 100}}, "1 32 15"},
		{"a store that had all, and then another", 64, [][2]int{{1, 100}, {2, 100}, {1, 100}}, "64 16 0"},
		{"seven that hang, and a quiet one", 64, [][2]int{{1, 100}, {2, 100}, {3, 100}, {4, 100}, {5, 100}, {6, 100}, {7, 1}}, "64 16 8 4 2 1 1"},
		{"as many stores as places", 3, [][2]int{{1, 1}, {2, 1}, {3, 1}, {4, 1}}, "1 1 1 0"},
		{"a single place", 1, [][2]int{{1, 2}, {2, 1}}, "1 0"},
		{"two places", 2, [][2]int{{1, 3}, {2, 2}}, "2 1"},
	} {
		if got := held(v.most, v.wants...); got != v.want {
			t.Errorf("%s: got %s, want %s", v.name, got, v.want)
		}
	}
	// What is given back can be had again, in any order.
	g := newGate(4)
	for range 3 {
		for _, store := range []client.ID{1, 1, 1, 1, 2} {
			if !g.take(t.Context(), store) {
				t.Fatalf("store %d has no place", store)
			}
		}
		for _, store := range []client.ID{1, 2, 1, 1, 1} {
			g.give(store)
		}
		if g.all != 0 || g.counted != 0 || len(g.held) != 0 {
			t.Fatalf("%d places, %d of them counted, are held by %d stores", g.all, g.counted, len(g.held))
		}
	}
}

// A place that is free goes to the store that holds the fewest, and in a store to the cart that waits for longest.
func TestGateGivesPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(4)
		for _, store := range []client.ID{1, 1, 2, 3} {
			g.hold(store)
		}
		var mu sync.Mutex
		var order []string
		for i, store := range []client.ID{1, 2, 2, 4, 4} {
			time.Sleep(100 * time.Microsecond)
			go func() {
				if g.take(t.Context(), store) {
					mu.Lock()
					defer mu.Unlock()
					order = append(order, fmt.Sprint(store, "/", i))
				}
			}()
		}
		synctest.Wait()
		for _, store := range []client.ID{1, 3, 1, 2} {
			g.give(store)
			synctest.Wait()
		}
		time.Sleep(patience)
		synctest.Wait()
		if got := strings.Join(order, " "); got != "4/3 1/0 2/1" {
			t.Errorf("places went to %s, want 4/3 1/0 2/1", got)
		}
		if g.waiters.Len() > 0 {
			t.Errorf("%d requests still wait", g.waiters.Len())
		}
	})
}

// More than a bounded number of requests do not wait for a place.
func TestGateBoundsItsQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		g.hold(1)
		for range mostPatient {
			go g.take(t.Context(), 2)
		}
		synctest.Wait()
		if began := time.Now(); g.take(t.Context(), 3) || time.Since(began) > 0 {
			t.Errorf("one more request waited %v", time.Since(began))
		}
		time.Sleep(patience)
	})
}

// crowd are stores that misuse the handler, and a quiet one, whose carts are counted.
type crowd struct {
	*probe
	quiet []time.Duration // the waits of the quiet store's carts
	plans int             // of them answered by their plan
	good  atomic.Int32    // carts of others answered by their plans
}

const quietStore = 9

// misuse runs stores for a time. Each store has a plan of its own and sends carts at a rate; plans may be nil to leave a
// store out. The quiet store sends a cart each 100 ms.
func misuse(t *testing.T, d time.Duration, runs int, plans map[client.ID]func(context.Context, *LinePlan) error, every map[client.ID]time.Duration) *crowd {
	cart := string(readCorpus(t).Carts["line_item"])
	c := &crowd{}
	c.probe = newProbe(t, Plans{LineItems: func(ctx context.Context, p *LinePlan) error {
		if plan := plans[p.Cart().StoreID]; plan != nil {
			return plan(ctx, p)
		}
		time.Sleep(20 * time.Millisecond)
		return half(ctx, p)
	}}, func(h *Handler) { h.MaxRuns = runs })
	defer c.Registry.Close()
	var mu sync.Mutex
	send := func(store client.ID, n int) {
		body := strings.Replace(strings.Replace(cart, `"store_id": "123"`, fmt.Sprintf(`"store_id": "%d"`, store), 1), `"7001"`, fmt.Sprintf(`"%d"`, n+1), 1)
		if !strings.Contains(body, fmt.Sprintf(`"store_id": "%d"`, store)) {
			t.Error("the store is not in the cart")
		}
		began := time.Now()
		w := post(c.probe, []byte(body))
		mu.Lock()
		defer mu.Unlock()
		switch {
		case store == quietStore:
			c.quiet = append(c.quiet, time.Since(began))
			if w.Code == 200 {
				c.plans++
			}
		case w.Code == 200:
			c.good.Add(1)
		}
	}
	var wg sync.WaitGroup
	end := time.Now().Add(d)
	for store, gap := range every {
		wg.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				wg.Go(func() { send(store, n) })
				time.Sleep(gap)
			}
		})
	}
	time.Sleep(time.Second) // the others were first
	for n := 0; time.Now().Before(end); n++ {
		wg.Go(func() { send(quietStore, n) })
		time.Sleep(100 * time.Millisecond)
	}
	wg.Wait()
	time.Sleep(DefaultBudget + MaxLinger)
	slices.Sort(c.quiet)
	return c
}

// misused are ways to misuse the handler.
func misused() map[client.ID]func(context.Context, *LinePlan) error {
	return map[client.ID]func(context.Context, *LinePlan) error{
		1: func(ctx context.Context, p *LinePlan) error { <-ctx.Done(); return ctx.Err() },                          // hangs
		2: func(ctx context.Context, p *LinePlan) error { time.Sleep(2500 * time.Millisecond); return nil },         // hangs, and ignores its context
		3: func(ctx context.Context, p *LinePlan) error { time.Sleep(500 * time.Millisecond); return half(ctx, p) }, // slow
		4: func(ctx context.Context, p *LinePlan) error { time.Sleep(100 * time.Millisecond); return half(ctx, p) }, // floods
		5: func(context.Context, *LinePlan) error { time.Sleep(50 * time.Millisecond); return io.ErrUnexpectedEOF }, // fails
	}
}

// Next to stores that flood, fail, are slow and hang, one at a time and all together, each cart of a quiet store is
// answered by its plan. They were answered without it, for one hung store took all places.
func TestProofFairCarts(t *testing.T) {
	d := 3 * time.Second
	if *soak {
		d = 10 * time.Minute
	}
	every := map[client.ID]time.Duration{1: 10 * time.Millisecond, 2: 10 * time.Millisecond, 3: 5 * time.Millisecond, 4: time.Millisecond, 5: 2 * time.Millisecond}
	names := map[client.ID]string{1: "hanging", 2: "hanging and deaf", 3: "slow", 4: "flooding", 5: "failing", 6: "all together"}
	for store := client.ID(1); store <= 6; store++ {
		synctest.Test(t, func(t *testing.T) {
			of := map[client.ID]time.Duration{store: every[store]}
			if store == 6 {
				of = every
			}
			c := misuse(t, d, 64, misused(), of)
			p99 := c.quiet[len(c.quiet)*99/100]
			if c.plans < len(c.quiet) || p99 > 25*time.Millisecond {
				t.Errorf("%s: %d of %d carts of the quiet store are answered by their plan, p99 %v; want all, after 25ms at most", names[store], c.plans, len(c.quiet), p99)
			}
			t.Logf("%-16s the quiet store: %d of %d carts answered by their plan, p99 %v; others: %d carts answered by their plans", names[store], c.plans, len(c.quiet), p99, c.good.Load())
		})
	}
}

// Two stores whose plans wait share the places; little throughput is lost to what is left free for others.
func TestPlacesOfTwoStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plans := misused()
		plans[4] = plans[3]
		c := misuse(t, 10*time.Second, 64, plans, map[client.ID]time.Duration{3: time.Millisecond, 4: time.Millisecond})
		// 21 plans of each, of half a second, for ten seconds.
		if n := c.good.Load(); n < 2*21*2*10*95/100 {
			t.Errorf("%d carts are answered by their plans", n)
		}
		for _, a := range c.answers {
			if a.Err != nil && !errors.Is(a.Err, ErrBusy) {
				t.Fatalf("answered %+v", a)
			}
		}
	})
}
