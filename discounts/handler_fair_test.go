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
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// crowd are stores that misuse the handler, and a quiet one, whose carts are counted.
type crowd struct {
	*probe
	quiet []time.Duration // the waits of the quiet store's carts
	plans int             // of them answered by their plan
	good  atomic.Int32    // carts of others answered by their plans
}

const quietStore = 9

// misuse runs stores for a time. Each store has a plan of its own and sends carts at a rate; plans may be nil to leave
// a store out. The quiet store sends a cart each 100 ms.
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
	d := tier.Size(2*time.Second, 3*time.Second, 10*time.Minute)
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
func TestProofPlacesOfTwoStores(t *testing.T) {
	seconds := tier.Size(2, 10, 60)
	synctest.Test(t, func(t *testing.T) {
		plans := misused()
		plans[4] = plans[3]
		c := misuse(t, time.Duration(seconds)*time.Second, 64, plans, map[client.ID]time.Duration{3: time.Millisecond, 4: time.Millisecond})
		// 21 plans of each, of half a second.
		if n := c.good.Load(); int(n) < 2*21*2*seconds*95/100 {
			t.Errorf("%d carts are answered by their plans", n)
		}
		for _, a := range c.answers {
			if a.Err != nil && !errors.Is(a.Err, ErrBusy) {
				t.Fatalf("answered %+v", a)
			}
		}
	})
}

// The plans of one store hang, at default settings, and carts of other stores are answered at once.
func TestOneStoreHangs(t *testing.T) {
	for _, hung := range []int{DefaultMaxRuns, 4 * DefaultMaxRuns} {
		synctest.Test(t, func(t *testing.T) {
			end := make(chan struct{})
			p := newProbe(t, Plans{LineItems: func(ctx context.Context, p *LinePlan) error {
				if p.Cart().StoreID == 1 {
					<-end
				}
				return half(ctx, p)
			}}, nil)
			defer p.Registry.Close()
			var all sync.WaitGroup
			for range hung {
				all.Go(func() { post(p, ofStore(t, 1)) })
			}
			synctest.Wait()
			for store := range 20 {
				if got := timed(t, p, ofStore(t, 2+store)); !strings.HasPrefix(got, "200 0s ") {
					t.Errorf("%d plans of a store hang: another store was answered %s", hung, got)
				}
			}
			all.Wait()
			close(end)
			synctest.Wait()
		})
	}
}

// ofStore returns a cart of a store.
func ofStore(t testing.TB, store int) []byte {
	return []byte(strings.Replace(string(readCorpus(t).Carts["line_item"]), `"store_id": "123"`, fmt.Sprintf(`"store_id": "%d"`, store), 1))
}
