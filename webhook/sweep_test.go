package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// shelf is a list of records with the time of their change.
type shelf struct {
	mu      sync.Mutex
	changed map[string]time.Time
	asked   []time.Time
	err     error // after the ids
	open    error // instead of them
}

func (s *shelf) source(event webhook.Name) webhook.Source {
	return webhook.Source{Event: event, Since: func(_ context.Context, _ client.ID, mark time.Time) (webhook.Changes,
		error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, mark)
		return shelfChanges{s, mark, time.Now()}, s.open
	}}
}

type shelfChanges struct {
	*shelf
	since, now time.Time
}

func (c shelfChanges) All(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for id, at := range c.changed {
			if !at.Before(c.since) && !yield(id, nil) {
				return
			}
		}
		if c.err != nil {
			yield("", c.err)
		}
	}
}

func (c shelfChanges) Mark() time.Time { return c.now }

func newSweep(h *house, sources ...webhook.Source) *webhook.Sweep {
	return &webhook.Sweep{
		Inbox: h.inbox, Marks: h.inbox, Registry: h.events, Sources: sources, OnFailure: h.report,
		Stores: func(context.Context) ([]client.ID, error) { return []client.ID{123}, nil },
	}
}

// TestSweepFindsWhatWasNeverDelivered: while a store was suspended nothing was sent, and nothing was queued.
func TestSweepFindsWhatWasNeverDelivered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var mu sync.Mutex
		var products []string
		handled := func(more ...string) []string {
			mu.Lock()
			defer mu.Unlock()
			products = append(products, more...)
			return slices.Clone(products)
		}
		webhook.On(h.events, webhook.ProductUpdated, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
			handled(fmt.Sprintf("%d/%d", d.StoreID, d.Payload.ID))
			return nil
		})
		list := &shelf{changed: map[string]time.Time{"1": time.Now().Add(-80 * time.Hour),
			"2": time.Now().Add(-50 * time.Hour)}}
		sweep := newSweep(h, list.source("product/updated"))
		var swept []int // by the goroutine of the sweep
		sweep.OnSwept = func(_ context.Context, store client.ID, event webhook.Name, n int) {
			if store != 123 || event != "product/updated" {
				t.Errorf("swept %s of store %d", event, store)
			}
			swept = append(swept, n)
		}
		stop := h.start()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		began := time.Now()
		go func() { done <- sweep.Run(ctx) }()
		synctest.Wait()
		if want := []string{"123/2"}; !slices.Equal(handled(), want) ||
			!list.asked[0].Equal(began.Add(-webhook.DefaultReach)) {
			t.Errorf("got %v from %v, want %v from 72 hours ago", handled(), list.asked[0], want)
		}
		list.mu.Lock()
		list.changed["3"] = time.Now().Add(10 * time.Minute)
		list.open = fmt.Errorf("GET /products: %w", client.ErrPaymentRequired) // suspended
		list.mu.Unlock()
		time.Sleep(150 * time.Minute)
		list.mu.Lock()
		list.open = nil
		list.mu.Unlock()
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := []string{"123/2", "123/3"}; !slices.Equal(handled(), want) ||
			!list.asked[len(list.asked)-1].Equal(began) {
			t.Errorf("got %v, asked from %v; want %v and the mark of before the suspension", handled(), list.asked,
				want)
		}
		cancel()
		if err := errors.Join(<-done, stop()); err != nil {
			t.Error(err)
		}
		if want := []int{1, 1}; !slices.Equal(swept, want) || len(h.told()) != 0 {
			t.Errorf("got %v, reports %v; want %v and none: to be suspended is no failure", swept, h.told(), want)
		}
	})
}

// TestSweepSharesEntries: a record of which a delivery is pending is not handled twice.
func TestSweepSharesEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		h.deliver(paid)
		orders := &shelf{changed: map[string]time.Time{"5": time.Now()}}
		if err := newSweep(h, orders.source("order/paid")).Store(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		if s := h.stats(); s.Pending != 1 {
			t.Errorf("got %+v, want one entry for the delivery and the sweep", s)
		}
	})
}

// TestSweepSpeaksAsThePlatform: a record has its id as deliveries write it, so that whoever reads one reads the other:
// a number for most, which was a text once.
func TestSweepSpeaksAsThePlatform(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			event    webhook.Name
			id, body string
		}{
			{"order/paid", "5", paid},
			{"order/paid", "9223372036854775807", `{"store_id":123,"event":"order/paid","id":9223372036854775807}`},
			{"kit/updated", "007", `{"store_id":123,"event":"kit/updated","id":"007"}`},
			{"location/updated", "01HV0C4B8T2V2M5DYH0000000A",
				`{"store_id":123,"event":"location/updated","id":"01HV0C4B8T2V2M5DYH0000000A"}`},
		} {
			h := newHouse(t)
			sweep := newSweep(h, (&shelf{changed: map[string]time.Time{tt.id: time.Now()}}).source(tt.event))
			sweep.Registry = nil
			if err := sweep.Store(t.Context(), 123); err != nil {
				t.Fatal(err)
			}
			if l, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute}); err != nil ||
				len(l) != 1 || string(l[0].Body) != tt.body {
				t.Errorf("%s %s: got %v, leases %+v; want %s", tt.event, tt.id, err, l, tt.body)
			}
		}
	})
}

// TestSweepKeepsItsMark: what was not read to the end is read again.
func TestSweepKeepsItsMark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		orders := &shelf{changed: map[string]time.Time{"5": time.Now(), "6": time.Now()},
			err: errors.New("page 2 is no JSON")}
		sweep := newSweep(h, orders.source("order/paid"))
		if err := sweep.Store(t.Context(), 123); err == nil ||
			!strings.Contains(err.Error(), "order/paid of store 123: page 2") || h.stats().Pending != 2 {
			t.Errorf("got %v, %+v; want the error and what was read before it", err, h.stats())
		}
		time.Sleep(time.Minute)
		orders.err = nil
		if err := sweep.Store(t.Context(), 123); err != nil {
			t.Error(err)
		}
		mark := time.Now()
		orders.changed["7"] = time.Now().Add(time.Hour)
		inbox := newFaulty(h.inbox)
		sweep.Inbox = inbox
		for _, failing := range []error{webhook.ErrFull, nil} {
			inbox.set("accept", failing)
			time.Sleep(time.Minute)
			if err := sweep.Store(t.Context(), 123); !errors.Is(err, failing) {
				t.Errorf("got %v, want %v", err, failing)
			}
		}
		if err := sweep.Store(t.Context(), 123); err != nil {
			t.Error(err)
		}
		reach := mark.Add(-time.Minute - webhook.DefaultReach)
		want := []time.Time{reach, reach.Add(time.Minute), mark, mark, mark.Add(2 * time.Minute)}
		if !slices.EqualFunc(orders.asked, want, time.Time.Equal) {
			t.Errorf("asked from %v, want %v", orders.asked, want)
		}
		if n := len(h.told()); n != 2 {
			t.Errorf("got %d reports, want 2", n)
		}
	})
}

// A mark that is far ahead of the clock was once stored, and all changes up to it were lost.
func TestSweepRefusesMarksAhead(t *testing.T) {
	for _, test := range []struct {
		name        string
		stored, led time.Duration // from this machine's clock
		want        time.Duration
		refused     bool
	}{
		{"a day ahead", -2 * time.Hour, 24 * time.Hour, -2 * time.Hour, true},
		{"within the hour", -2 * time.Hour, time.Hour, time.Hour, false},
		{"just after the hour", -2 * time.Hour, time.Hour + time.Second, -2 * time.Hour, true},
		{"an hour after a mark that is ahead", 23 * time.Hour, 24 * time.Hour, 24 * time.Hour, false},
		{"before the mark", -2 * time.Hour, -3 * time.Hour, -2 * time.Hour, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				h.orderPaid(func(context.Context) error { return nil })
				here := time.Now()
				var asked []time.Time
				sweep := newSweep(h, webhook.Source{Event: "order/paid",
					Since: func(_ context.Context, _ client.ID, mark time.Time) (webhook.Changes, error) {
						asked = append(asked, mark)
						return shelfChanges{&shelf{changed: map[string]time.Time{"5": here}}, mark, here.Add(test.led)},
							nil
					}})
				if err := h.inbox.SetMark(t.Context(), ":123:order/paid", here.Add(test.stored)); err != nil {
					t.Fatal(err)
				}
				err := sweep.Store(t.Context(), 123)
				if (err != nil) != test.refused || test.refused != (len(h.told()) == 1) {
					t.Errorf("got %v, reports %v; want a refusal: %v", err, h.told(), test.refused)
				}
				_ = sweep.Store(t.Context(), 123) // asks from the mark that is stored
				if len(asked) != 2 || !asked[0].Equal(here.Add(test.stored)) || !asked[1].Equal(here.Add(test.want)) {
					t.Errorf("asked from %v, want from %v", asked, here.Add(test.want))
				}
			})
		})
	}
}

// batches is an inbox that notes how many entries come at a time.
type batches struct {
	webhook.Inbox
	sizes []int
	fail  map[int]error // by the number of the call, from 1
}

func (b *batches) Accept(ctx context.Context, entries ...webhook.Entry) ([]webhook.Outcome, error) {
	b.sizes = append(b.sizes, len(entries))
	if err := b.fail[len(b.sizes)]; err != nil {
		return nil, err
	}
	return b.Inbox.Accept(ctx, entries...)
}

// TestSweepBatches: each record is put into the inbox once, a hundred at a time, and a batch that is not taken keeps
// the mark in its place.
func TestSweepBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		orders := &shelf{changed: map[string]time.Time{}}
		for id := range 250 {
			orders.changed[fmt.Sprint(id+1)] = time.Now()
		}
		sweep := newSweep(h, orders.source("order/paid"))
		full := &batches{Inbox: h.inbox, fail: map[int]error{1: webhook.ErrFull}}
		sweep.Inbox = full
		if err := sweep.Store(t.Context(), 123); !errors.Is(err, webhook.ErrFull) ||
			!slices.Equal(full.sizes, []int{100}) {
			t.Errorf("got %v after batches of %v, want ErrFull after one of 100", err, full.sizes)
		}
		inbox := &batches{Inbox: h.inbox}
		sweep.Inbox = inbox
		if err := sweep.Store(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(inbox.sizes, []int{100, 100, 50}) || h.stats().Pending != 250 ||
			!orders.asked[1].Equal(orders.asked[0]) {
			t.Errorf("got batches of %v, %+v, asked from %v; want 250 records and the mark where it was", inbox.sizes,
				h.stats(), orders.asked)
		}
	})
}

// lostMarks cannot be read or written.
type lostMarks struct {
	webhook.Marks
	read, write error
}

func (l lostMarks) Mark(ctx context.Context, name string) (time.Time, error) {
	if l.read != nil {
		return time.Time{}, l.read
	}
	return l.Marks.Mark(ctx, name)
}

func (l lostMarks) SetMark(context.Context, string, time.Time) error { return l.write }

// TestSweepWithoutMarks: a mark that cannot be read does not count as none, and one that cannot be kept is told of.
func TestSweepWithoutMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		down := errors.New("no database")
		for _, tt := range []struct {
			marks lostMarks
			asked int
		}{{lostMarks{h.inbox, down, nil}, 0}, {lostMarks{h.inbox, nil, down}, 1}} {
			orders := &shelf{changed: map[string]time.Time{"5": time.Now()}}
			sweep := newSweep(h, orders.source("order/paid"))
			sweep.Marks = tt.marks
			if err := sweep.Store(t.Context(), 123); !errors.Is(err, down) || len(orders.asked) != tt.asked {
				t.Errorf("got %v, the list was asked for %d times; want %v and %d", err, len(orders.asked), down,
					tt.asked)
			}
		}
		sweep := newSweep(h, (&shelf{}).source("order/paid"))
		sweep.Stores = func(context.Context) ([]client.ID, error) { return nil, down }
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := sweep.Run(ctx); err != nil {
			t.Error(err)
		}
		if told := h.told(); len(told) != 3 || !errors.Is(told[2], down) ||
			!strings.Contains(told[2].Error(), "list the stores") {
			t.Errorf("got reports %v, want three, the last of the stores", told)
		}
	})
}

func TestSweepRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		orders := &shelf{changed: map[string]time.Time{}}
		for id := range 500 {
			orders.changed[fmt.Sprint(id+1)] = time.Now()
		}
		sweep := newSweep(h, orders.source("order/paid"))
		sweep.Rate = 50
		swept := 0
		sweep.OnSwept = func(context.Context, client.ID, webhook.Name, int) { swept++ }
		began := time.Now()
		if err := sweep.Store(t.Context(), 123); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 9*time.Second || took > 10*time.Second || h.stats().Pending != 500 {
			t.Errorf("500 records took %v, %+v; want 9 s at 50 a second", took, h.stats())
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := sweep.Store(ctx, 123); err == nil {
			t.Error("a sweep whose context ended gave no error")
		}
		if swept != 1 || len(h.told()) != 0 {
			t.Errorf("got %d lists read to their end, reports %v; want one and none: to be stopped is no failure",
				swept, h.told())
		}
	})
}

func TestSweepCheck(t *testing.T) {
	h := newHouse(t)
	h.orderPaid(func(context.Context) error { return nil })
	good := func() *webhook.Sweep { return newSweep(h, (&shelf{}).source("order/paid")) }
	ownMarks := good()
	ownMarks.Inbox, ownMarks.Marks = h.inbox, nil
	if err := errors.Join(good().Check(), ownMarks.Check()); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*webhook.Sweep){
		"no inbox": func(s *webhook.Sweep) { s.Inbox = nil },
		"does not implement webhook.Marks": func(s *webhook.Sweep) {
			s.Marks, s.Inbox = nil, struct{ webhook.Inbox }{s.Inbox}
		},
		"no Stores":                     func(s *webhook.Sweep) { s.Stores = nil },
		"no Sources":                    func(s *webhook.Sweep) { s.Sources = nil },
		"source 1 has no Since":         func(s *webhook.Sweep) { s.Sources[0].Since = nil },
		`"order/packed" is not handled`: func(s *webhook.Sweep) { s.Sources[0].Event = "order/packed" },
		`"order/created" is a fact`:     func(s *webhook.Sweep) { s.Sources[0].Event = "order/created" },
		"Every is -1ns":                 func(s *webhook.Sweep) { s.Every = -1 },
		"Rate is -1":                    func(s *webhook.Sweep) { s.Rate = -1 },
	} {
		s := good()
		change(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if s.Run(t.Context()) == nil || s.Store(t.Context(), 1) == nil {
			t.Errorf("%s: Run and Store went on", want)
		}
	}
}

// TestSweepHooksThatPanic: the process lives, and the next sweep finds what this one could not.
func TestSweepHooksThatPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.orderPaid(func(context.Context) error { return nil })
		orders := &shelf{changed: map[string]time.Time{"5": time.Now()}}
		sweep := newSweep(h, orders.source("order/paid"))
		rounds := 0
		sweep.Stores = func(context.Context) ([]client.ID, error) {
			if rounds++; rounds == 1 {
				panic("no database")
			}
			return []client.ID{123}, nil
		}
		sweep.OnSwept = func(context.Context, client.ID, webhook.Name, int) { panic("no meter") }
		ctx, cancel := context.WithTimeout(t.Context(), webhook.DefaultEvery+time.Minute)
		defer cancel()
		if err := sweep.Run(ctx); err != nil {
			t.Error(err)
		}
		told := h.told()
		if h.stats().Pending != 1 || len(told) != 1 || told[0].Stack == nil ||
			!strings.Contains(told[0].Error(), "list the stores to sweep") {
			t.Errorf("got %+v, reports %v; want what the second sweep found, and the panic of Stores told", h.stats(),
				told)
		}
	})
}
