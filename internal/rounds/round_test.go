package rounds

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// town has stores that a Round visits, and notes the visits.
type town struct {
	mu      sync.Mutex
	stores  []int
	visits  map[int][]time.Duration // when they began
	at      map[int]int             // in progress
	working map[context.Context]bool
	most    int // in progress at a time, without those whose contexts have ended
	failed  map[int][]string
	list    func() error
	do      func(ctx context.Context, store int) error
	began   time.Time
	Round[int, int]
}

func newTown(stores int, do func(ctx context.Context, store int) error) *town {
	c := &town{visits: map[int][]time.Duration{}, at: map[int]int{}, failed: map[int][]string{}, working: map[context.Context]bool{}, do: do, began: time.Now()}
	for store := range stores {
		c.stores = append(c.stores, store+1)
	}
	return c
}

// run runs the round in the background, and returns the function that ends it.
func (c *town) run(t *testing.T, places int, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Run(ctx, Plan[int, int]{Places: places, Every: every, List: c.all, Visit: func(ctx context.Context, s *Store[int, int]) error {
			s.State++
			return c.visit(ctx, s.Key)
		}, Failed: func(_ context.Context, store int, err error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.failed[store] = append(c.failed[store], err.Error())
		}})
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (c *town) all(context.Context) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		c.mu.Lock()
		stores, list := slices.Clone(c.stores), c.list
		c.mu.Unlock()
		if list != nil {
			if err := list(); err != nil {
				yield(0, err)
			}
		}
		for _, store := range stores {
			if !yield(store, nil) {
				return
			}
		}
	}
}

func (c *town) visit(ctx context.Context, store int) error {
	c.mu.Lock()
	c.visits[store] = append(c.visits[store], time.Since(c.began))
	c.at[store]++
	c.working[ctx] = true
	working := 0
	for ctx := range c.working {
		if ctx.Err() == nil {
			working++
		}
	}
	c.most = max(c.most, working)
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.at[store]--
		delete(c.working, ctx)
	}()
	return c.do(ctx, store)
}

// check verifies that no store has two visits, and returns how often a store was visited and what was reported.
func (c *town) check(t *testing.T, store int) (visits []time.Duration, failed []string) {
	t.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for store, n := range c.at {
		if n > 1 {
			t.Errorf("store %d has %d visits at a time", store, n)
		}
	}
	return slices.Clone(c.visits[store]), slices.Clone(c.failed[store])
}

// work makes progress a number of times.
func work(ctx context.Context, times int, each time.Duration) error {
	for range times {
		select {
		case <-time.After(each):
			Moved(ctx)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

var errDown = errors.New("down")

// A visit that takes long loses its place, and is reported if it makes no progress. It continues, or ends when more
// visits are late than there are places.
func TestLateVisits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTown(5, func(ctx context.Context, store int) error {
			switch store {
			case 1: // long, and working
				return work(ctx, 90, time.Minute)
			case 2, 3: // hang
				<-ctx.Done()
				return context.Cause(ctx)
			}
			return nil
		})
		stop := c.run(t, 1, time.Hour)
		for _, v := range []struct {
			store  int
			begins time.Duration
			told   int
		}{{1, 0, 0}, {2, 3 * time.Minute, 1}, {3, 6 * time.Minute, 1}, {4, 9 * time.Minute, 0}, {5, 9 * time.Minute, 0}} {
			if v.store == 1 {
				time.Sleep(30 * time.Minute)
			}
			visits, failed := c.check(t, v.store)
			if !slices.Equal(visits, []time.Duration{v.begins}) || len(failed) != v.told {
				t.Errorf("store %d: visits at %v, reported %q; want one at %v and %d reports", v.store, visits, failed, v.begins, v.told)
			}
		}
		status := c.All()
		if s := status[1]; !s.Began.Equal(c.began) || s.Err != nil {
			t.Errorf("a visit that works: %+v; want it to continue", s)
		}
		if s := status[2]; !s.Began.IsZero() || !errors.Is(s.Err, context.DeadlineExceeded) || s.Failed.Sub(c.began) != 6*time.Minute {
			t.Errorf("a visit that hangs: %+v; want its end after six minutes", s)
		}
		if s := status[3]; !s.Began.IsZero() || s.Failed.Sub(c.began) != 9*time.Minute {
			t.Errorf("the second visit that hangs: %+v", s)
		}
		time.Sleep(95 * time.Minute)
		if s := c.All()[1]; s.Good.Sub(c.began) != 90*time.Minute {
			t.Errorf("a visit of 90 minutes: %+v", s)
		}
		if visits, _ := c.check(t, 1); !slices.Equal(visits, []time.Duration{0, 2 * time.Hour}) {
			t.Errorf("store 1 was visited at %v; want it to be left out of the pass during its visit", visits)
		}
		stop()
		if c.most > 2 {
			t.Errorf("%d visits at a time, want 2 at most: one with a place and one without", c.most)
		}
	})
}

// A store that fails is visited less often, until another one that failed succeeds.
func TestStoresThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var up, partly atomic.Bool
		c := newTown(3, func(ctx context.Context, store int) error {
			time.Sleep(time.Second)
			if store == 3 && partly.Load() {
				Moved(ctx)
			}
			if store == 3 && up.Load() {
				return nil
			}
			return errDown
		})
		stop := c.run(t, 2, time.Hour)
		time.Sleep(20*time.Hour + time.Minute)
		hours := func(store int) (all []int) {
			visits, failed := c.check(t, store)
			for _, at := range visits {
				all = append(all, int(at/time.Hour))
			}
			if len(failed) > 0 {
				t.Errorf("reported %q; a visit reports its failures itself", failed)
			}
			return all
		}
		want := []int{0, 1, 2, 3, 5, 8, 12, 16, 20}
		if got := hours(1); !slices.Equal(got, want) {
			t.Errorf("visits after %v hours, want %v", got, want)
		}
		if s := c.All()[1]; !errors.Is(s.Err, errDown) || !s.Good.IsZero() || s.Failed.Sub(c.began) != 20*time.Hour+time.Second {
			t.Errorf("got %+v", s)
		}
		up.Store(true)
		time.Sleep(5 * time.Hour) // store 3 is visited after 24 hours, and the others after 25
		if got := hours(1); !slices.Equal(got, append(want, 24, 25)) {
			t.Errorf("visits after %v hours, want one in the pass after the first success", got)
		}
		up.Store(false)
		partly.Store(true)
		time.Sleep(10 * time.Hour)
		if got := hours(3); len(got) != len(want)+12 {
			t.Errorf("visits after %v hours; want each hour, because a part succeeds", got)
		}
		stop()
	})
}

// Stores whose last visit failed are visited after the others, but do not wait for them forever.
func TestStoresThatFailComeLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var takes atomic.Int64
		takes.Store(int64(time.Minute))
		c := newTown(30, func(ctx context.Context, store int) error {
			if time.Sleep(time.Duration(takes.Load())); store <= 2 {
				return errDown
			}
			return nil
		})
		stop := c.run(t, 1, time.Hour)
		time.Sleep(95 * time.Minute)
		for store, minutes := range map[int]time.Duration{1: 88, 2: 89, 3: 60, 30: 87} {
			if visits, _ := c.check(t, store); len(visits) != 2 || visits[1] != minutes*time.Minute {
				t.Errorf("store %d was visited at %v, want %v", store, visits, minutes*time.Minute)
			}
		}
		takes.Store(int64(170 * time.Second)) // the other stores alone take more than an hour
		time.Sleep(8 * time.Hour)
		if visits, _ := c.check(t, 1); len(visits) < 3 {
			t.Errorf("store 1 was visited at %v, want a visit although the others always wait", visits)
		}
		stop()
		time.Sleep(time.Hour) // for visits that ignored the end
	})
}

// What goes wrong in a list of the stores is reported, and the stores that are known are visited while it hangs.
func TestListsThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTown(2, func(context.Context, int) error { return nil })
		release := make(chan struct{})
		stop := c.run(t, 1, time.Hour)
		expect := func(what string, visits int, report string) {
			t.Helper()
			got, _ := c.check(t, 1)
			_, failed := c.check(t, 0)
			if len(got) != visits || len(failed) != 1 || failed[0] != report {
				t.Errorf("%s: %d visits, reported %q; want %d and %q", what, len(got), failed, visits, report)
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.failed, 0)
		}
		next := func(list func() error) {
			c.mu.Lock()
			c.list = list
			c.mu.Unlock()
			time.Sleep(time.Hour)
		}
		time.Sleep(time.Minute)
		next(func() error { return errDown })
		expect("an error", 2, "down")
		next(func() error { panic("no pool") })
		expect("a panic", 2, "panic: no pool")
		next(func() error { runtime.Goexit(); return nil })
		expect("an exit", 2, "ended its goroutine (runtime.Goexit)")
		next(func() error { <-release; return nil })
		time.Sleep(15 * time.Minute)
		expect("a list that hangs", 2, "no progress in time: none for 15m0s, must make some within 15m0s; it continues without its place; "+
			"check whether the API, the database or a function of the app hangs")
		time.Sleep(2 * time.Hour)
		if visits, _ := c.check(t, 1); len(visits) != 4 {
			t.Errorf("%d visits, want 4: the stores are known", len(visits))
		}
		close(release)
		c.mu.Lock()
		c.list, c.stores = nil, []int{2}
		c.mu.Unlock()
		time.Sleep(2 * time.Hour)
		if s, there := c.All()[1]; there {
			t.Errorf("a store that is not listed: %+v; want it forgotten", s)
		}
		c.Wake()
		before, _ := c.check(t, 2)
		c.Wake()
		if after, _ := c.check(t, 2); len(after) != len(before)+1 {
			t.Errorf("%d visits, then %d; want one for each Wake", len(before), len(after))
		}
		stop()
	})
}

// Run ends although a visit ignores its context, and calls no function later.
func TestRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c := newTown(3, func(ctx context.Context, store int) error {
			if store == 1 {
				<-release
			}
			<-ctx.Done()
			return ctx.Err()
		})
		stop := c.run(t, 2, time.Hour)
		time.Sleep(time.Minute)
		began := time.Now()
		stop()
		if took := time.Since(began); took > endTime {
			t.Errorf("Run ended after %v, want %v at most", took, endTime)
		}
		if s := c.All()[2]; s.Err != nil {
			t.Errorf("%+v; want no failure, because the round has ended", s)
		}
		close(release)
		if visits, _ := c.check(t, 3); visits != nil {
			t.Errorf("store 3 was visited at %v", visits)
		}
	})
}

// Random stores are slow, hang, ignore their contexts, fail, panic and end their goroutines, each for a while. Whatever
// happens, a store has one visit at a time, at most twice as many visits work as there are places, and a healthy store
// is visited within two passes.
func TestRandomRounds(t *testing.T) {
	seed := rand.Uint64()
	for n := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			randomRound(t, rand.New(rand.NewPCG(seed, n)), fmt.Sprintf("seed %d, %d", seed, n))
		})
	}
}

func randomRound(t *testing.T, r *rand.Rand, seed string) {
	places, stores := 1+r.IntN(5), 1+r.IntN(60)
	every := time.Duration(1+r.IntN(60)) * time.Minute
	healthy := func(store int) bool { return store > stores/4 }
	release := make(chan struct{})
	rolls := make([]int, stores+1) // of each store, the next kind of visit
	for i := range rolls {
		rolls[i] = r.IntN(7)
	}
	var mu sync.Mutex
	c := newTown(stores, func(ctx context.Context, store int) error {
		if healthy(store) {
			time.Sleep(time.Duration(store) * every / 10_000)
			return nil
		}
		mu.Lock()
		rolls[store]++
		kind := rolls[store] % 7
		mu.Unlock()
		switch kind {
		case 0:
			<-release
		case 1:
			<-ctx.Done()
		case 2:
			return work(ctx, 100, every/30)
		case 3:
			panic("no")
		case 4:
			runtime.Goexit()
		case 5:
			return errDown
		}
		return nil
	})
	stop := c.run(t, places, every)
	for range 20 {
		time.Sleep(every)
		c.check(t, 0)
	}
	if c.most > 2*places {
		t.Errorf("%s: %d visits work at a time with %d places", seed, c.most, places)
	}
	status := c.All()
	for store := range stores {
		if store++; !healthy(store) {
			if s := status[store]; s == (Status{}) {
				t.Errorf("%s: store %d has no result", seed, store)
			}
			continue
		}
		visits, _ := c.check(t, store)
		for i, last := 0, time.Duration(0); i <= len(visits); i++ {
			at := 20 * every
			if i < len(visits) {
				at = visits[i]
			}
			if at-last > 2*every {
				t.Errorf("%s: store %d was visited after %v and not before %v, every %v", seed, store, last, at, every)
			}
			last = at
		}
		if s := status[store]; s.Err != nil || s.Good.IsZero() {
			t.Errorf("%s: store %d: %+v", seed, store, s)
		}
	}
	stop()
	close(release)
}

// Visits that hang whatever their contexts say are bounded. The next ones begin when some of them have returned.
func TestHungVisitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c := newTown(mostHung+100, func(context.Context, int) error {
			<-release
			return nil
		})
		stop := c.run(t, 4, time.Hour)
		time.Sleep(30 * time.Hour)
		c.check(t, 0)
		c.mu.Lock()
		// Four visits with a place, and four that may continue without one.
		if n := len(c.visits); n < mostHung || n > mostHung+8 || !c.Round.visits.Full() {
			t.Errorf("%d visits, want %d and those that have places", n, mostHung)
		}
		c.mu.Unlock()
		close(release)
		time.Sleep(time.Hour)
		c.check(t, 0)
		if n := len(c.All()); n != mostHung+100 {
			t.Errorf("results of %d stores, want all", n)
		}
		stop()
	})
}
