package webhook

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// shop is a store whose state changes, and a handler that takes its time between
// reading the state and being done.
type shop struct {
	state   atomic.Int64
	applied atomic.Int64
	runs    atomic.Int64
	busy    atomic.Int64
	overlap atomic.Bool
	takes   atomic.Int64 // time.Duration
	fail    func(run int64) error
}

func taking(d time.Duration) *shop {
	s := &shop{}
	s.takes.Store(int64(d))
	return s
}

func (s *shop) handle(context.Context, Delivery[Entity]) error {
	run := s.runs.Add(1)
	if s.busy.Add(1) > 1 {
		s.overlap.Store(true)
	}
	defer s.busy.Add(-1)
	seen := s.state.Load()
	time.Sleep(time.Duration(s.takes.Load()))
	s.applied.Store(seen)
	if s.fail != nil {
		return s.fail(run)
	}
	return nil
}

func (s *shop) handler(t *testing.T, configure func(*Handler)) *probe {
	var events Registry
	On(&events, OrderPaid, s.handle)
	return newProbe(t, func(h *Handler) {
		h.Registry = &events
		if configure != nil {
			configure(h)
		}
	})
}

// lanes returns how many keys the joiner knows.
func (p *probe) lanes() int {
	p.engine.joiner.mu.Lock()
	defer p.engine.joiner.mu.Unlock()
	return len(p.engine.joiner.lanes)
}

// TestJoinerNeverSharesAnEarlierRun: a delivery that arrives while a run is in
// progress tells of a change that the run may not have seen.
func TestJoinerNeverSharesAnEarlierRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(time.Second)
		p := s.handler(t, nil)
		var wg sync.WaitGroup
		for _, change := range []int64{1, 2} { // the second while the first is handled
			wg.Go(func() {
				time.Sleep(time.Duration(change-1) * 500 * time.Millisecond)
				s.state.Store(change)
				if w := send(p, signed(paidBody)); w.Code != http.StatusOK {
					t.Errorf("change %d: got %d, want 200", change, w.Code)
				}
				if got := s.applied.Load(); got < change {
					t.Errorf("change %d was answered 200 when change %d was applied", change, got)
				}
			})
		}
		wg.Wait()
		if got := s.runs.Load(); got != 2 || s.overlap.Load() {
			t.Errorf("got %d runs, overlapping %v; want 2, false", got, s.overlap.Load())
		}
	})
}

func TestDuplicatesShareTwoRuns(t *testing.T) {
	for _, n := range []int{1, 2, 3, 100} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := taking(time.Second)
				var joined atomic.Int64
				p := s.handler(t, func(h *Handler) {
					h.OnJoined = func(context.Context, Name, client.ID) {
						joined.Add(1)
						panic("no meter")
					}
				})
				var wg sync.WaitGroup
				for range n {
					wg.Go(func() {
						if w := send(p, signed(paidBody)); w.Code != http.StatusOK {
							t.Errorf("got %d, want 200", w.Code)
						}
					})
				}
				wg.Wait()
				if got, want := s.runs.Load(), int64(min(n, 2)); got != want || s.overlap.Load() ||
					joined.Load() != int64(n-1) {
					t.Errorf("got %d runs, overlapping %v, %d joined; want %d, false, %d", got, s.overlap.Load(),
						joined.Load(), want, n-1)
				}
			})
		})
	}
}

// TestArrivalDuringProcessing: a thousand times, a change during a run is applied.
func TestArrivalDuringProcessing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(300 * time.Millisecond)
		p := s.handler(t, nil)
		var wg sync.WaitGroup
		for i := range 1000 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 7 * time.Millisecond)
				change := s.state.Add(1)
				if w := send(p, signed(paidBody)); w.Code != http.StatusOK || s.applied.Load() < change {
					t.Errorf("change %d: answered %d when change %d was applied", change, w.Code, s.applied.Load())
				}
			})
		}
		wg.Wait()
		// 7 s of changes, one run of 300 ms after the other.
		if got := s.runs.Load(); got < 20 || got > 26 || s.overlap.Load() {
			t.Errorf("got %d runs, overlapping %v", got, s.overlap.Load())
		}
	})
}

func TestOutcomeIsOfTheSharedRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(time.Second)
		s.fail = func(run int64) error {
			if run == 2 {
				return errors.New("second run")
			}
			return nil
		}
		p := s.handler(t, nil)
		var codes []int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				w := send(p, signed(paidBody))
				mu.Lock()
				defer mu.Unlock()
				codes = append(codes, w.Code)
			})
		}
		wg.Wait()
		if slices.Sort(codes); !slices.Equal(codes, []int{200, 503, 503, 503, 503}) {
			t.Errorf("got %v, want the first answered 200 and those of the second run 503", codes)
		}
		if len(p.failed) != 1 {
			t.Errorf("got %d reports, want one for the run", len(p.failed))
		}
	})
}

// TestSharedRunHasTheLastBody: and the time that is left to the last who waits.
func TestSharedRunHasTheLastBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events Registry
		var bodies []string
		var left []time.Duration
		On(&events, OrderPaid, func(ctx context.Context, d Delivery[Entity]) error {
			due, _ := ctx.Deadline()
			bodies, left = append(bodies, string(d.Payload.Extra["try"])), append(left, time.Until(due))
			time.Sleep(time.Second)
			return nil
		})
		p := newProbe(t, func(h *Handler) { h.Registry = &events })
		var wg sync.WaitGroup
		for try := range 4 {
			wg.Go(func() {
				time.Sleep(time.Duration(try) * 200 * time.Millisecond)
				send(p, signed(`{"store_id":1,"event":"order/paid","id":2,"try":`+strconv.Itoa(try)+`}`))
			})
		}
		wg.Wait()
		if want := []string{"0", "3"}; !slices.Equal(bodies, want) {
			t.Errorf("got tries %v, want %v", bodies, want)
		}
		if want := []time.Duration{DefaultBudget, DefaultBudget - 400*time.Millisecond}; !slices.Equal(left, want) {
			t.Errorf("got %v left, want %v", left, want)
		}
	})
}

// TestLateRun: after the answer the run goes on alone, the retry waits for it, and
// the next run sees what came since.
func TestLateRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(4 * time.Second)
		p := s.handler(t, nil)
		start := time.Now()
		post := func(at time.Duration, want int, until time.Duration) {
			time.Sleep(time.Until(start.Add(at)))
			w := send(p, signed(paidBody))
			if took := time.Since(start); w.Code != want || took != until {
				t.Errorf("posted at %v: got %d at %v, want %d at %v", at, w.Code, took, want, until)
			}
		}
		var wg sync.WaitGroup
		wg.Go(func() { post(0, 503, 2500*time.Millisecond) })
		// Its run would begin at 4 s, after its answer: it never begins.
		wg.Go(func() { post(time.Second, 503, 3500*time.Millisecond) })
		wg.Wait()
		time.Sleep(time.Until(start.Add(5 * time.Second)))
		if s.runs.Load() != 1 || s.busy.Load() != 0 {
			t.Errorf("at 5s: got %d runs, %d busy; want 1, 0", s.runs.Load(), s.busy.Load())
		}
		s.takes.Store(int64(time.Second))
		post(6*time.Second, 200, 7*time.Second)
		if got := s.runs.Load(); got != 2 || s.overlap.Load() {
			t.Errorf("got %d runs, overlapping %v; want 2, false", got, s.overlap.Load())
		}
		if len(p.failed) != 2 || !errors.Is(p.failed[0], ErrLate) || !errors.Is(p.failed[1], ErrLate) {
			t.Errorf("got reports %v, want ErrLate twice", p.failed)
		}
	})
}

// TestRetryJoinsLateRun: a delivery during a late run is answered by a run that
// begins when that has ended.
func TestRetryJoinsLateRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(3 * time.Second)
		p := s.handler(t, nil)
		start := time.Now()
		if w := send(p, signed(paidBody)); w.Code != http.StatusServiceUnavailable {
			t.Errorf("first: got %d, want 503", w.Code)
		}
		s.takes.Store(int64(time.Second))
		w := send(p, signed(paidBody)) // at 2.5 s; the first run ends at 3 s
		if took := time.Since(start); w.Code != http.StatusOK || took != 4*time.Second || s.overlap.Load() {
			t.Errorf("retry: got %d at %v, overlapping %v; want 200 at 4s, false", w.Code, took, s.overlap.Load())
		}
	})
}

// TestSenderHangsUp: the run of a sender that left goes on for the others and is
// not cancelled.
func TestSenderHangsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events Registry
		ended := errors.New("the run did not end")
		On(&events, OrderPaid, func(ctx context.Context, _ Delivery[Entity]) error {
			time.Sleep(time.Second)
			ended = ctx.Err()
			return nil
		})
		p := newProbe(t, func(h *Handler) { h.Registry = &events })
		ctx, hangUp := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, hangUp)
		start := time.Now()
		send(p, signed(paidBody).WithContext(ctx))
		if took := time.Since(start); took != 100*time.Millisecond {
			t.Errorf("waited %v for a sender that left after 100ms", took)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if ended != nil || len(p.failed) != 0 {
			t.Errorf("got context %v, reports %v; want neither", ended, p.failed)
		}
	})
}

// TestOthersHangUp: whoever leaves, a run that somebody waits for begins: the one of a sender that
// waits for the same run, and the one after a run whose own sender is gone.
func TestOthersHangUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(time.Second)
		p := s.handler(t, nil)
		start := time.Now()
		var all sync.WaitGroup
		post := func(at, leaves time.Duration, want int) {
			all.Go(func() {
				time.Sleep(at)
				ctx, hangUp := context.WithCancel(t.Context())
				defer hangUp()
				if leaves > 0 {
					time.AfterFunc(leaves-at, hangUp)
				}
				if w := send(p, signed(paidBody).WithContext(ctx)); leaves == 0 && w.Code != want {
					t.Errorf("sent at %v: got %d after %v, want %d", at, w.Code, time.Since(start), want)
				}
			})
		}
		post(0, 0, 200)                                      // runs till 1 s
		post(100*time.Millisecond, 500*time.Millisecond, 0)  // leaves before the run that it shares with the next
		post(200*time.Millisecond, 0, 200)                   // runs till 2 s
		post(300*time.Millisecond, 1300*time.Millisecond, 0) // and shares it, and leaves while it is in progress
		post(1100*time.Millisecond, 0, 200)                  // runs till 3 s
		// runs till 4 s, alone, and leaves while it is in progress
		post(2100*time.Millisecond, 3300*time.Millisecond, 0)
		post(3100*time.Millisecond, 0, 200) // runs till 5 s
		all.Wait()
		if got := s.runs.Load(); got != 5 || time.Since(start) != 5*time.Second || len(p.failed) != 0 ||
			p.lanes() != 0 {
			t.Errorf("got %d runs in %v, reports %v, %d keys left; want 5 in 5s, none and none", got, time.Since(start),
				p.failed, p.lanes())
		}
	})
}

// TestStorm: 10,000 deliveries of 100 orders, each order a hundred times, against
// the real clock. Each is answered when a run is over that began after it was sent, and
// each run has a delivery of its own that waited for it.
func TestStorm(t *testing.T) {
	const orders, deliveries, senders = 100, 10_000, 64
	s := &shop{}
	var order atomic.Int64 // of what happens
	var events Registry
	var mu sync.Mutex
	began, waits := map[client.ID][]int64{}, map[client.ID][]wait{}
	On(&events, OrderPaid, func(ctx context.Context, d Delivery[Entity]) error {
		mu.Lock()
		began[d.Payload.ID] = append(began[d.Payload.ID], order.Add(1))
		mu.Unlock()
		return s.handle(ctx, d)
	})
	p := newProbe(t, func(h *Handler) { h.Registry = &events })
	var wg sync.WaitGroup
	for worker := range senders {
		wg.Go(func() {
			for i := worker; i < deliveries; i += senders {
				id := client.ID(i%orders + 1)
				w := wait{sent: order.Add(1)}
				body := `{"store_id":1,"event":"order/paid","id":` + id.String() + `}`
				if got := send(p, signed(body)); got.Code != http.StatusOK {
					t.Errorf("got %d, want 200", got.Code)
				}
				w.answered = order.Add(1)
				mu.Lock()
				waits[id] = append(waits[id], w)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	runs := 0
	for id := client.ID(1); id <= orders; id++ {
		runs += len(began[id])
		for _, w := range waits[id] {
			if !slices.ContainsFunc(began[id], w.has) {
				t.Errorf("order %d: a delivery was answered for which no run began", id)
			}
		}
		if n := idle(began[id], waits[id]); n > 0 {
			t.Errorf("order %d: %d of %d runs have no delivery of their own", id, n, len(began[id]))
		}
	}
	t.Logf("%d runs of %d deliveries", runs, deliveries)
	if n := p.lanes(); n != 0 {
		t.Errorf("got %d keys left behind", n)
	}
}

// wait is the time of a delivery, by the order of what happens.
type wait struct{ sent, answered int64 }

func (w wait) has(at int64) bool { return w.sent < at && at < w.answered }

// idle counts the runs, in their order, for which no delivery is left that waited. Of those that did, a run has the one
// that was answered first: later runs can have the others.
func idle(began []int64, waits []wait) (n int) {
	left := slices.SortedFunc(slices.Values(waits), func(a, b wait) int { return cmp.Compare(a.answered, b.answered) })
	for _, at := range began {
		i := slices.IndexFunc(left, func(w wait) bool { return w.has(at) })
		if i < 0 {
			n++
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	return n
}

// A run that waits for another one of its key takes a place like others. If there is none, its delivery is answered 503
// and reported, and the key is free again.
func TestNextRunFindsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := taking(time.Second)
		p := s.handler(t, func(h *Handler) { h.MaxRuns = 1 })
		order := func(store int) int {
			return send(p, signed(`{"store_id":`+strconv.Itoa(store)+`,"event":"order/paid","id":5}`)).Code
		}
		var all sync.WaitGroup
		codes := make([]int, 3)
		for i, at := range []time.Duration{0, 500 * time.Millisecond, time.Second - time.Millisecond} {
			all.Go(func() {
				time.Sleep(at)
				codes[i] = order([]int{1, 1, 2}[i]) // the last takes the place that the first leaves
			})
		}
		all.Wait()
		if codes[0] != 200 || codes[1] != 503 || codes[2] != 200 || len(p.failed) != 1 || p.lanes() != 0 {
			t.Errorf("got %v, reports %v, %d keys left; want the second of the store 503 and reported", codes, p.failed,
				p.lanes())
		}
		if code := order(1); code != 200 {
			t.Errorf("afterwards: got %d, want 200", code)
		}
	})
}
