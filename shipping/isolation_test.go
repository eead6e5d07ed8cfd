package shipping

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// of returns a request for rates of a carrier of a store, with a key of its own for each n.
func of(store client.ID, carrier string, n int) []byte {
	return fmt.Appendf(nil, `{"store_id":%d,"carrier":{"id":%q},"items":[{"id":1,"quantity":1,"grams":%d}]}`, store, carrier, n)
}

// A dead carrier opened the breaker of all others.
func TestBreakersArePerCarrier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(func(_ context.Context, q Quote) ([]Rate, error) {
			if q.StoreID == 1 && q.CarrierID == "dead" {
				return nil, errDown
			}
			return []Rate{ship(t, "standard")}, nil
		}, nil)
		for n := range 30 {
			post(p, of(1, "dead", n))
		}
		if a := p.last(); !errors.Is(a.Err, ErrUpstream) {
			t.Fatalf("the breaker of the dead carrier is closed: %+v", a)
		}
		p.want(t, of(1, "alive", 1), 200, SourceCalled)
		p.want(t, of(2, "dead", 1), 200, SourceCalled)
		synctest.Wait()
		for _, f := range p.failures() {
			if f.StoreID != 1 || f.CarrierID != "dead" {
				t.Errorf("reported %v", f)
			}
		}
	})
}

// The platform has a circuit for each carrier; the handler mixed them.
func TestHealthIsPerCarrier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(func(_ context.Context, q Quote) ([]Rate, error) {
			if q.StoreID == 1 {
				return nil, errDown
			}
			return []Rate{ship(t, "standard")}, nil
		}, nil)
		for n := range healthRequests {
			post(p, of(1, "7", n))
			post(p, of(2, "7", n))
			post(p, of(2, "7", n))
		}
		dead, well := p.HealthOf(1, "7"), p.HealthOf(2, "7")
		if dead.State != HealthStateOpen || dead.StoreID != 1 || dead.CarrierID != "7" || dead.Failures != 500 {
			t.Errorf("the dead carrier: got %+v", dead)
		}
		if well.State != HealthStateHealthy || well.Failures != 0 || well.Requests != 1000 {
			t.Errorf("the other carrier: got %+v", well)
		}
		if h := p.Health(); h != dead {
			t.Errorf("got %+v, want that of the carrier that is worst off", h)
		}
		if all := slices.Collect(p.Healths()); len(all) != 2 || all[0] != well || all[1] != dead {
			t.Errorf("got %+v", all)
		}
		if len(p.states) != 2 || p.states[1].State != HealthStateOpen || p.states[1].StoreID != 1 {
			t.Errorf("called with %+v", p.states)
		}
		var due time.Duration
		p.Rates = func(ctx context.Context, q Quote) ([]Rate, error) {
			at, _ := AnswerBy(ctx)
			due = time.Until(at)
			return []Rate{ship(t, "standard")}, nil
		}
		time.Sleep(healthRest)
		p.want(t, of(2, "7", -1+1_000_000), 200, SourceCalled)
		if due != DefaultBudget-margin {
			t.Errorf("%v until the answer is due, want the whole budget beside a carrier that is probed", due)
		}
	})
}

// Carriers that are idle are forgotten, and their number is bounded.
func TestIdleCarriersAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(always(ship(t, "standard")), nil)
		for n := range 100 {
			post(p, of(client.ID(n+1), "7", 1))
		}
		time.Sleep(healthWindow)
		post(p, of(1, "7", 1))
		time.Sleep(healthBucket)
		post(p, of(1, "7", 1))
		if n := p.circuits.of.Len(); n != 1 {
			t.Errorf("%d carriers are followed, want the one that was asked in the last half hour", n)
		}
		for n := range mostCircuits + 10 {
			p.circuits.get(account{client.ID(n + 1), "7"}, time.Now(), nil)
		}
		if n := p.circuits.of.Len(); n != mostCircuits || p.circuits.find(account{10, "7"}) != nil {
			t.Errorf("%d carriers are followed, want %d, without the first", n, mostCircuits)
		}
	})
}

// set returns the time with another reading of the wall clock, and the same of the monotonic one.
func set(at time.Time, by time.Duration) time.Time {
	const monotonic, nanoseconds = 1 << 63, 30
	wall := (*uint64)(unsafe.Pointer(&at))
	if *wall&monotonic != 0 {
		*wall += uint64(by/time.Second) << nanoseconds
	}
	return at
}

// A wall clock that was set emptied the window, or held it.
func TestHealthGoesByTheMonotonicClock(t *testing.T) {
	for _, by := range []time.Duration{-6 * time.Hour, 6 * time.Hour} {
		m, now := &mirror{}, time.Now()
		for range 249 {
			m.record(now, true)
		}
		if wall := set(now, by); wall.Unix()-now.Unix() != int64(by/time.Second) || wall.Sub(now) != 0 {
			t.Fatalf("the clock was not set: %v", wall)
		}
		if h, _ := m.record(set(now, by), true); h.State != HealthStateAtRisk || h.Requests != 250 {
			t.Errorf("the clock was set by %v: got %+v, want 250 requests", by, h)
		}
		if h, _ := m.look(set(now.Add(healthWindow+healthBucket), -by)); h.Requests != 0 {
			t.Errorf("half an hour later, the clock was set by %v: got %+v, want none", -by, h)
		}
	}
}

// A quiet store is answered while others flood, fail, are slow or hang.
func TestProofQuietStore(t *testing.T) {
	for _, neighbour := range []struct {
		name string
		do   func(ctx context.Context) error
	}{
		{"floods", func(context.Context) error { time.Sleep(time.Second); return nil }},
		{"fails", func(context.Context) error { return errDown }},
		{"slow", func(context.Context) error { time.Sleep(3800 * time.Millisecond); return nil }},
		{"hangs", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
		{"hangs and ignores its context", func(context.Context) error { time.Sleep(time.Hour); return nil }},
	} {
		for _, same := range []bool{false, true} { // another carrier of the same store
			for _, key := range []bool{false, true} { // one key, so that requests wait for one call
				synctest.Test(t, func(t *testing.T) {
					p := newProbe(func(ctx context.Context, q Quote) ([]Rate, error) {
						if q.CarrierID == "loud" {
							if err := neighbour.do(ctx); err != nil {
								return nil, err
							}
						} else {
							time.Sleep(10 * time.Millisecond)
						}
						return []Rate{ship(t, "standard")}, nil
					}, func(h *Handler) { h.MaxRuns, h.OnFailure = 128, func(context.Context, *Failure) {} })
					var wg sync.WaitGroup
					for n := range tier.Size(300, 3_000, 30_000) {
						if key {
							n = 0
						}
						wg.Go(func() { post(p, of(1, "loud", n)) })
						if n%100 == 99 {
							time.Sleep(10 * time.Millisecond)
						}
					}
					synctest.Wait()
					var waits []time.Duration
					quiet := client.ID(2)
					if same {
						quiet = 1
					}
					for n := range 100 {
						began := time.Now()
						if w := post(p, of(quiet, "quiet", n)); w.Code != 200 { // others are answered at the same time
							t.Errorf("the quiet carrier got %d %s", w.Code, w.Body)
						}
						waits = append(waits, time.Since(began))
						wg.Go(func() { post(p, of(1, "loud", -n*map[bool]int{false: 1}[key]+10_000)) })
						time.Sleep(10 * time.Millisecond)
					}
					slices.Sort(waits)
					if p99 := waits[98]; p99 != 10*time.Millisecond {
						t.Errorf("beside a carrier that %s (same store %v, one key %v): the 99th percentile is %v, want 10ms", neighbour.name, same, key, p99)
					}
					wg.Wait()
					time.Sleep(2 * time.Hour)
				})
			}
		}
	}
}

// A key whose calls hang holds two places, and its requests are answered in time.
func TestCallsPerKeyAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{deaf: true}
		s.set(nil, nil, time.Hour)
		p := newProbe(s.do, nil)
		for n := range 5 {
			began := time.Now()
			w := post(p, document(t, "rate_request"))
			status, took := 503, DefaultBudget-margin
			if n > mostLate {
				status, took = 429, 0
			}
			if w.Code != status || time.Since(began) != took {
				t.Errorf("request %d: got %d after %v, want %d after %v", n+1, w.Code, time.Since(began), status, took)
			}
			synctest.Wait()
		}
		if got := s.calls.Load(); got != mostLate+1 {
			t.Errorf("%d calls, want %d", got, mostLate+1)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := p.engine.server.Runs.Running(); n != 0 {
			t.Errorf("%d calls are in progress after all ended", n)
		}
	})
}
