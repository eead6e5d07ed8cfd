package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// dies leases all entries that are due, as a process does that ends in their runs.
func (h *house) dies() {
	h.t.Helper()
	leases, err := h.inbox.Lease(h.t.Context(), webhook.LeaseQuery{Limit: 1000, Term: time.Second})
	if err != nil || len(leases) == 0 {
		h.t.Fatalf("%d leases, %v", len(leases), err)
	}
	time.Sleep(time.Second)
}

// Entries whose process ended run alone, in all workers of the process. Others run meanwhile, but not at the same time,
// and no lease waits.
func TestWorkerAlone(t *testing.T) {
	const suspects, others = 16, 200
	for _, takes := range []time.Duration{0, time.Millisecond, time.Second} {
		t.Run(fmt.Sprint(takes), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				var mu sync.Mutex
				busy, alone, most, ran := 0, 0, 0, map[client.ID]int{}
				webhook.On(h.events, webhook.OrderPaid,
					func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
						l, _ := webhook.LeaseOf(ctx)
						mu.Lock()
						if busy++; l.Unfinished > 0 {
							alone++
							if s := h.stats(); s.Leased != 1 {
								t.Errorf("%d entries are leased while one must be alone", s.Leased)
							}
						}
						if alone > 0 && busy > 1 {
							t.Errorf("%d entries run while one must be alone", busy)
						}
						most = max(most, busy)
						ran[d.Payload.ID]++
						mu.Unlock()
						time.Sleep(takes)
						mu.Lock()
						defer mu.Unlock()
						if busy--; l.Unfinished > 0 {
							alone--
						}
						return nil
					})
				h.deliverMany(1, 1, suspects)
				h.dies()
				h.deliverMany(2, suspects+1, suspects+others)
				second := *h.worker
				stop, ended := h.run(), make(chan error, 1)
				ctx, cancel := context.WithCancel(t.Context())
				go func() { ended <- second.Run(ctx) }()
				time.Sleep(10*time.Second + 100*takes)
				stop()
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				if s := h.stats(); s != (webhook.Stats{}) || len(ran) != suspects+others || takes > 0 && most < 16 {
					t.Errorf("%+v, %d entries ran, up to %d at a time; want all, and 16", s, len(ran), most)
				}
				for id, n := range ran {
					if n != 1 {
						t.Errorf("entry %v ran %d times", id, n)
					}
				}
			})
		})
	}
}

// slowly is an inbox whose Fail takes long.
type slowly struct{ webhook.Inbox }

func (s slowly) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	time.Sleep(500 * time.Millisecond)
	return s.Inbox.Fail(ctx, l, f)
}

// Entries that wait to be alone are not leased meanwhile, however long a database takes to give one back. Otherwise a
// process that ends for a reason of its own would leave each of them unfinished.
func TestWorkerAloneLeasesFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const suspects = 16
		h := newHouse(t)
		h.orderPaid(func(context.Context) error {
			time.Sleep(time.Second)
			return nil
		})
		h.deliverMany(1, 1, suspects)
		h.dies()
		webhook.RestartProcess()
		h.worker.Inbox = slowly{h.inbox}
		stop, most := h.run(), 0
		for h.stats() != (webhook.Stats{}) {
			most = max(most, h.stats().Leased)
			time.Sleep(10 * time.Millisecond)
		}
		stop()
		if most > 2 {
			t.Errorf("%d entries were leased while one was alone, want one that is given back at most", most-1)
		}
	})
}

// A run that takes long, or never ends, delays an entry that must be alone for half of the term of a lease.
func TestWorkerAloneIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.worker.Timeout = time.Hour
		began, handled := time.Now(), time.Duration(0)
		webhook.On(h.events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
			if d.StoreID == 2 {
				time.Sleep(30 * time.Minute)
			} else {
				handled = time.Since(began)
			}
			return nil
		})
		h.deliverMany(1, 1, 1)
		h.dies()
		h.deliverMany(2, 2, 2)
		q := webhook.LeaseQuery{Limit: 1, Term: time.Second, Without: []client.ID{2}}
		leases, err := h.inbox.Lease(t.Context(), q)
		if err != nil || len(leases) != 1 {
			t.Fatal(leases, err)
		}
		stop := h.run()
		time.Sleep(time.Hour)
		stop()
		if s := h.stats(); s != (webhook.Stats{}) || handled < 10*time.Second || handled > 20*time.Second {
			t.Errorf("%+v, handled after %v; want it after half of 30 s", s, handled)
		}
	})
}

// A worker that is stopped gives back an entry that waits to be alone, and one that is alone after Grace. Neither run
// was left unfinished.
func TestWorkerAloneDrains(t *testing.T) {
	for name, running := range map[string]bool{"waiting": false, "running": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.orderPaid(func(ctx context.Context) error {
					<-ctx.Done()
					return ctx.Err()
				})
				h.deliverMany(1, 1, 1)
				h.dies()
				if !running {
					l, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Second})
					if err != nil || len(l) != 1 {
						t.Fatal(l, err)
					}
					h.deliverMany(2, 2, 2)
				}
				stop := h.run()
				time.Sleep(2 * time.Second)
				stop()
				want := map[bool]int{true: 1, false: 2}[running]
				q := webhook.LeaseQuery{Limit: 1, Term: time.Second, Without: []client.ID{2}}
				leases, err := h.inbox.Lease(t.Context(), q)
				if err != nil || len(leases) != 1 || leases[0].Unfinished != want {
					t.Errorf("%+v, %v; want %d unfinished", leases, err, want)
				}
			})
		})
	}
}

// A lease that could not be given back, because the inbox was not reachable, is no reason to believe that its entry
// ends processes.
func TestWorkerSurvivesReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		inbox, down, handled := newFaulty(h.inbox), true, 0
		h.worker.Inbox = inbox
		h.orderPaid(func(ctx context.Context) error {
			if down {
				<-ctx.Done()
				return ctx.Err()
			}
			handled++
			return nil
		})
		h.deliver(paid)
		for range 2 * webhook.MaxUnfinished {
			inbox.set("fail", errors.New("connection refused"))
			stop := h.run()
			time.Sleep(time.Second)
			stop()
			time.Sleep(time.Minute) // the lease is of 30 s
		}
		inbox.set("fail", nil)
		down = false
		stop := h.run()
		time.Sleep(time.Minute)
		stop()
		if s := h.stats(); s != (webhook.Stats{}) || handled != 1 {
			t.Errorf("%+v, handled %d times; want once", s, handled)
		}
	})
}

// A lease that an engine has counted and did not return, because the answer was lost, is no death of the process.
func TestWorkerSurvivesLostLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		handled := 0
		h.orderPaid(func(context.Context) error { handled++; return nil })
		h.deliver(paid)
		for range 2 * webhook.MaxUnfinished {
			leases, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: 30 * time.Second})
			if err != nil || len(leases) != 1 {
				t.Fatalf("%v, %v; want a lease", leases, err)
			}
			webhook.Survived(leases...)
			time.Sleep(time.Minute)
		}
		stop := h.run()
		time.Sleep(time.Minute)
		stop()
		if s := h.stats(); s != (webhook.Stats{}) || handled != 1 {
			t.Errorf("%+v, handled %d times; want once", s, handled)
		}
	})
}

// A handler that goes on after its lease was lost, because the inbox could not be reached, has not ended its process.
func TestWorkerSurvivesSlowHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		inbox, done := newFaulty(h.inbox), make(chan struct{})
		var handled atomic.Int64
		h.worker.Inbox = inbox
		h.orderPaid(func(context.Context) error {
			<-done
			handled.Add(1)
			return nil
		})
		h.deliver(paid)
		inbox.set("extend", errors.New("connection refused"))
		stop := h.run()
		time.Sleep(2 * webhook.MaxUnfinished * time.Minute) // a lease is of 30 s
		inbox.set("extend", nil)
		close(done)
		time.Sleep(time.Minute)
		stop()
		if s := h.stats(); s != (webhook.Stats{}) || handled.Load() <= webhook.MaxUnfinished {
			t.Errorf("%+v, handled %d times; want more than %d, none dead", s, handled.Load(), webhook.MaxUnfinished)
		}
	})
}

// hanging is an inbox whose Extend returns long after its context, as a call over a network that drops all packets may.
type hanging struct {
	webhook.Inbox
	done <-chan struct{}
}

func (h hanging) Extend(context.Context, webhook.Lease, time.Duration) error {
	<-h.done
	return errors.New("i/o timeout")
}

// While the call that would extend a lease hangs, others lease the entry. Runs that have not noticed it are no deaths.
func TestWorkerSurvivesHangingCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		done := make(chan struct{})
		var handled atomic.Int64
		h.orderPaid(func(context.Context) error {
			<-done
			handled.Add(1)
			return nil
		})
		h.deliver(paid)
		for range webhook.MaxUnfinished + 1 { // so that it does not run alone
			leases, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: 30 * time.Second})
			if err != nil || len(leases) != 1 {
				t.Fatalf("%v, %v; want a lease", leases, err)
			}
			webhook.Survived(leases...)
			time.Sleep(time.Minute)
		}
		h.worker.Inbox = hanging{h.inbox, done}
		stop := h.run()
		time.Sleep(webhook.MaxUnfinished * time.Minute) // a lease is of 30 s
		close(done)
		time.Sleep(time.Minute)
		stop()
		if s := h.stats(); s != (webhook.Stats{}) || handled.Load() <= webhook.MaxUnfinished {
			t.Errorf("%+v, handled %d times; want more than %d, none dead", s, handled.Load(), webhook.MaxUnfinished)
		}
	})
}

// An entry whose handlers do not return is dead before they have taken all places.
func TestWorkerBuriesWhatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		done := make(chan struct{})
		var runs atomic.Int64
		h.orderPaid(func(context.Context) error {
			runs.Add(1)
			<-done
			return nil
		})
		h.worker.Timeout = time.Minute
		h.deliver(paid)
		stop := h.run()
		time.Sleep(time.Hour)
		if s := h.stats(); s.Dead != 1 || runs.Load() != 1+webhook.MaxUnfinished {
			t.Errorf("%+v after %d runs; want it dead after %d", s, runs.Load(), 1+webhook.MaxUnfinished)
		}
		close(done)
		stop()
	})
}

// The runs of an entry of another inbox of the process, which has the same key, say nothing about this one.
func TestWorkerSurvivesBesideOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, other := newHouse(t), newHouse(t)
		handled := 0
		for _, house := range []*house{h, other} {
			house.orderPaid(func(context.Context) error { handled++; return nil })
			house.deliver(paid)
			time.Sleep(time.Second)
		}
		lease := func(h *house) webhook.Lease {
			leases, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: 30 * time.Second})
			if err != nil || len(leases) != 1 {
				t.Fatalf("%v, %v; want a lease", leases, err)
			}
			return leases[0]
		}
		for range 2 * webhook.MaxUnfinished {
			webhook.Survived(lease(h))
			if err := other.inbox.Fail(t.Context(), lease(other), webhook.Failed{Released: true}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		for _, house := range []*house{other, h} { // the other has the greater token
			stop := house.run()
			time.Sleep(time.Minute)
			stop()
		}
		if s := h.stats(); s != (webhook.Stats{}) || handled != 2 {
			t.Errorf("%+v, %d handled; want both", s, handled)
		}
	})
}
