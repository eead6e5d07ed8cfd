package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	paid    = `{"store_id":123,"event":"order/paid","id":5}`
	packed  = `{"store_id":123,"event":"order/packed","id":5}`
	created = `{"store_id":123,"event":"order/created","id":5}`
)

func TestWorkerRunsOnceForAllThatArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var leases []webhook.Lease
		h.orderPaid(func(ctx context.Context) error {
			l, ok := webhook.LeaseOf(ctx)
			if !ok || webhook.Fence(ctx) != l.Token || l.Token == 0 {
				t.Errorf("got lease %+v, %v, fence %d; want the lease of the run", l, ok, webhook.Fence(ctx))
			}
			leases = append(leases, l)
			return nil
		})
		for range 10 {
			h.deliver(paid)
		}
		h.deliver(`{"store_id":"123","retry":3,"event":"order/paid","id":"5"}`)
		stop := h.run()
		synctest.Wait()
		if len(leases) != 1 || leases[0].Count != 11 || leases[0].Attempt != 1 || string(leases[0].Body) == paid {
			t.Errorf("got leases %+v, want one for 11 arrivals with the last body", leases)
		}
		if want := (webhook.Stats{}); h.stats() != want {
			t.Errorf("got %+v, want nothing left", h.stats())
		}
		stop()
	})
}

// TestWorkerRunsAgain: a delivery that arrives while its handler runs tells of a
// change that the handler may not have seen.
func TestWorkerRunsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		began, proceed := make(chan int), make(chan struct{})
		runs := 0
		h.orderPaid(func(context.Context) error {
			runs++
			began <- runs
			<-proceed
			return nil
		})
		stop := h.run()
		const rounds = 1000
		h.deliver(paid)
		for i := 1; i <= rounds; i++ {
			if got := <-began; got != i {
				t.Fatalf("got run %d, want %d", got, i)
			}
			if i < rounds {
				h.deliver(paid)
			}
			proceed <- struct{}{}
		}
		synctest.Wait()
		again := 0
		for _, r := range h.ended() { // told after the entry was free for the next run, so in any order
			if r.Again {
				again++
			}
		}
		if n := len(h.ended()); n != rounds || again != rounds-1 {
			t.Errorf("got %d results of which %d say again, want %d and all but the last", n, again, rounds)
		}
		stop()
	})
}

// TestWorkerLanes: events of one order are handled one at a time, those of others beside them.
func TestWorkerLanes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var mu sync.Mutex
		busy, most := map[client.ID]int{}, 0
		handle := func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
			mu.Lock()
			busy[d.Payload.ID]++
			if busy[d.Payload.ID] > 1 {
				t.Errorf("order %d is handled twice at a time", d.Payload.ID)
			}
			most = max(most, len(busy))
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			delete(busy, d.Payload.ID)
			return nil
		}
		names := []webhook.Event[webhook.Entity]{webhook.OrderCreated, webhook.OrderUpdated, webhook.OrderPaid,
			webhook.OrderPacked, webhook.OrderFulfilled}
		for _, e := range names {
			webhook.On(h.events, e, handle)
		}
		for id := 1; id <= 20; id++ {
			for _, e := range names {
				h.deliver(fmt.Sprintf(`{"store_id":%d,"event":%q,"id":%d}`, 123+id%2, e.Name, id))
			}
		}
		stop := h.run()
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := h.stats(); s.Pending != 0 || most != webhook.DefaultConcurrency {
			t.Errorf("got %+v and %d at a time, want all handled, %d at a time", s, most, webhook.DefaultConcurrency)
		}
		stop()
	})
}

// TestWorkerLeasesWhatItHasPlacesFor: what it cannot begin at once is left for others.
func TestWorkerLeasesWhatItHasPlacesFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.worker.Concurrency, h.worker.PerStore = 3, 3
		h.orderPaid(func(context.Context) error { time.Sleep(time.Minute); return nil })
		stop := h.run()
		h.deliver(paid)
		synctest.Wait() // one place is taken
		for id := 11; id <= 20; id++ {
			h.deliver(fmt.Sprintf(`{"store_id":123,"event":"order/paid","id":%d}`, id))
		}
		synctest.Wait()
		if got := h.stats(); got.Leased != 3 || got.Due != 8 {
			t.Errorf("got %+v, want 3 leased and 8 due", got)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		stop()
		if want := (webhook.Stats{}); h.stats() != want {
			t.Errorf("got %+v, want all handled", h.stats())
		}
	})
}

func TestWorkerTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.worker.Timeout, h.worker.MaxAttempts = 5*time.Minute, 1
		var took time.Duration
		var cause error
		h.orderPaid(func(ctx context.Context) error {
			began := time.Now()
			<-ctx.Done()
			took, cause = time.Since(began), context.Cause(ctx)
			return ctx.Err()
		})
		h.deliver(paid)
		stop, stopOther := h.run(), h.run() // another worker waits for the lane
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if took != 5*time.Minute || !errors.Is(cause, webhook.ErrTimeout) {
			t.Errorf("the context ended after %v with %v, want 5m and ErrTimeout", took, cause)
		}
		if told := h.told(); len(told) != 1 || !errors.Is(told[0], webhook.ErrTimeout) || !told[0].Dead {
			t.Errorf("got reports %v, want one of ErrTimeout: the lease of 30 s was extended meanwhile", told)
		}
		stop()
		stopOther()
	})
}

// TestWorkerTellsOfHandlersThatGoOn: one that does not look at its context keeps its place, and nobody heard of it.
// With as many attempts as there are places the worker did nothing any more, and said nothing.
func TestWorkerTellsOfHandlersThatGoOn(t *testing.T) {
	for name, cause := range map[string]error{"timeout": webhook.ErrTimeout, "lease lost": webhook.ErrLeaseLost} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.worker.Concurrency = 2
				inbox := newFaulty(h.inbox)
				h.worker.Inbox = inbox
				if cause == webhook.ErrLeaseLost {
					inbox.set("extend", webhook.ErrLeaseLost)
				}
				let := make(chan struct{})
				h.orderPaid(func(context.Context) error { <-let; return nil })
				h.deliver(paid)
				stop := h.run()
				time.Sleep(webhook.DefaultTimeout + webhook.DefaultLease + time.Second)
				synctest.Wait()
				told := h.told()
				if len(told) == 0 || !errors.Is(told[0], cause) ||
					!strings.Contains(told[0].Error(), "of 2 places are taken") ||
					told[0].Key != ":123:order/paid:5" || told[0].Attempt != 1 || told[0].Event != "order/paid" ||
					told[0].StoreID != 123 {
					t.Errorf("got reports %v, want one of a handler that goes on after %v", told, cause)
				}
				close(let)
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				stop()
				for _, f := range h.told()[len(told):] {
					if strings.Contains(f.Error(), "goes on") {
						t.Errorf("got %v of a handler that had returned", f)
					}
				}
			})
		})
	}
}

// TestWorkerLosesLease: by the word of the inbox, and when the inbox does not answer until the lease is over.
func TestWorkerLosesLease(t *testing.T) {
	for _, tt := range []struct {
		name  string
		err   error
		after time.Duration
	}{
		{"taken away", webhook.ErrLeaseLost, 10 * time.Second},
		{"no answer", errors.New("connection refused"), 30 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				inbox := newFaulty(h.inbox)
				inbox.set("extend", tt.err)
				h.worker.Inbox = inbox
				runs := 0
				h.orderPaid(func(ctx context.Context) error {
					if runs++; runs > 1 {
						return nil
					}
					began := time.Now()
					<-ctx.Done()
					if took := time.Since(began); took < tt.after || took > tt.after+3*time.Second ||
						!errors.Is(context.Cause(ctx), webhook.ErrLeaseLost) {
						t.Errorf("the context ended after %v with %v, want %v and ErrLeaseLost", took,
							context.Cause(ctx), tt.after)
					}
					return ctx.Err()
				})
				h.deliver(paid)
				stop := h.run()
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if n := inbox.count("fail"); n != 0 || runs != 2 {
					t.Errorf("got %d failures written and %d runs, want 0 and 2: the lease was somebody else's", n,
						runs)
				}
				if told := h.told(); len(told) != 1 || !errors.Is(told[0], webhook.ErrLeaseLost) {
					t.Errorf("got reports %v, want one of ErrLeaseLost", told)
				}
				stop()
			})
		})
	}
}

// TestWorkerEndsDuringExtend: a handler that is done while the inbox does not answer the extension of its lease is not
// kept waiting for that.
func TestWorkerEndsDuringExtend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.worker.Inbox = mute{h.inbox}
		// the first extension is due at 10 s
		h.orderPaid(func(context.Context) error { time.Sleep(11 * time.Second); return nil })
		h.deliver(paid)
		stop := h.run()
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if want := (webhook.Stats{}); h.stats() != want || len(h.ended()) != 1 || len(h.told()) != 0 {
			t.Errorf("got %+v, results %v, reports %v; want it handled at once", h.stats(), h.ended(), h.told())
		}
		stop()
	})
}

// mute is an inbox that does not answer when a lease is to be extended.
type mute struct{ webhook.Inbox }

func (mute) Extend(ctx context.Context, _ webhook.Lease, _ time.Duration) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestWorkerWithoutInbox: an outage of the inbox is reported once, and what was handled
// meanwhile is written down after it.
func TestWorkerWithoutInbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		inbox := newFaulty(h.inbox)
		h.worker.Inbox, h.worker.Poll = inbox, 0
		runs := 0
		h.orderPaid(func(context.Context) error {
			runs++
			inbox.set("commit", errors.New("connection refused"))
			inbox.set("lease", errors.New("connection refused"))
			return nil
		})
		h.deliver(paid)
		stop := h.run()
		time.Sleep(20 * time.Second)
		synctest.Wait()
		inbox.set("commit", nil)
		inbox.set("lease", nil)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if want := (webhook.Stats{}); h.stats() != want || runs != 1 {
			t.Errorf("got %+v after %d runs, want nothing left after one", h.stats(), runs)
		}
		const want = "lease entries of the inbox: connection refused"
		if told := h.told(); len(told) != 1 || !strings.Contains(told[0].Error(), want) {
			t.Errorf("got reports %v, want one of the outage", told)
		}
		if n := inbox.count("lease"); n > 60 {
			t.Errorf("%d leases were asked for in 40 s of outage and rest, want few", n)
		}
		inbox.set("lease", errors.New("too many connections"))
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if told := h.told(); len(told) != 2 || !strings.Contains(told[1].Error(), "too many connections") {
			t.Errorf("got reports %v, want one of the second outage too", told)
		}
		stop()
	})
}

// deaf is an inbox that does not tell of changes. It waits for as long as it is told, or cannot wait at all.
type deaf struct {
	*faulty
	cannot error
}

func (d deaf) Wait(ctx context.Context, q webhook.LeaseQuery, wait time.Duration) error {
	if d.cannot != nil {
		return d.cannot
	}
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
	return ctx.Err()
}

// TestWorkerOfInboxThatDoesNotTell: it looks every Poll, and at once when a handler has ended: its lane may have more.
func TestWorkerOfInboxThatDoesNotTell(t *testing.T) {
	for name, cannot := range map[string]error{"waits": nil, "cannot wait": errors.New("no such function")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				inbox := newFaulty(h.inbox)
				h.worker.Inbox, h.worker.Poll = deaf{inbox, cannot}, 10*time.Second
				var at []time.Duration
				began := time.Now()
				for _, e := range []webhook.Event[webhook.Entity]{webhook.OrderPaid, webhook.OrderPacked} {
					webhook.On(h.events, e, func(context.Context, webhook.Delivery[webhook.Entity]) error {
						at = append(at, time.Since(began))
						time.Sleep(12 * time.Second)
						return nil
					})
				}
				stop := h.run()
				time.Sleep(time.Second)
				h.deliver(paid)
				h.deliver(packed)
				time.Sleep(time.Minute - time.Second)
				synctest.Wait()
				stop()
				if want := []time.Duration{
					10 * time.Second, 22*time.Second + 20*time.Millisecond}; !slices.Equal(at, want) ||
					inbox.count("lease") > 12 {
					t.Errorf("got runs at %v and %d leases asked for, want %v and 12 at most", at, inbox.count("lease"),
						want)
				}
			})
		})
	}
}

// slow is an inbox whose leases take a while to arrive.
type slow struct{ webhook.Inbox }

func (s slow) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	leases, err := s.Inbox.Lease(ctx, q)
	time.Sleep(2 * time.Second)
	return leases, err
}

func TestWorkerDrains(t *testing.T) {
	t.Run("within its grace", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.orderPaid(func(context.Context) error { time.Sleep(8 * time.Second); return nil })
			h.deliver(paid)
			stop := h.start()
			synctest.Wait()
			began := time.Now()
			if err := stop(); err != nil || time.Since(began) != 8*time.Second {
				t.Errorf("got %v after %v, want nil after the 8 s of the handler", err, time.Since(began))
			}
			if s := h.stats(); s.Pending != 0 {
				t.Errorf("got %+v, want the entry handled", s)
			}
		})
	})
	t.Run("beyond its grace", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			var attempts []int
			h.orderPaid(func(ctx context.Context) error {
				l, _ := webhook.LeaseOf(ctx)
				if attempts = append(attempts, l.Attempt); len(attempts) > 1 {
					return nil
				}
				<-ctx.Done()
				if !errors.Is(context.Cause(ctx), webhook.ErrDraining) {
					t.Errorf("got cause %v, want ErrDraining", context.Cause(ctx))
				}
				return ctx.Err()
			})
			h.deliver(paid)
			stop := h.start()
			synctest.Wait()
			began := time.Now()
			if err := stop(); err != nil || time.Since(began) != webhook.DefaultGrace {
				t.Errorf("got %v after %v, want nil after the grace", err, time.Since(began))
			}
			stop = h.start()
			synctest.Wait()
			if !slices.Equal(attempts, []int{1, 1}) || len(h.told()) != 0 || h.stats().Pending != 0 {
				t.Errorf("got attempts %v, reports %v; want the next worker to begin at once with the first attempt",
					attempts, h.told())
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("as entries are leased", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			runs := 0
			h.orderPaid(func(context.Context) error { runs++; return nil })
			h.deliver(paid)
			h.worker.Inbox = slow{h.inbox}
			stop := h.start()
			time.Sleep(time.Second)
			if err := stop(); err != nil || runs != 0 {
				t.Errorf("got %v, %d runs; want nil and none", err, runs)
			}
			if l, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute}); err != nil ||
				len(l) != 1 || l[0].Attempt != 1 {
				t.Errorf("got %v, %v; want the entry free at once, with its first attempt", l, err)
			}
		})
	})
	t.Run("commit that fails beyond its grace", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			inbox := newFaulty(h.inbox)
			inbox.set("commit", errors.New("the disk is full"))
			h.worker.Inbox = inbox
			h.orderPaid(func(ctx context.Context) error { <-ctx.Done(); return nil })
			h.deliver(paid)
			stop := h.start()
			synctest.Wait()
			_ = stop() // the commit is tried for as long as the lease holds
			time.Sleep(time.Minute)
			synctest.Wait()
			told, ended := h.told(), h.ended()
			if len(told) != 1 || len(ended) != 1 || ended[0].Err == nil ||
				!strings.Contains(told[0].Error(), "the disk is full") {
				t.Errorf("got reports %v, results %+v; want the failure of the inbox told", told, ended)
			}
		})
	})
	t.Run("handler that does not stop", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.orderPaid(func(context.Context) error { time.Sleep(time.Hour); return nil })
			h.deliver(paid)
			stop := h.start()
			synctest.Wait()
			began := time.Now()
			if err := stop(); err == nil || !strings.Contains(err.Error(), "1 handlers") ||
				time.Since(began) > webhook.DefaultGrace+time.Second {
				t.Errorf("got %v after %v, want an error a second after the grace", err, time.Since(began))
			}
			time.Sleep(time.Hour) // until the handler has ended
		})
	})
}

func TestWorkerCheck(t *testing.T) {
	tests := []struct {
		name   string
		change func(*house)
		want   string // "": fine
	}{
		{"zero values", func(*house) {}, ""},
		{"no inbox", func(h *house) { h.worker.Inbox = nil }, "no inbox"},
		{"no registry", func(h *house) { h.worker.Registry = nil }, "no registry"},
		{"concurrency", func(h *house) { h.worker.Concurrency = -1 }, "Concurrency is -1"},
		{"lease", func(h *house) { h.worker.Lease = -1 }, "Lease is -1ns"},
		{"timeout", func(h *house) { h.worker.Timeout = -1 }, "Timeout is -1ns"},
		{"grace", func(h *house) { h.worker.Grace = -1 }, "Grace is -1ns"},
		{"attempts", func(h *house) { h.worker.MaxAttempts = -1 }, "MaxAttempts is -1"},
		{"age", func(h *house) { h.worker.MaxAge = -1 }, "MaxAge is -1ns"},
		{"poll", func(h *house) { h.worker.Poll = -1 }, "Poll is -1ns"},
		{"no probe", func(h *house) {
			webhook.On(h.events, webhook.AppUninstalled,
				func(context.Context, webhook.Delivery[webhook.App]) error { return nil })
		}, "Probe is nil"},
		{"policy", func(h *house) { h.events.Policy(webhook.OrderPaid.Name, webhook.Policy{Kind: "maybe"}) },
			`Kind is "maybe"`},
		{"policy window that cannot be", func(h *house) {
			h.events.Policy(webhook.OrderCreated.Name, webhook.Policy{Window: -2})
		}, "Window is -2ns"},
		{"policy settle", func(h *house) { h.events.Policy(webhook.OrderPaid.Name, webhook.Policy{Settle: -1}) },
			"Settle is -1ns"},
		{"policy window", func(h *house) {
			h.events.Policy(webhook.OrderPaid.Name, webhook.Policy{Kind: webhook.KindSignal, Window: 1})
		}, "a signal is not remembered"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			h.orderPaid(func(context.Context) error { return nil })
			tt.change(h)
			err := h.worker.Check()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if tt.want != "" && h.worker.Run(t.Context()) == nil {
				t.Error("Run of a wrong configuration gave nil")
			}
		})
	}
}
