package webhook_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// gate is a handler of order/paid that takes as long as it is told to.
type gate struct {
	mu       sync.Mutex
	takes    time.Duration
	busy     int
	most     int
	attempts map[string]int // the highest of each entry
	ran      int
}

func (g *gate) handle(ctx context.Context) error {
	g.mu.Lock()
	l, _ := webhook.LeaseOf(ctx)
	g.attempts[l.Key] = max(g.attempts[l.Key], l.Attempt)
	g.ran++
	g.busy++
	g.most = max(g.most, g.busy)
	takes := g.takes
	g.mu.Unlock()
	time.Sleep(takes)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy--
	return nil
}

func (g *gate) take(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.takes = d
}

func (g *gate) count() (ran, most int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ran, g.most
}

func (h *house) deliverMany(store, from, to int) {
	h.t.Helper()
	for id := from; id <= to; id++ {
		h.deliver(fmt.Sprintf(`{"store_id":%d,"event":"order/paid","id":%d}`, store, id))
	}
}

// A worker whose runs are short leases more than it has places for, and runs no more than these at a time.
func TestWorkerLeasesAhead(t *testing.T) {
	// calls of Lease for 200 entries
	for takes, want := range map[time.Duration]int{time.Millisecond: 70, 10 * time.Millisecond: 90} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			g := &gate{takes: takes, attempts: map[string]int{}}
			h.orderPaid(g.handle)
			asked := newFaulty(h.inbox)
			h.worker.Inbox, h.worker.Concurrency, h.worker.PerStore = asked, 2, 2
			h.deliverMany(123, 1, 200)
			stop := h.run()
			time.Sleep(3 * time.Second)
			synctest.Wait()
			stop()
			if ran, most := g.count(); ran != 200 || most != 2 {
				t.Errorf("runs of %v: %d, %d at a time; want 200, 2 at a time", takes, ran, most)
			}
			if n := asked.count("lease"); takes < 5*time.Millisecond && n > want || takes > 5*time.Millisecond &&
				n < want {
				t.Errorf("runs of %v: %d calls of Lease, want about %d", takes, n, want)
			}
		})
	}
}

// Of runs that end at the same time, one lease serves all the places.
func TestLeaseServesRunsThatEndTogether(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the order in which goroutines run must not depend on chance
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		g := &gate{takes: time.Millisecond, attempts: map[string]int{}}
		h.orderPaid(g.handle)
		asked := newFaulty(h.inbox)
		h.worker.Inbox, h.worker.Concurrency, h.worker.PerStore = asked, 16, 16
		const entries, rounds = 480, 30
		h.deliverMany(123, 1, entries)
		stop := h.run()
		time.Sleep(time.Second)
		synctest.Wait()
		stop()
		ran, _ := g.count()
		if n := asked.count("lease"); ran != entries || n > rounds*3/2 {
			t.Errorf("%d runs in rounds of 16 with %d calls of Lease, want %d with about %d", ran, n, entries, rounds)
		}
	})
}

// Entries that were leased ahead are given back when runs become slow, without an attempt, and another worker runs
// them.
func TestLeasedAheadIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		g := &gate{takes: time.Millisecond, attempts: map[string]int{}}
		h.orderPaid(g.handle)
		h.worker.Concurrency, h.worker.PerStore = 2, 2
		stop := h.run()
		h.deliverMany(123, 1, 50)
		time.Sleep(time.Second)
		g.take(time.Minute)
		h.deliverMany(123, 51, 100)
		time.Sleep(50 * time.Millisecond)
		if s := h.stats(); s.Leased <= 2 {
			t.Errorf("%d leased, want more than there are places for", s.Leased)
		}
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if s := h.stats(); s.Leased != 2 {
			t.Errorf("%d leased when runs are slow, want 2: those that have a place", s.Leased)
		}
		other := *h.worker
		other.Concurrency, other.PerStore = 64, 64
		if err := h.runFor(&other, 2*time.Minute); err != nil {
			t.Error(err)
		}
		stop()
		if s := h.stats(); s.Pending != 0 {
			t.Errorf("%+v, want all handled", s)
		}
		for key, attempt := range g.attempts {
			if attempt != 1 {
				t.Errorf("%s: attempt %d, want 1: nobody tried it before", key, attempt)
			}
		}
	})
}

// A worker that is stopped gives back what waits in it.
func TestLeasedAheadEndsWithTheWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		g := &gate{takes: time.Millisecond, attempts: map[string]int{}}
		h.orderPaid(g.handle)
		h.worker.Concurrency = 1
		stop := h.run()
		h.deliverMany(123, 1, 50)
		time.Sleep(time.Second)
		g.take(50 * time.Millisecond)
		h.deliverMany(123, 51, 60)
		synctest.Wait()
		stop()
		if s := h.stats(); s.Leased != 0 || s.Pending == 0 {
			t.Errorf("%+v, want entries that are pending, and none that is leased", s)
		}
	})
}

// Handlers of a store that begin to hang leave places to others, although entries of it were leased ahead.
func TestLeasedAheadLeavesPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		hang, quiet := make(chan struct{}), 0
		var busy, most int
		var mu sync.Mutex
		slow := false
		webhook.On(h.events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
			if d.StoreID == 99 {
				quiet++
				return nil
			}
			mu.Lock()
			busy++
			most = max(most, busy)
			hangs := slow
			mu.Unlock()
			if hangs {
				<-hang
			}
			mu.Lock()
			defer mu.Unlock()
			busy--
			return nil
		})
		h.worker.Timeout = time.Hour
		stop := h.run()
		h.deliverMany(123, 1, 100)
		time.Sleep(time.Second)
		mu.Lock()
		slow = true
		mu.Unlock()
		h.deliverMany(123, 101, 200)
		synctest.Wait()
		if s := h.stats(); s.Leased <= 14 {
			t.Errorf("%d leased, want more than there are places for", s.Leased)
		}
		h.deliver(`{"store_id":99,"event":"order/paid","id":1}`) // its place is not for what was leased ahead
		synctest.Wait()
		if quiet != 1 {
			t.Error("the quiet store waits, although there are places")
		}
		time.Sleep(time.Second)
		h.deliver(`{"store_id":99,"event":"order/paid","id":2}`)
		synctest.Wait()
		if quiet != 2 || most > 14 {
			t.Errorf("%d runs of the quiet store beside %d that hang, want 2 beside 14 at most", quiet, most)
		}
		close(hang)
		time.Sleep(time.Minute)
		stop()
	})
}
