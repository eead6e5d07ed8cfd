package discounts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// steady has every load take as long, and counts those in progress and those that began, by second.
type steady struct {
	*PromotionCache
	takes  time.Duration
	began  sync.Map // second to *atomic.Int32
	calls  atomic.Int32
	active atomic.Int32
	most   atomic.Int32 // loads in progress at a time
	failed atomic.Int32
	hangs  func(client.ID) bool // whether the load of a store ends with its context alone
}

func newSteady(takes time.Duration) *steady {
	s := &steady{takes: takes}
	start := time.Now()
	s.PromotionCache = &PromotionCache{
		Load: func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
			s.calls.Add(1)
			defer s.active.Add(-1)
			for n, most := s.active.Add(1), s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
			}
			n, _ := s.began.LoadOrStore(int(time.Since(start)/time.Second), new(atomic.Int32))
			n.(*atomic.Int32).Add(1)
			if s.hangs != nil && s.hangs(store) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			if s.takes == 0 { // a timer that is due already ends programs: its channel is received on two threads with one race context
				return []promotions.Promotion{{Name: "offer"}}, nil
			}
			select {
			case <-time.After(s.takes):
				return []promotions.Promotion{{Name: "offer"}}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
		OnFailure: func(context.Context, *Failure) { s.failed.Add(1) },
	}
	return s
}

// cart reports whether a cart of the store has its promotions when it is due, and after which time.
func (s *steady) cart(t *testing.T, store client.ID) (known bool, after time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), DefaultBudget)
	defer cancel()
	began := time.Now()
	_, err := s.lookup(ctx, store)
	return err == nil, time.Since(began)
}

// Sixteen loads of half a second are 32 a second. With twice as many cold stores, each of which sends one cart, the
// loads queued up until all of them ended after their carts were due.
func TestGoodputOfLoads(t *testing.T) {
	const capacity = mostLoads * 2 // stores a second
	for name, gap := range map[string]func() time.Duration{
		"evenly":   func() time.Duration { return time.Second / 64 },
		"randomly": func() time.Duration { return time.Duration(rand.ExpFloat64() * float64(time.Second/64)) },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newSteady(500 * time.Millisecond)
			defer s.Close()
			var wg sync.WaitGroup
			var good, refused atomic.Int32
			store := client.ID(1)
			send := func(gap time.Duration) {
				store++
				id := store
				wg.Go(func() {
					known, after := s.cart(t, id)
					switch {
					case known:
						good.Add(1)
					case after == 0:
						refused.Add(1)
					}
				})
				time.Sleep(gap)
			}
			for began := time.Now(); time.Since(began) < time.Minute; {
				send(gap())
			}
			wg.Wait()
			all := int32(store) - 1
			if want := int32(0.9 * 60 * capacity); good.Load() < want {
				t.Errorf("%s: %d of %d carts have their promotions, want %d at least", name, good.Load(), all, want)
			}
			t.Logf("%s: %d of %d carts have their promotions, where %d could; %d were answered at once", name, good.Load(),
				all, 60*capacity, refused.Load())
			good.Store(0)
			for range 10 * 16 { // ten seconds at half of the capacity
				send(time.Second / 16)
			}
			wg.Wait()
			if good.Load() != 160 {
				t.Errorf("%s: after the overload %d of 160 carts have their promotions", name, good.Load())
			}
			if s.failed.Load() > 0 {
				t.Errorf("%s: %d loads were reported", name, s.failed.Load())
			}
		})
	}
}

// A load that waited for others has its whole time, and one that was not called has not failed.
func TestLoadsCountFromTheirOwnStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSteady(9 * time.Second)
		defer s.Close()
		var wg sync.WaitGroup
		for store := range client.ID(3 * mostLoads) {
			wg.Go(func() {
				if _, err := s.lookup(t.Context(), store+1); err != nil { // that waits as long as it takes
					t.Errorf("store %d: %v", store+1, err)
				}
			})
		}
		began := time.Now()
		wg.Wait()
		if took := time.Since(began); took != 27*time.Second || s.failed.Load() > 0 {
			t.Errorf("took %v and %d were reported, want 27s and none", took, s.failed.Load())
		}
	})
}

// What waits when the cache closes has not failed either.
func TestLoadsThatWereNotCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSteady(time.Second)
		var wg sync.WaitGroup
		var unknown atomic.Int32
		for store := range client.ID(2 * mostLoads) {
			wg.Go(func() {
				if _, err := s.lookup(t.Context(), store+1); errors.Is(err, ErrNoPromotions) {
					unknown.Add(1)
				}
			})
		}
		synctest.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if unknown.Load() != 2*mostLoads || s.calls.Load() != mostLoads || s.failed.Load() > 0 {
			t.Errorf("%d carts without promotions, %d loads, %d reported; want %d, %d and none", unknown.Load(),
				s.calls.Load(), s.failed.Load(), 2*mostLoads, mostLoads)
		}
	})
}

// Two hundred thousand loads that waited took 696 MiB. Now as many wait as MaxStores says, without a goroutine each.
func TestWaitingLoadsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSteady(time.Hour)
		defer s.Close()
		s.MaxStores = 1000
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for store := range client.ID(3000) {
			wg.Go(func() { _, _ = s.lookup(ctx, store+1) })
		}
		synctest.Wait()
		s.mu.Lock()
		waiting := s.PromotionCache.loads.urgent.Len() + s.PromotionCache.loads.later.Len()
		s.mu.Unlock()
		if waiting != 1000-mostLoads || s.calls.Load() != mostLoads {
			t.Errorf("%d loads wait and %d were called, want %d and %d", waiting, s.calls.Load(), 1000-mostLoads, mostLoads)
		}
		// A goroutine for each request, and two for each function that was called. A load that waits has none.
		if n := inBubble(); n < waiting+mostLoads || n > waiting+4*mostLoads {
			t.Errorf("%d goroutines with %d requests and %d calls", n, waiting+mostLoads, mostLoads)
		}
		cancel()
		wg.Wait()
	})
}

// inBubble returns how many goroutines are in the bubble of its caller. Goroutines of the runtime and of earlier tests
// do not count.
func inBubble() int {
	stacks := make([]byte, 1<<24)
	stacks = stacks[:runtime.Stack(stacks, true)]
	_, bubble, _ := strings.Cut(string(stacks), ", synctest bubble ")
	bubble, _, _ = strings.Cut(bubble, "]:")
	return strings.Count(string(stacks), ", synctest bubble "+bubble+"]:")
}

// Stores that were loaded in the same second are not loaded again in the same second.
func TestRefreshesAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stores = 10_000
		s := newSteady(0)
		defer s.Close()
		for range 62 {
			for store := range client.ID(stores) {
				if _, err := s.lookup(t.Context(), store+1); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
			time.Sleep(time.Second)
		}
		most, all := int32(0), int32(0)
		s.began.Range(func(second, n any) bool {
			if second.(int) > 0 {
				most, all = max(most, n.(*atomic.Int32).Load()), all+n.(*atomic.Int32).Load()
			}
			return true
		})
		// A fifth of TTL is twelve seconds.
		if most > stores/8 || all != stores {
			t.Errorf("%d loads in one second, %d in all; want %d at most, of %d", most, all, stores/8, stores)
		}
	})
}

// Stores whose loads hang hold up neither the first load of another store, nor the refresh of one.
func TestHungLoadsLeaveRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSteady(100 * time.Millisecond)
		defer s.Close()
		s.hangs = func(store client.ID) bool { return store < 1000 }
		if known, _ := s.cart(t, 5000); !known {
			t.Fatal("the quiet store is not known")
		}
		var wg sync.WaitGroup
		var stop atomic.Bool
		for store := range client.ID(40) { // each has carts all the time
			wg.Go(func() {
				for !stop.Load() {
					s.cart(t, store+1)
					time.Sleep(100 * time.Millisecond)
				}
			})
		}
		for minute := range 5 {
			time.Sleep(time.Minute)
			if known, after := s.cart(t, client.ID(2000+minute)); !known || after != 100*time.Millisecond {
				t.Errorf("minute %d: the first cart of a store: known %v after %v, want true after 100ms", minute, known, after)
			}
			if known, after := s.cart(t, 5000); !known || after > 0 {
				t.Errorf("minute %d: the quiet store: known %v after %v", minute, known, after)
			}
		}
		stop.Store(true)
		wg.Wait()
	})
}

// Loads that only refresh, or that follow a failure, leave places to the first loads of stores, and the other way
// round.
func TestKindsOfLoads(t *testing.T) {
	queue := func(q *loads, urgent bool, n int) {
		for range n {
			in := &q.later
			if urgent {
				in = &q.urgent
			}
			(&loading{of: &shelf{}}).enter(in)
		}
	}
	call := func(q *loads) (urgent, later int) {
		for l := q.next(); l != nil; l = q.next() {
			q.running = append(q.running, l)
			if l.from == &q.urgent {
				urgent++
			} else {
				later++
			}
		}
		return urgent, later
	}
	for _, v := range []struct {
		urgent, later int
		want          string
	}{
		{100, 0, "16 0"},
		{0, 100, "0 12"},
		{100, 100, "12 4"},
		{100, 2, "14 2"},
		{3, 100, "3 12"},
	} {
		var q loads
		queue(&q, true, v.urgent)
		queue(&q, false, v.later)
		urgent, later := call(&q)
		if got := fmt.Sprint(urgent, " ", later); got != v.want {
			t.Errorf("%d urgent loads and %d others: %s are called, want %s", v.urgent, v.later, got, v.want)
		}
	}
}

// A cart whose load could not end in time is answered at once, and its store is loaded when there is a place.
func TestCartsWithoutAChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSteady(time.Second)
		defer s.Close()
		s.cart(t, 1) // so that it is known how long a load takes
		time.Sleep(time.Second)
		for store := range client.ID(mostLoads) {
			go s.cart(t, 100+store)
		}
		synctest.Wait()
		_, err := s.lookup(deadline(t, DefaultBudget), 7)
		if !errors.Is(err, errCrowded) || !errors.Is(err, ErrNoPromotions) || strings.Contains(err.Error(), "MaxStores") {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Second)
		synctest.Wait() // for the loads that end at this moment
		if known, after := s.cart(t, 7); known || after != DefaultBudget {
			t.Errorf("there is a place, and the load takes longer than the answer may: known %v after %v", known, after)
		}
		time.Sleep(time.Second)
		if known, after := s.cart(t, 7); !known || after > 0 {
			t.Errorf("loaded meanwhile: known %v after %v", known, after)
		}
	})
}

func deadline(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
