package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestWorkerRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var at []time.Duration
		began := time.Now()
		h.orderPaid(func(ctx context.Context) error {
			l, _ := webhook.LeaseOf(ctx)
			at = append(at, time.Since(began))
			if l.Attempt != len(at) {
				t.Errorf("got attempt %d, want %d", l.Attempt, len(at))
			}
			switch len(at) {
			case 2:
				panic("of the handler")
			case 3:
				runtime.Goexit()
			case 6:
				return nil
			}
			return errors.New("the API is down")
		})
		h.deliver(paid)
		stop := h.run()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(at) != 6 {
			t.Fatalf("got attempts at %v, want 6", at)
		}
		for n := 1; n < len(at); n++ {
			rest, longest := at[n]-at[n-1], time.Second<<(n-1)
			if rest < time.Second || rest > longest {
				t.Errorf("rest %d is %v, want 1 s to %v", n, rest, longest)
			}
		}
		told := h.told()
		if len(told) != 5 || told[1].Stack == nil || told[4].Attempt != 5 || told[4].Dead || told[0].StoreID != 123 ||
			told[0].Event != "order/paid" {
			t.Errorf("got reports %v, want one for each failure", told)
		}
		// The default log had no record's id: nobody could tell which of a store's orders failed.
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Error("", "delivery", told[0])
		want := "delivery.key=:123:order/paid:5 delivery.attempt=1 delivery.dead=false"
		if told[0].Key != ":123:order/paid:5" || !strings.Contains(log.String(), want) {
			t.Errorf("got key %q in %s, want %s", told[0].Key, log.String(), want)
		}
		stop()
	})
}

// TestWorkerGivesUp: after 20 attempts or 48 hours, or when the handler says so.
func TestWorkerGivesUp(t *testing.T) {
	tests := []struct {
		name     string
		change   func(*webhook.Worker)
		err      error
		attempts int
	}{
		{"attempts", nil, errors.New("down"), 20},
		{"fewer attempts", func(w *webhook.Worker) { w.MaxAttempts = 3 }, errors.New("down"), 3},
		{"age", func(w *webhook.Worker) { w.MaxAge, w.MaxAttempts = time.Nanosecond, 1000 }, errors.New("down"), 2},
		{"permanent", nil, fmt.Errorf("the shop was merged: %w", webhook.ErrPermanent), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				if tt.change != nil {
					tt.change(h.worker)
				}
				runs, fixed := 0, false
				h.orderPaid(func(context.Context) error {
					runs++
					if fixed {
						return nil
					}
					return tt.err
				})
				h.deliver(paid)
				stop := h.run()
				time.Sleep(47 * time.Hour)
				synctest.Wait()
				dead, err := h.inbox.Dead(t.Context(), "", 10)
				if err != nil || len(dead) != 1 || runs != tt.attempts || dead[0].Attempts != tt.attempts ||
					dead[0].Cause != tt.err.Error() || string(dead[0].Body) != paid {
					t.Fatalf("got %d runs, dead %+v, %v; want %d and the entry dead", runs, dead, err, tt.attempts)
				}
				if told := h.told(); !told[len(told)-1].Dead || len(told) != tt.attempts {
					t.Errorf("got reports %v, want the last to say dead", told)
				}
				fixed = true
				if n, err := h.inbox.Replay(t.Context(), dead[0].Key); n != 1 || err != nil {
					t.Fatalf("got %d, %v; want one entry replayed", n, err)
				}
				time.Sleep(2 * time.Second)
				synctest.Wait()
				if want := (webhook.Stats{}); runs != tt.attempts+1 || h.stats() != want {
					t.Errorf("got %d runs, %+v; want the replayed entry handled", runs, h.stats())
				}
				stop()
			})
		})
	}
}

// TestWorkerLeavesToOthers: while processes are replaced, a worker that has no handler for an event yet leaves
// its entries to those that have one. It made them dead letters, of deliveries that had been accepted.
func TestWorkerLeavesToOthers(t *testing.T) {
	for _, tt := range []struct {
		event webhook.Name
		cause error
	}{{webhook.OrderPacked.Name, webhook.ErrUnhandled}, {"kit/updated", webhook.ErrUnknownEvent}} {
		t.Run(string(tt.event), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				runs := 0
				webhook.On(h.events, webhook.Event[webhook.Entity]{Name: tt.event},
					func(context.Context, webhook.Delivery[webhook.Entity]) error {
						runs++
						return nil
					})
				body := fmt.Sprintf(`{"store_id":123,"event":%q,"id":1}`, tt.event)
				h.deliver(body)
				old := &webhook.Worker{Inbox: h.inbox, Registry: &webhook.Registry{}, OnFailure: h.report}
				webhook.On(old.Registry, webhook.OrderPaid,
					func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
				if err := h.runFor(old, time.Minute); err != nil {
					t.Fatal(err)
				}
				told := h.told()
				if s := h.stats(); s.Pending != 1 || len(told) < 2 || told[0].Dead || !errors.Is(told[0], tt.cause) {
					t.Fatalf("got %+v and reports %v of the old worker; want the entry pending, and %v", s, told,
						tt.cause)
				}
				stop := h.run()
				time.Sleep(webhook.LongestBackoff)
				synctest.Wait()
				stop()
				if want := (webhook.Stats{}); runs != 1 || h.stats() != want {
					t.Errorf("got %d runs, %+v; want one by the new worker", runs, h.stats())
				}

				// Where nobody has a handler any more it dies, as what fails does.
				h.deliver(body)
				if err := h.runFor(old, 3*time.Hour); err != nil {
					t.Fatal(err)
				}
				if dead, err := h.inbox.Dead(t.Context(), "", 1); err != nil || len(dead) != 1 ||
					dead[0].Cause != tt.cause.Error() {
					t.Errorf("got dead %+v, %v; want the entry, for %v", dead, err, tt.cause)
				}
			})
		})
	}
}

// TestWorkerBuriesWhatKillsIt: an entry whose runs never end in a verdict, since the
// process dies with them, is not tried for ever.
func TestWorkerBuriesWhatKillsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		runs := 0
		h.orderPaid(func(context.Context) error { runs++; return nil })
		h.deliver(paid)
		for range 1 + webhook.MaxUnfinished {
			h.dies()
		}
		webhook.RestartProcess()
		stop := h.run()
		synctest.Wait()
		if dead, _ := h.inbox.Dead(t.Context(), "", 1); runs != 0 || len(dead) != 1 ||
			!strings.Contains(dead[0].Cause, "left unfinished 6 times, since its process ended, its handler did "+
				"not return, or") {
			t.Errorf("got %d runs, dead %+v; want it dead without a run", runs, dead)
		}
		stop()
	})
}

// TestWorkerCannotWriteFailure: a failure that the inbox does not take is told of together with that, and the entry is
// tried again when its lease has ended.
func TestWorkerCannotWriteFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		inbox := newFaulty(h.inbox)
		inbox.set("fail", errors.New("connection refused"))
		h.worker.Inbox = inbox
		runs := 0
		h.orderPaid(func(context.Context) error {
			if runs++; runs == 1 {
				return errors.New("the API is down")
			}
			return nil
		})
		h.deliver(paid)
		stop := h.run()
		time.Sleep(40 * time.Second) // the lease is of 30 s
		synctest.Wait()
		stop()
		if want := (webhook.Stats{}); runs != 2 || h.stats() != want {
			t.Errorf("got %d runs, %+v; want it handled with the second", runs, h.stats())
		}
		if told := h.told(); len(told) != 1 || !strings.Contains(told[0].Error(), "the API is down") ||
			!strings.Contains(told[0].Error(), "connection refused") {
			t.Errorf("got reports %v, want one of both errors", told)
		}
	})
}

func TestWorkerIsolatesPoison(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var mu sync.Mutex
		handled := map[client.ID]time.Duration{}
		began := time.Now()
		webhook.On(h.events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
			if d.Payload.ID == 5000 {
				panic("poison")
			}
			mu.Lock()
			defer mu.Unlock()
			handled[d.Payload.ID] = time.Since(began)
			return nil
		})
		for id := 1; id <= 10_000; id++ {
			h.deliver(fmt.Sprintf(`{"store_id":123,"event":"order/paid","id":%d}`, id))
		}
		stop := h.run()
		synctest.Wait()
		if len(handled) != 9999 {
			t.Errorf("%d handled before any time passed, want 9999", len(handled))
		}
		time.Sleep(46 * time.Hour)
		synctest.Wait()
		if s := h.stats(); s.Dead != 1 || s.Pending != 0 {
			t.Errorf("got %+v, want one dead", s)
		}
		stop()
	})
}
