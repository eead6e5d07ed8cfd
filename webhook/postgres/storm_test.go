package postgres

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// tale is what deliveries and workers tell of one entry.
type tale struct {
	acknowledged, refused int // deliveries; some of the refused may have been stored all the same
	runs, failed          int
	arrivals, empty       int // what runs that did not fail were for, and those that were for nothing
}

// tales are by the key of the entry.
type tales struct {
	mu    sync.Mutex
	byKey map[string]*tale
}

func (a *tales) add(key string, more tale) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byKey == nil {
		a.byKey = map[string]*tale{}
	}
	t := a.byKey[key]
	if t == nil {
		t = &tale{}
		a.byKey[key] = t
	}
	t.acknowledged, t.refused = t.acknowledged+more.acknowledged, t.refused+more.refused
	t.runs, t.failed = t.runs+more.runs, t.failed+more.failed
	t.arrivals, t.empty = t.arrivals+more.arrivals, t.empty+more.empty
}

func (a *tales) finished(_ context.Context, l webhook.Lease, r webhook.Result) {
	more := tale{runs: 1}
	switch {
	case r.Err != nil:
		more.failed = 1
	case l.Count < 1:
		more.empty = 1
	default:
		more.arrivals = l.Count
	}
	a.add(l.Key, more)
}

// verify wants every event handled, and as often as arrivals demand: a fact once, and a signal so that each run is for
// arrivals of its own and all arrivals have one. It returns how many runs there were.
func (a *tales) verify(t *testing.T, facts map[string]bool) (runs int) {
	t.Helper()
	for key, of := range a.byKey {
		runs += of.runs
		done := of.runs - of.failed
		accounted := of.arrivals >= of.acknowledged && of.arrivals <= of.acknowledged+of.refused
		if done < 1 || of.empty > 0 || facts[key] && done != 1 || !facts[key] && !accounted {
			t.Errorf("%s: %+v: want a fact handled once, and each arrival of a signal by one run, which is for one at least", key, *of)
		}
	}
	return runs
}

// Every delivery of 100 events comes many times, shuffled, to three replicas.
func TestProofDuplicateStorm(t *testing.T) {
	t.Parallel()
	copies, products, orders := tier.Size(10, 100, 2000), 50, 50
	pool, queue := newPool(t, database.URL(), 16), newQueue(t)
	w := newWorld(t, pool, queue, products)
	var told tales
	var workers []func()
	var urls []string
	var first *Inbox
	for range 3 {
		in := open(t, database.URL(), Options{Queue: queue})
		first = in
		workers = append(workers, work(t, &webhook.Worker{Inbox: in, Registry: w.handlers(), Poll: quick, OnFinished: told.finished}))
		server := httptest.NewServer(&webhook.Handler{Secrets: []client.Secret{secret}, Registry: w.handlers(), Inbox: in})
		t.Cleanup(server.Close)
		urls = append(urls, server.URL)
	}
	var deliveries [][]byte
	for range copies {
		for id := range products {
			deliveries = append(deliveries, body(webhook.ProductUpdated.Name, int64(id+1)))
		}
		for id := range orders {
			deliveries = append(deliveries, body(webhook.OrderCreated.Name, int64(id+1)))
		}
	}
	choices(t, 0).Shuffle(len(deliveries), func(i, j int) { deliveries[i], deliveries[j] = deliveries[j], deliveries[i] })
	events, facts := w.handlers(), map[string]bool{}
	key := func(body []byte) string { return events.Entry("", "", body).Key }
	for id := range orders {
		w.acknowledged(int64(id + 1))
		facts[key(body(webhook.OrderCreated.Name, int64(id+1)))] = true
	}
	var all sync.WaitGroup
	var next atomic.Int64
	took := make([]time.Duration, len(deliveries))
	var again atomic.Int64
	deliver := func(p *bench.Poster, url string, body []byte) { // until it is acknowledged, as the platform does
		for {
			switch status, err := post(p, url, body); {
			case err != nil || status != http.StatusOK && status != http.StatusServiceUnavailable:
				t.Errorf("status %d, %v", status, err)
				return
			case status == http.StatusOK:
				told.add(key(body), tale{acknowledged: 1})
				return
			}
			told.add(key(body), tale{refused: 1})
			again.Add(1)
		}
	}
	for n := range senders {
		r := choices(t, 1+n)
		all.Go(func() {
			p := &bench.Poster{Timeout: hung}
			defer p.Close()
			for {
				n := int(next.Add(1)) - 1
				if n >= len(deliveries) {
					return
				}
				if n%100 == 0 { // products go on changing, and each change is followed by a delivery
					id := r.Int64N(int64(products)) + 1
					if _, err := w.change(t.Context(), id); err != nil {
						t.Error(err)
					}
					deliver(p, urls[n%len(urls)], body(webhook.ProductUpdated.Name, id))
				}
				began := time.Now()
				deliver(p, urls[n%len(urls)], deliveries[n])
				took[n] = time.Since(began)
			}
		})
	}
	all.Wait()
	drained(t, first)
	for _, stop := range workers { // and tell of their last runs
		stop()
	}
	slices.Sort(took)
	if len(told.byKey) != products+orders {
		t.Errorf("heard of %d events, want %d", len(told.byKey), products+orders)
	}
	t.Logf("%d deliveries of %d events, %d of them sent again: %d runs; answers: median %v, p99 %v, worst %v", len(deliveries), products+orders, again.Load(), told.verify(t, facts),
		took[len(took)/2].Round(time.Microsecond), took[len(took)*99/100].Round(time.Microsecond), took[len(took)-1].Round(time.Microsecond))
	w.verify(t)
	if refused := int(again.Load()); refused > len(deliveries) { // few or none on a machine that does nothing else
		t.Errorf("%d answers were 503, want one for each delivery at most, on however slow a machine", refused)
	}
}

// What arrives during a run is always run again.
func TestProofArrivalDuringRun(t *testing.T) {
	t.Parallel()
	n := tier.Size(int64(100), 1000, 1000)
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	var w world
	var entries []webhook.Entry
	for id := range n {
		entries = append(entries, w.entry(id+1))
	}
	if _, err := in.Accept(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	var again, second atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for {
				leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 10, Term: time.Hour})
				if err != nil {
					t.Error(err)
				}
				if len(leases) == 0 {
					return
				}
				for _, l := range leases {
					if l.Gen > 1 {
						second.Add(1)
					} else if _, err := in.Accept(t.Context(), l.Entry); err != nil {
						t.Error(err)
					}
					is, err := in.Commit(t.Context(), l)
					if err != nil {
						t.Error(err)
					}
					if is {
						again.Add(1)
					}
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d of %d were told to run again, and %d did", again.Load(), n, second.Load())
	if again.Load() != n || second.Load() != n {
		t.Errorf("%d were told to run again and %d did, want %d", again.Load(), second.Load(), n)
	}
}
