package inboxshards_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
)

const stores = 300

// town is an app of two processes whose shards change from two to four, under load.
type town struct {
	t       *testing.T
	engines map[string]*inboxmem.Inbox

	next    int // number of the next delivery
	clock   int // counts deliveries
	mu      sync.Mutex
	sent    map[string]int           // facts that were accepted, by key
	ran     map[string]int           // facts that were handled
	version map[string]int           // the clock when the last signal of a record was accepted
	seen    map[string]int           // the clock when the last run of a record began
	running map[string]bool          // lanes
	fences  map[string]uint64        // tokens by lane
	refused int                      // deliveries that were refused with ErrMoving
	dead    map[string]webhook.Entry // that must be in the shard of their store
}

func newTown(t *testing.T) *town {
	all := map[string]*inboxmem.Inbox{}
	for _, name := range []string{"a", "b", "c", "d"} {
		all[name] = memory(t, 0)
	}
	return &town{t: t, engines: all, sent: map[string]int{}, ran: map[string]int{}, version: map[string]int{},
		seen: map[string]int{}, next: 1, running: map[string]bool{}, fences: map[string]uint64{}, dead: map[string]webhook.Entry{}}
}

// process opens the shards as one process of the app does.
func (w *town) process(change *inboxshards.Change, names ...string) *inboxshards.Inbox {
	w.t.Helper()
	o := inboxshards.Options{Change: change}
	for _, name := range names {
		o.Shards = append(o.Shards, inboxshards.Shard{Name: name, Inbox: w.engines[name]})
	}
	in, err := inboxshards.Open(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return in
}

// send delivers a signal or a fact of a random store, again until it is accepted.
func (w *town) send(ctx context.Context, processes []*inboxshards.Inbox, n int) {
	store, record := client.ID(1+rand.IntN(stores)), rand.IntN(3)
	lane := fmt.Sprintf("%d/%d", store, record)
	e := webhook.Entry{StoreID: store, Lane: lane, Kind: webhook.KindSignal, Event: "product/updated",
		Key: webhook.Prefix("app", store) + "product/updated:" + fmt.Sprint(record), Body: fmt.Append(nil, n)}
	if n%2 == 0 {
		e.Kind, e.Event, e.Window = webhook.KindFact, "order/created", 72*time.Hour
		e.Key = webhook.Prefix("app", store) + fmt.Sprintf("order/created:%d", n)
	}
	for range 1 + rand.IntN(2) { // the platform delivers again although it was accepted
		for {
			w.mu.Lock()
			w.clock++
			at := w.clock
			w.mu.Unlock()
			_, err := processes[rand.IntN(len(processes))].Accept(ctx, e)
			w.mu.Lock()
			if errors.Is(err, inboxshards.ErrMoving) {
				w.refused++
				w.mu.Unlock()
				time.Sleep(time.Second + rand.N(10*time.Second))
				continue
			}
			if err != nil {
				w.t.Errorf("accept %s: %v", e.Key, err)
			}
			if e.Kind == webhook.KindFact {
				w.sent[e.Key]++
			} else {
				w.version[lane] = max(w.version[lane], at)
			}
			w.mu.Unlock()
			break
		}
		time.Sleep(rand.N(5 * time.Second))
	}
}

// work runs entries of one process until ctx ends, some of which fail, wait or die.
func (w *town) work(ctx context.Context, in *inboxshards.Inbox) {
	var runs sync.WaitGroup
	defer runs.Wait()
	for ctx.Err() == nil {
		leases, err := in.Lease(w.t.Context(), webhook.LeaseQuery{Limit: 8, Term: time.Minute})
		if err != nil {
			w.t.Errorf("lease: %v", err)
		}
		for _, l := range leases {
			runs.Go(func() { w.run(in, l) })
		}
		if len(leases) == 0 {
			_ = in.Wait(ctx, webhook.LeaseQuery{}, time.Second)
		}
	}
}

func (w *town) run(in *inboxshards.Inbox, l webhook.Lease) {
	ctx := w.t.Context()
	w.mu.Lock()
	if w.running[l.Lane] {
		w.t.Errorf("lane %s runs twice at the same time", l.Lane)
	}
	if l.Token <= w.fences[l.Lane] {
		w.t.Errorf("lane %s: token %d after %d", l.Lane, l.Token, w.fences[l.Lane])
	}
	w.running[l.Lane], w.fences[l.Lane] = true, l.Token
	read := w.clock // the handler reads the record now
	w.mu.Unlock()
	time.Sleep(rand.N(3 * time.Second))
	if rand.IntN(10) == 0 {
		time.Sleep(10 * time.Second)
	}
	fate := rand.IntN(20)
	w.mu.Lock()
	delete(w.running, l.Lane)
	switch {
	case fate < 3:
	case fate == 3 && l.Kind == webhook.KindFact:
		w.dead[l.Key] = l.Entry
	case l.Kind == webhook.KindFact:
		w.ran[l.Key]++
	default:
		w.seen[l.Lane] = max(w.seen[l.Lane], read)
	}
	w.mu.Unlock()
	var err error
	switch {
	case fate < 3:
		err = in.Fail(ctx, l, webhook.Failed{Delay: rand.N(2 * time.Minute), Waits: fate == 0, Cause: "not yet"})
	case fate == 3 && l.Kind == webhook.KindFact:
		err = in.Fail(ctx, l, webhook.Failed{Dead: true, Cause: "never"})
	default:
		_, err = in.Commit(ctx, l)
	}
	if err != nil {
		w.t.Errorf("end of %s: %v", l.Key, err)
	}
}

func listed() iter.Seq2[client.ID, error] {
	return func(yield func(client.ID, error) bool) {
		for store := client.ID(1); store <= stores; store++ {
			if !yield(store, nil) {
				return
			}
		}
	}
}

// drained waits until no entry is pending.
func (w *town) drained(in *inboxshards.Inbox) {
	empty := 0
	for range 600 {
		s, err := in.Stats(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		if empty = empty + 1; s.Pending > 0 {
			empty = 0
		}
		if empty == 2 { // an entry between two shards may be counted in none of them
			return
		}
		time.Sleep(time.Second)
	}
	s, _ := in.Stats(w.t.Context())
	w.t.Errorf("entries remain pending: %+v", s)
}

// check compares what was handled with what was accepted.
func (w *town) check(in *inboxshards.Inbox) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key := range w.sent {
		_, died := w.dead[key]
		if w.ran[key] != 1 && !(died && w.ran[key] == 0) {
			w.t.Errorf("fact %s was handled %d times, dead: %t", key, w.ran[key], died)
		}
		if died {
			if e, err := in.Lookup(w.t.Context(), key, false); err != nil || e.State != webhook.EntryDead {
				w.t.Errorf("dead %s is %q, %v", key, e.State, err)
			}
		}
	}
	for lane, n := range w.version {
		if w.seen[lane] < n {
			w.t.Errorf("lane %s: no run after the last signal", lane)
		}
	}
}

// Two shards become four under load, and two again, while the process that moves stores is killed repeatedly: nothing
// is lost, no fact is handled twice, no two entries of a lane run at the same time, and tokens grow.
func TestMoveUnderLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		two := []string{"a", "b"}
		w.change(2_000, nil, two...)
		grow := &inboxshards.Change{Name: "four", From: two}
		w.change(6_000, grow, "a", "b", "c", "d")
		w.change(1_000, nil, "a", "b", "c", "d")
		shrink := &inboxshards.Change{Name: "two again", From: []string{"a", "b", "c", "d"}}
		for _, name := range []string{"c", "d"} {
			shrink.Leaving = append(shrink.Leaving, inboxshards.Shard{Name: name, Inbox: w.engines[name]})
		}
		w.change(6_000, shrink, two...)
		if w.refused == 0 {
			t.Error("no delivery was refused while its store was moved")
		}
		t.Logf("%d facts, %d dead, %d records, %d deliveries refused", len(w.sent), len(w.dead), len(w.version), w.refused)
	})
}

// change runs two processes with the same configuration for as long as n deliveries take, and moves the stores.
func (w *town) change(n int, change *inboxshards.Change, names ...string) {
	processes := []*inboxshards.Inbox{w.process(change, names...), w.process(change, names...)}
	ctx, stop := context.WithCancel(w.t.Context())
	var workers, senders sync.WaitGroup
	for _, in := range processes {
		workers.Go(func() { w.work(ctx, in) })
	}
	from := w.next
	w.next += n
	for i := range n {
		senders.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			w.send(w.t.Context(), processes, from+i)
		})
	}
	if change != nil {
		w.move(processes[0])
	}
	senders.Wait()
	w.drained(processes[1])
	w.check(processes[1])
	stop()
	workers.Wait()
}

// move moves the stores, and is killed a few times.
func (w *town) move(in *inboxshards.Inbox) {
	time.Sleep(5 * time.Second)
	for kills := range 5 {
		ctx, cancel := context.WithTimeout(w.t.Context(), time.Duration(1+kills)*time.Second)
		if _, err := in.Move(ctx, "app", listed(), nil); !errors.Is(err, context.DeadlineExceeded) {
			w.t.Errorf("a move that is killed: %v", err)
		}
		cancel()
	}
	sum, err := in.Move(w.t.Context(), "app", listed(), nil)
	if err != nil || sum.Stores+sum.Stayed != stores || sum.Stores < stores/3 {
		w.t.Errorf("moved %+v, %v", sum, err)
	}
}
