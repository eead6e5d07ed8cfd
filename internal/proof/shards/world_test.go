package shards

import (
	"context"
	"fmt"
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
	open     func(ctx context.Context) (inboxshards.Engine, func() error, error)
	down, up func(ctx context.Context) error
}

// world is a platform that delivers facts, and what it has seen of the app.
type world struct {
	t       *testing.T
	servers map[string]*server
	stores  int
	app     atomic.Pointer[process]

	mu       sync.Mutex
	accepted map[string]int             // the last fact of each record
	begun    map[string]int             // the last fact of each record whose run has begun
	ended    map[string]map[int]bool    // facts that were committed
	running  map[string]*process        // records with a run in progress
	tokens   map[string]uint64          // the last token of each record
	wrong    map[string]map[string]bool // what was wrong, and where
	runs     int
	refused  int
	cut      time.Time // when a shard or a process was last killed
	// overtaken counts entries that were run before an earlier one of their record, soon after a kill.
	overtaken int
}

func newWorld(t *testing.T, servers map[string]*server, stores int) *world {
	return &world{t: t, servers: servers, stores: stores, accepted: map[string]int{}, begun: map[string]int{},
		ended: map[string]map[int]bool{}, running: map[string]*process{}, tokens: map[string]uint64{},
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
		w.interrupted()
	}
	o := inboxshards.Options{Change: change, OnDown: func(string, error) {}}
	var closes []func() error
	for _, name := range names {
		engine, shut, err := w.servers[name].open(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		closes = append(closes, shut)
		o.Shards = append(o.Shards, inboxshards.Shard{Name: name, Inbox: engine})
	}
	in, err := inboxshards.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	p := &process{Inbox: in, ctx: ctx}
	var workers sync.WaitGroup
	p.kill = sync.OnceFunc(func() {
		cancel()
		workers.Wait()
		for _, shut := range closes {
			if err := shut(); err != nil {
				w.t.Error(err)
			}
		}
	})
	w.t.Cleanup(p.kill)
	for range 4 {
		workers.Go(func() { w.work(p) })
	}
	w.app.Store(p)
	return p
}

// interrupted notes that leases may have been lost.
func (w *world) interrupted() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = time.Now()
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
	record := fmt.Sprintf("%d/%s", l.StoreID, l.Lane)
	w.mu.Lock()
	w.runs++
	w.check(w.running[record] != p, "two runs at the same time", record)
	w.check(!w.ended[record][n], "handled twice", l.Key)
	if n > w.begun[record]+1 && time.Since(w.cut) < 2*term { // as in one inbox, a lost lease gives the turn to the next
		w.overtaken++
	} else {
		w.check(n <= w.begun[record]+1, "out of order", l.Key)
	}
	w.check(l.Token > w.tokens[record], "token too low", l.Key)
	w.begun[record], w.tokens[record] = max(w.begun[record], n), max(w.tokens[record], l.Token)
	w.running[record] = p
	w.mu.Unlock()
	pause(p.ctx, time.Millisecond)
	w.mu.Lock()
	delete(w.running, record)
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(p.ctx, term)
	defer cancel()
	if _, err := p.Commit(ctx, l); err != nil {
		return // the entry is run again
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended[record] == nil {
		w.ended[record] = map[int]bool{}
	}
	w.ended[record][n] = true
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
				w.deliver(store, fmt.Sprint("record ", at%2))
				pause(ctx, 20*time.Millisecond)
			}
		})
	}
	return func() { cancel(); senders.Wait() }
}

// deliver delivers the next fact of a record, and delivers it again after it was accepted.
func (w *world) deliver(store client.ID, lane string) {
	record := fmt.Sprintf("%d/%s", store, lane)
	w.mu.Lock()
	n := w.accepted[record] + 1
	w.mu.Unlock()
	e := webhook.Entry{StoreID: store, Lane: lane, Kind: webhook.KindFact, Event: "order/created", Window: time.Hour,
		Key: webhook.Prefix("app", store) + fmt.Sprintf("order/created:%s:%d", lane, n), Body: fmt.Append(nil, n)}
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
	w.accepted[record] = n
	w.mu.Unlock()
}

// settle waits until no entry is pending, and compares what was handled with what was accepted.
func (w *world) settle() {
	w.t.Helper()
	p := w.app.Load()
	for deadline := time.Now().Add(time.Minute); ; pause(w.t.Context(), 100*time.Millisecond) {
		s, err := p.Stats(w.t.Context())
		if err == nil && s.Pending == 0 {
			break
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("entries remain: %+v, %v", s, err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := 0
	for record, n := range w.accepted {
		sum += n
		w.check(w.begun[record] == n, "lost", record)
	}
	for what, where := range w.wrong {
		w.t.Errorf("%s: %v", what, where)
	}
	w.t.Logf("%d facts of %d records, %d runs, %d deliveries refused, %d overtaken", sum, len(w.accepted), w.runs, w.refused,
		w.overtaken)
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
