package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

func (h *house) status(body string) int {
	h.t.Helper()
	status, err := h.Deliver(h.t.Context(), []byte(body))
	if err != nil {
		h.t.Fatal(err)
	}
	return status
}

// TestNoAnswerBeforeAccept: 2xx only after the inbox has it, and in time.
func TestNoAnswerBeforeAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		inbox := newFaulty(h.inbox)
		h.hooks.Inbox = inbox
		h.orderPaid(func(context.Context) error { return nil })
		for _, tt := range []struct {
			err    error
			status int
		}{{nil, 200}, {webhook.ErrFull, 503}, {errors.New("disk full"), 503}, {nil, 200}} {
			inbox.set("accept", tt.err)
			if got := h.status(paid); got != tt.status {
				t.Errorf("accept gives %v: got status %d, want %d", tt.err, got, tt.status)
			}
		}
		if told := h.told(); len(told) != 2 || !errors.Is(told[0], webhook.ErrFull) ||
			!strings.Contains(told[1].Error(), "disk full") {
			t.Errorf("got reports %v, want one for each refusal", told)
		}
		if want := []webhook.Outcome{webhook.OutcomeStored, webhook.OutcomeJoined}; !slices.Equal(h.met, want) {
			t.Errorf("got outcomes %v, want %v", h.met, want)
		}
	})
}

// stuck is an inbox that waits for the end of its context.
type stuck struct{ webhook.Inbox }

func (stuck) Accept(ctx context.Context, _ ...webhook.Entry) ([]webhook.Outcome, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// The context of an inbox ends a tenth before AcceptTime, or before the answer is due.
func TestAcceptTime(t *testing.T) {
	for _, tt := range []struct{ accept, budget, want time.Duration }{
		{0, 0, webhook.DefaultAcceptTime * 9 / 10},
		{time.Second, 0, 900 * time.Millisecond},
		{0, time.Second, 900 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			h.hooks.Inbox, h.hooks.AcceptTime, h.hooks.Budget = stuck{h.inbox}, tt.accept, tt.budget
			h.orderPaid(func(context.Context) error { return nil })
			began := time.Now()
			if got := h.status(paid); got != http.StatusServiceUnavailable || time.Since(began) != tt.want {
				t.Errorf("AcceptTime %v, Budget %v: got status %d after %v, want 503 after %v", tt.accept, tt.budget,
					got, time.Since(began), tt.want)
			}
		})
	}
}

func TestBackpressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true, HighWater: 2})
		if err != nil {
			t.Fatal(err)
		}
		h.hooks.Inbox = inbox
		h.orderPaid(func(context.Context) error { return nil })
		webhook.On(h.events, webhook.CustomerRedactRequested,
			func(context.Context, webhook.Delivery[webhook.CustomerRedact]) error { return nil })
		order := func(id int) string { return fmt.Sprintf(`{"store_id":123,"event":"order/paid","id":%d}`, id) }
		redact := `{"store_id":123,"event":"customers/redact","customer":{"id":9}}`
		// No handler can have these, and they are a duty all the same.
		unreadable := []string{
			`{"store_id":123,"event":"customers/redact","customer":{"id":9,"phone":5}}`,
			`{"store_id":"","event":"customers/redact","customer":{"id":9}}`,
		}
		for i, tt := range []struct {
			body   string
			status int
		}{
			{order(1), 200}, {order(2), 200}, {order(3), 503}, {order(1), 200}, {redact, 200}, {order(3), 503},
			{`not JSON`, 503}, {unreadable[0], 200}, {unreadable[1], 200},
		} {
			if got := h.status(tt.body); got != tt.status {
				t.Errorf("delivery %d, %s: got status %d, want %d", i+1, tt.body, got, tt.status)
			}
		}
		dead, err := inbox.Dead(t.Context(), "", 10)
		if err != nil || len(dead) != len(unreadable) || !dead[0].Protected || !dead[1].Protected {
			t.Errorf("got %v, dead %+v; want both requests that cannot be read, protected", err, dead)
		}
	})
}

// TestShelved: what no handler can have is accepted, kept and never tried, and can be
// replayed once there is a handler.
func TestShelved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		h.events.Ignore(webhook.ProductUpdated.Name)
		type voided struct {
			IDs []int `json:"id"`
		}
		webhook.On(h.events, webhook.Event[voided]{Name: webhook.OrderVoided.Name},
			func(context.Context, webhook.Delivery[voided]) error { return nil })
		bodies := map[string]string{ // body to cause
			`{"store_id":123,"event":"order/voided","id":1}`: "malformed body: body does not fit",
			`{"store_id":123,"event":"kit/updated","id":1}`:  "unknown event",
			`{"store_id":123,"event":"order/packed","id":1}`: "event without a handler",
			`{"store_id":0,"event":"order/paid","id":1}`:     "malformed body: store_id",
			`not JSON`: "malformed body: not an object",
			`{"store_id":123,"event":"a` + strings.Repeat("x", 300) + `\u0000","id":1}`: "unknown event",
		}
		for body := range bodies {
			h.deliver(body)
		}
		h.deliver(`{"store_id":123,"event":"product/updated","id":1}`)
		stop := h.run()
		time.Sleep(time.Hour)
		synctest.Wait()
		dead, err := h.inbox.Dead(t.Context(), "", 100)
		if err != nil || len(dead) != len(bodies) || len(h.ended()) != 0 {
			t.Fatalf("got %d dead, %v and %d runs; want %d and none", len(dead), err, len(h.ended()), len(bodies))
		}
		for _, d := range dead {
			if want := bodies[string(d.Body)]; want == "" || !strings.HasPrefix(d.Cause, want) || len(d.Key) > 400 ||
				strings.ContainsRune(d.Key+d.Lane+string(d.Event), 0) {
				t.Errorf("got %q with cause %q, key %q; want cause %q and a short clean key", d.Body, d.Cause, d.Key,
					want)
			}
		}
		if s := h.stats(); s.Pending != 0 || s.Done != 0 {
			t.Errorf("got %+v, want nothing but dead: product/updated is ignored", s)
		}
		// Nobody was told of them: they were answered 200 and only Stats knew.
		told := h.told()
		for _, f := range told {
			i := slices.IndexFunc(dead, func(d webhook.DeadLetter) bool { return d.Key == f.Key })
			var log strings.Builder
			slog.New(slog.NewTextHandler(&log, nil)).Error("", "delivery", f)
			if i < 0 || !f.Dead || f.Attempt != 0 || f.Err.Error() != dead[i].Cause || f.Event != dead[i].Event ||
				!strings.Contains(log.String(), "delivery.dead=true") {
				t.Errorf("got report %+v, logged as %s, want the key and cause of a dead letter", f, log.String())
			}
		}
		if len(told) != len(dead) {
			t.Errorf("got %d reports, want one of each of %d dead letters", len(told), len(dead))
		}
		stop()

		runs := 0
		webhook.On(h.events, webhook.OrderPacked, func(context.Context, webhook.Delivery[webhook.Entity]) error {
			runs++
			return nil
		})
		i := slices.IndexFunc(dead, func(d webhook.DeadLetter) bool { return d.Event == webhook.OrderPacked.Name })
		if n, err := h.inbox.Replay(t.Context(), dead[i].Key); n != 1 || err != nil {
			t.Fatalf("got %d, %v; want one replayed", n, err)
		}
		stop = h.run()
		synctest.Wait()
		if runs != 1 {
			t.Errorf("got %d runs of the replayed entry, want 1", runs)
		}
		stop()
	})
}

// TestFactsRunOnce: within their window, however often and late they are delivered.
func TestFactsRunOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		runs := 0
		webhook.On(h.events, webhook.OrderCreated,
			func(context.Context, webhook.Delivery[webhook.Entity]) error { runs++; return nil })
		stop := h.run()
		for range 71 {
			h.deliver(created)
			time.Sleep(time.Hour)
		}
		if runs != 1 {
			t.Errorf("got %d runs in 71 hours of copies, want 1", runs)
		}
		time.Sleep(2 * time.Hour)
		h.deliver(created)
		synctest.Wait()
		if runs != 2 {
			t.Errorf("got %d runs, want another after the window of 72 hours", runs)
		}
		stop()
	})
}

// TestRetrySchedules: a receiver that fails 15 times handles the delivery once, by every
// reading of the schedule and within its 48 hours.
func TestRetrySchedules(t *testing.T) {
	for name, schedule := range webhooktest.Schedules() {
		for _, body := range []string{paid, created} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := newHouse(t)
					inbox := newFaulty(h.inbox)
					h.hooks.Inbox = inbox
					runs := 0
					handle := func(context.Context, webhook.Delivery[webhook.Entity]) error { runs++; return nil }
					webhook.On(h.events, webhook.OrderPaid, handle)
					webhook.On(h.events, webhook.OrderCreated, handle)
					inbox.set("accept", errors.New("disk full"))
					stop := h.run()
					done := make(chan []webhooktest.Outcome)
					began := time.Now()
					go func() {
						done <- webhooktest.Storm{Sender: h.Sender, Schedule: schedule}.Run(t.Context(), []byte(body))
					}()
					for inbox.count("accept") < webhooktest.Attempts-1 {
						time.Sleep(time.Second)
					}
					inbox.set("accept", nil)
					outcome := (<-done)[0]
					synctest.Wait()
					if took := time.Since(began); len(outcome.Statuses) != 16 || !outcome.Accepted() || runs != 1 ||
						took > 48*time.Hour || took < 11*time.Hour {
						t.Errorf("got statuses %v after %v and %d runs; want the 16th attempt accepted and one run",
							outcome.Statuses, took, runs)
					}
					stop()
				})
			})
		}
	}
}

// TestDuplicateStorm: every delivery of 100 orders 100 times, before and during their handling, and some more
// afterwards. Each order/updated is handled once or twice each time, with each run for arrivals of its own, and each
// order/created once at all.
func TestDuplicateStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		const orders, all, more = 100, 100, 10
		var mu sync.Mutex
		runs, commits, arrivals := map[client.ID]int{}, map[client.ID]int{}, map[client.ID]int{}
		webhook.On(h.events, webhook.OrderUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
			time.Sleep(3 * time.Millisecond)
			l, _ := webhook.LeaseOf(ctx)
			mu.Lock()
			defer mu.Unlock()
			runs[d.Payload.ID]++
			arrivals[d.Payload.ID] += l.Count
			if l.Count < 1 {
				t.Errorf("order %d: a run for %d arrivals, want 1 at least", d.Payload.ID, l.Count)
			}
			return nil
		})
		webhook.On(h.events, webhook.OrderCreated, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
			mu.Lock()
			defer mu.Unlock()
			commits[d.Payload.ID]++
			return nil
		})
		var bodies [][]byte
		for id := 1; id <= orders; id++ {
			for _, e := range []webhook.Name{webhook.OrderCreated.Name, webhook.OrderUpdated.Name} {
				bodies = append(bodies, webhooktest.Body(123, e, map[string]any{"id": id}))
			}
		}
		stop, other := h.run(), h.run()
		for _, copies := range []int{all, more} {
			clear(runs)
			clear(arrivals)
			for _, o := range (webhooktest.Storm{Sender: h.Sender, Copies: copies, Senders: 64,
				Seed: 7}).Run(t.Context(), bodies...) {
				if !o.Accepted() {
					t.Fatalf("%s: got statuses %v, want 2xx", o.Body, o.Statuses)
				}
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			twice := 0
			for id := client.ID(1); id <= orders; id++ {
				if runs[id] < 1 || runs[id] > 2 || arrivals[id] != copies || commits[id] != 1 {
					t.Errorf("order %d: handled %d times for %d of %d arrivals, created %d times; want 1 or 2 for "+
						"all, and once", id, runs[id], arrivals[id], copies, commits[id])
				}
				twice += runs[id] - 1
			}
			if s := h.stats(); len(runs) != orders || len(commits) != orders || s.Pending != 0 {
				t.Errorf("got %d orders updated, %d created, %+v; want %d of each and nothing pending", len(runs),
					len(commits), s, orders)
			}
			t.Logf("%d copies: %d of %d orders were handled twice", copies, twice, orders)
		}
		stop()
		other()
	})
}

func TestPolicyOverride(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var bodies []string
		webhook.On(h.events, webhook.FulfillmentOrderStatusUpdated,
			func(_ context.Context, d webhook.Delivery[webhook.FulfillmentOrderStatus]) error {
				bodies = append(bodies, d.Payload.Status)
				return nil
			})
		var settled atomic.Bool
		h.orderPaid(func(context.Context) error { settled.Store(true); return nil })
		h.events.Policy(webhook.FulfillmentOrderStatusUpdated.Name, webhook.Policy{Distinct: true})
		h.events.Policy(webhook.OrderPaid.Name, webhook.Policy{Settle: 2 * time.Second})
		for _, status := range []string{"PACKED", "DISPATCHED", "PACKED"} {
			h.deliver(`{"store_id":123,"event":"fulfillment_order/status_updated","order_id":5,` +
				`"fulfillment_id":"01HV0C4B8T2V2M5DYH0000000A","status":"` + status + `"}`)
		}
		h.deliver(paid)
		stop := h.run()
		synctest.Wait()
		if want := []string{"PACKED", "DISPATCHED"}; !slices.Equal(bodies, want) || settled.Load() {
			t.Errorf("got %v, settled %v; want %v, and order/paid to wait", bodies, settled.Load(), want)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !settled.Load() {
			t.Error("order/paid was not handled after 2 s")
		}
		stop()
	})
}

// queue is a Sink that keeps entries as a queue would: as bytes.
type queue struct {
	entries [][]byte
	err     error
}

func (q *queue) Deliver(_ context.Context, e webhook.Entry) error {
	b, err := json.Marshal(e)
	if err != nil || q.err != nil {
		return errors.Join(err, q.err)
	}
	q.entries = append(q.entries, b)
	return nil
}

func TestSink(t *testing.T) {
	h := newHouse(t)
	q := &queue{}
	h.hooks.Inbox, h.hooks.Sink = nil, q
	fail := errors.New("not now")
	var failing error
	var got []client.ID
	webhook.On(h.events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		got = append(got, d.StoreID, d.Payload.ID)
		return failing
	})
	if status := h.status(paid); status != 200 || len(q.entries) != 1 {
		t.Fatalf("got status %d, %d entries; want 200 and one", status, len(q.entries))
	}
	if h.status(`{"store_id":123,"event":"order/packed","id":5}`) != 200 || len(q.entries) != 2 {
		t.Error("an event without a handler was not put into the queue")
	}
	q.err = errors.New("queue down")
	if status := h.status(paid); status != 503 {
		t.Errorf("got status %d while the queue is down, want 503", status)
	}
	var entries [2]webhook.Entry
	for i, b := range q.entries {
		if err := json.Unmarshal(b, &entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	if e := entries[0]; e.Key != ":123:order/paid:5" || e.Lane != ":123:order:5" || e.Kind != webhook.KindSignal ||
		e.Event != "order/paid" || e.StoreID != 123 || string(e.Body) != paid {
		t.Errorf("got entry %+v, want the signal of order 5", e)
	}
	if err := h.events.Handle(t.Context(), entries[0]); err != nil || !slices.Equal(got, []client.ID{123, 5}) {
		t.Errorf("got %v, %v; want the handler called for order 5 of store 123", got, err)
	}
	failing = fail
	if err := h.events.Handle(t.Context(), entries[0]); !errors.Is(err, fail) {
		t.Errorf("got %v, want the error of the handler", err)
	}
	if err := h.events.Handle(t.Context(), entries[1]); !errors.Is(err, webhook.ErrUnhandled) ||
		entries[1].Unhandled == "" {
		t.Errorf("got %v, entry %+v; want ErrUnhandled", err, entries[1])
	}
	h.events.Ignore(webhook.OrderPacked.Name) // since it was put into the queue
	if err := h.events.Handle(t.Context(), entries[1]); err != nil {
		t.Errorf("got %v for an event that is ignored, want nil", err)
	}
}

func TestModesExclude(t *testing.T) {
	known := func(context.Context, client.ID) (bool, error) { return true, nil }
	probe := func(context.Context, client.ID) (webhook.Installation, error) { return webhook.Installation{}, nil }
	for name, change := range map[string]func(*house){
		"both Inbox and Sink are set":           func(h *house) { h.hooks.Sink = &queue{} },
		"KnownStore is set together with Inbox": func(h *house) { h.hooks.KnownStore = known },
		"Probe is set together with Inbox":      func(h *house) { h.hooks.Probe = probe },
		"KnownStore is set together with Sink": func(h *house) {
			h.hooks.Inbox, h.hooks.Sink, h.hooks.KnownStore = nil, &queue{}, known
		},
		"Probe is set together with Sink": func(h *house) {
			h.hooks.Inbox, h.hooks.Sink, h.hooks.Probe = nil, &queue{}, probe
		},
		"AcceptTime is 3.000000001s": func(h *house) { h.hooks.AcceptTime = webhook.AnswerTime + 1 },
		"handled twice":              func(h *house) { h.orderPaid(func(context.Context) error { return nil }) },
	} {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		change(h)
		if err := h.hooks.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s", err, name)
		}
		if h.status(paid) != 503 {
			t.Errorf("%s: want every delivery answered 503", name)
		}
	}
}

// TestReceiverWithoutRegistry: a process that only receives need not know what is handled.
func TestReceiverWithoutRegistry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		runs := 0
		h.orderPaid(func(context.Context) error { runs++; return nil })
		h.hooks.Registry = nil
		h.deliver(paid)
		h.deliver(packed)
		stop := h.run()
		time.Sleep(3 * time.Hour) // the worker may be the one that knows less than others, and so tries it again
		synctest.Wait()
		if s := h.stats(); runs != 1 || s.Dead != 1 || s.Pending != 0 {
			t.Errorf("got %d runs, %+v; want one run and one dead", runs, s)
		}
		h.deliver(`not JSON`)
		if met := h.met[len(h.met)-1]; met != webhook.OutcomeShelved {
			t.Errorf("what nobody can read was %s, want shelved", met)
		}
		told := len(h.told())
		h.events.Ignore(webhook.ProductUpdated.Name)
		h.deliver(`{"store_id":123,"event":"product/updated","id":1}`)
		synctest.Wait()
		if s := h.stats(); s.Dead != 2 || s.Pending != 0 || len(h.told()) != told {
			t.Errorf("got %+v, reports %v; want what the worker ignores settled in silence", s, h.told()[told:])
		}
		stop()
	})
}

// TestUnknownBesideInbox: what Unknown took is not kept a second time.
func TestUnknownBesideInbox(t *testing.T) {
	h := newHouse(t)
	h.orderPaid(func(context.Context) error { return nil })
	var kept []string
	h.hooks.Unknown = func(_ context.Context, d webhook.Delivery[webhook.Unknown]) error {
		kept = append(kept, string(d.Raw))
		return nil
	}
	h.deliver(packed)
	if want := (webhook.Stats{}); !slices.Equal(kept, []string{packed}) || h.stats() != want || len(h.told()) != 0 {
		t.Errorf("Unknown got %v, the inbox has %+v, reports %v; want one delivery, nothing and none", kept, h.stats(),
			h.told())
	}
}

// TestInboxSecrecy: nothing of a body reaches logs or what is kept beside it.
func TestInboxSecrecy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var log bytes.Buffer
		logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		h.hooks.Logger, h.worker.Logger, h.hooks.OnFailure, h.worker.OnFailure = logger, logger, nil, nil
		webhook.On(h.events, webhook.CustomerRedactRequested,
			func(ctx context.Context, d webhook.Delivery[webhook.CustomerRedact]) error {
				l, _ := webhook.LeaseOf(ctx)
				logger.Info("redact", "delivery", d, "lease", l, "entry", l.Entry)
				fmt.Fprintf(&log, "%v %+v %#v %s %q %x", l, l, l, l, l.Entry, l)
				return fmt.Errorf("not now, %v: %w", l, webhook.ErrPermanent)
			})
		h.deliver(`{"store_id":123,"event":"customers/redact","customer":{"id":9,"email":"cnry_7f3a@example.com"}}`)
		stop := h.run()
		synctest.Wait()
		dead, _ := h.inbox.Dead(t.Context(), "", 1)
		fmt.Fprintf(&log, "%v %+v %#v", dead, dead, dead)
		logger.Info("dead", "letter", dead[0])
		if len(dead) != 1 || strings.Contains(log.String(), "cnry_7f3a") ||
			strings.Contains(dead[0].Cause, "cnry_7f3a") {
			t.Errorf("got %d dead; the log says %s", len(dead), log.String())
		}
		stop()
	})
}
