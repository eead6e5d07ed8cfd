package shards

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
)

const term = 2 * time.Second // of leases

// server is a database of one shard, which can be killed.
type server struct {
	open     func(ctx context.Context) (engine, error)
	down, up func(ctx context.Context) error
	undoes   time.Duration // the time before a crash of which the ends of runs may be undone, as its engine documents
	crashes  []crash
}

type crash struct{ from, until time.Time }

// undone reports whether a crash may have undone the end of a run.
func (s *server) undone(at time.Time) bool {
	return slices.ContainsFunc(s.crashes, func(c crash) bool {
		return at.After(c.from.Add(-s.undoes)) && at.Before(c.until)
	})
}

// world is a platform that delivers facts, and what it has seen of the app.
type world struct {
	t       *testing.T
	servers map[string]*server
	stores  int
	app     atomic.Pointer[process]

	mu       sync.Mutex
	accepted map[record]int             // the last fact of each record
	begun    map[record]int             // the last fact of each record whose run has begun
	facts    map[string]fact            // by key
	running  map[record]*process        // records with a run in progress
	tokens   map[record]uint64          // the last token of each record
	wrong    map[string]map[string]bool // what was wrong, and where
	runs     int
	refused  int
	undone   int // runs whose end a crash has undone
	passed   int // facts that a later one of their record has overtaken
}

// fact is what has happened to a fact.
type fact struct {
	begun bool
	back  bool // its lease was given back once, so that the next fact of its record could be leased
	ended time.Time
	at    *server // on which it ended
}

// engine is an inbox of the engines' modules.
type engine interface {
	inboxshards.Engine
	Close() error
}

// witness is an engine that notes how leases end.
type witness struct {
	engine
	w  *world
	at *server
}

func (e witness) Commit(ctx context.Context, l webhook.Lease) (bool, error) {
	again, err := e.engine.Commit(ctx, l)
	if err == nil {
		e.w.note(l.Key, func(f *fact) { f.ended, f.at = time.Now(), e.at })
	}
	return again, err
}

func (e witness) Fail(ctx context.Context, l webhook.Lease, end webhook.Failed) error {
	e.w.note(l.Key, func(f *fact) { f.back = true })
	return e.engine.Fail(ctx, l, end)
}

func (w *world) note(key string, change func(*fact)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.facts[key]
	change(&f)
	w.facts[key] = f
}

func newWorld(t *testing.T, servers map[string]*server, stores int) *world {
	return &world{t: t, servers: servers, stores: stores, accepted: map[record]int{}, begun: map[record]int{},
		facts: map[string]fact{}, running: map[record]*process{}, tokens: map[record]uint64{},
		wrong: map[string]map[string]bool{}}
}

// process is a process of the app.
type process struct {
	*inboxshards.Inbox
	ctx  context.Context
	kill func() // ends it without an end of its leases
}

// start replaces the process of the app.
func (w *world) start(change *inboxshards.Change, names ...string) *process {
	w.t.Helper()
	if was := w.app.Load(); was != nil {
		was.kill()
	}
	o := inboxshards.Options{Change: change, OnDown: func(string, error) {}}
	for _, name := range names {
		s := w.servers[name]
		o.Shards = append(o.Shards, inboxshards.Shard{Name: name, Open: func(ctx context.Context) (inboxshards.Engine, error) {
			in, err := s.open(ctx)
			return witness{in, w, s}, err
		}})
	}
	in, err := inboxshards.Open(w.t.Context(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	p := &process{Inbox: in, ctx: ctx}
	var workers sync.WaitGroup
	p.kill = sync.OnceFunc(func() {
		cancel()
		workers.Wait()
		if err := in.Close(); err != nil {
			w.t.Error(err)
		}
	})
	w.t.Cleanup(p.kill)
	for range 4 {
		workers.Go(func() { w.work(p) })
	}
	w.app.Store(p)
	return p
}

// work runs entries until the process is killed.
func (w *world) work(p *process) {
	for p.ctx.Err() == nil {
		leases, _ := p.Lease(p.ctx, webhook.LeaseQuery{Limit: 4, Term: term})
		var runs sync.WaitGroup
		for _, l := range leases {
			runs.Go(func() { w.run(p, l) })
		}
		runs.Wait()
		if len(leases) == 0 {
			pause(p.ctx, 20*time.Millisecond)
		}
	}
}

func (w *world) run(p *process, l webhook.Lease) {
	var n int
	if _, err := fmt.Sscan(string(l.Body), &n); err != nil {
		w.t.Errorf("%s has the body %q", l.Key, l.Body)
	}
	r := record{l.StoreID, l.Lane}
	w.mu.Lock()
	w.runs++
	w.check(w.running[r] != p, "two runs at the same time", l.Key)
	w.check(l.Token > w.tokens[r], "token too low", l.Key)
	w.begins(r, l, n)
	w.tokens[r] = max(w.tokens[r], l.Token)
	w.running[r] = p
	w.mu.Unlock()
	pause(p.ctx, time.Millisecond)
	w.mu.Lock()
	delete(w.running, r)
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(p.ctx, term)
	defer cancel()
	_, _ = p.Commit(ctx, l) // after an error the entry is run again
}

// begins checks that a run may begin. A fact whose run has ended is run again only if a crash has undone its end. A
// fact is run before an earlier one of its record only if a lease of that was given back.
func (w *world) begins(r record, l webhook.Lease, n int) {
	f := w.facts[l.Key]
	if !f.ended.IsZero() {
		w.undone++
		w.check(f.at.undone(f.ended), "handled twice", l.Key)
	}
	for earlier := w.begun[r] + 1; earlier < n; earlier++ {
		w.passed++
		w.check(w.facts[r.key(earlier)].back, "out of order", l.Key)
	}
	f.begun = true
	w.facts[l.Key], w.begun[r] = f, max(w.begun[r], n)
}

// record is a record of the platform.
type record struct {
	store client.ID
	lane  string
}

// key returns the key of the nth fact of a record.
func (r record) key(n int) string {
	return webhook.Prefix("app", r.store) + fmt.Sprintf("order/created:%s:%d", r.lane, n)
}

func (w *world) check(ok bool, what, where string) {
	if ok {
		return
	}
	if w.wrong[what] == nil {
		w.wrong[what] = map[string]bool{}
	}
	w.wrong[what][where] = true
}

// load delivers facts of all records, each again until it is accepted, until the function that it returns is called.
func (w *world) load() (stop func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	var senders sync.WaitGroup
	for store := range client.ID(w.stores) { // 0 is the store of deliveries whose store is unknown
		senders.Go(func() {
			for at := 0; ctx.Err() == nil; at++ {
				w.deliver(record{store, fmt.Sprintf("%d/%d", store, at%2)})
				pause(ctx, 20*time.Millisecond)
			}
		})
	}
	return func() { cancel(); senders.Wait() }
}

// deliver delivers the next fact of a record, and delivers it again after it was accepted.
func (w *world) deliver(r record) {
	w.mu.Lock()
	n := w.accepted[r] + 1
	w.mu.Unlock()
	e := webhook.Entry{StoreID: r.store, Lane: r.lane, Kind: webhook.KindFact, Event: "order/created", Window: time.Hour,
		Key: r.key(n), Body: fmt.Append(nil, n)}
	for times := 1 + n%2; times > 0; {
		ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Second)
		_, err := w.app.Load().Accept(ctx, e)
		cancel()
		if err == nil {
			times--
			continue
		}
		w.mu.Lock()
		w.refused++
		w.mu.Unlock()
		if pause(w.t.Context(), 50*time.Millisecond); w.t.Context().Err() != nil {
			return
		}
	}
	w.mu.Lock()
	w.accepted[r] = n
	w.mu.Unlock()
}

// settle waits until no entry is pending, and compares what was handled with what was accepted. It fails if nothing is
// run for a minute.
func (w *world) settle() {
	w.t.Helper()
	p := w.app.Load()
	last, ran := time.Now(), 0
	for ; ; pause(w.t.Context(), 100*time.Millisecond) {
		s, err := p.Stats(w.t.Context())
		if err == nil && s.Pending == 0 {
			break
		}
		w.mu.Lock()
		if w.runs > ran {
			last, ran = time.Now(), w.runs
		}
		w.mu.Unlock()
		if time.Since(last) > time.Minute {
			w.t.Fatalf("entries remain: %+v, %v", s, err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := 0
	for r, n := range w.accepted {
		sum += n
		for one := range n {
			key := r.key(one + 1)
			w.check(w.facts[key].begun, "lost", key)
		}
	}
	for what, where := range w.wrong {
		w.t.Errorf("%s: %v", what, where)
	}
	w.t.Logf("%d facts of %d records, %d runs, %d deliveries refused, %d ends undone by crashes, %d facts overtaken", sum,
		len(w.accepted), w.runs, w.refused, w.undone, w.passed)
}

// pause waits, or returns when the context ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
