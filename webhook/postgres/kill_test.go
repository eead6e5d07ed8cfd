package postgres

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// A receiver, with its handler and its worker, is killed again and again while deliveries come in.
func TestProofKilled(t *testing.T) {
	t.Parallel()
	const products = 40 // of each round, so that a later delivery does not make good what was lost in an earlier one
	rounds, enough := tier.Size(4, 40, 100), tier.Size(300, 300, 3000)
	pool, queue := newPool(t, database.URL(), 16), newQueue(t)
	w := newWorld(t, pool, queue, rounds*products)
	total, wanted, began := 0, 0, time.Now()
	var restarts []time.Duration
	for round := range rounds {
		started := time.Now()
		c := start(t, "receiver", database.URL(), queue)
		url := c.Line(t)
		first, n := w.deliver(t, url, round*products, products, enough, c)
		restarts = append(restarts, first.Sub(started))
		if total += n; c.Lived() {
			wanted += enough
		}
	}
	t.Logf("%d rounds, %d acknowledged in %v", rounds, total, time.Since(began).Round(time.Millisecond))
	slices.Sort(restarts)
	t.Logf("restart of the process to its first 2xx: median %v, worst %v", restarts[rounds/2].Round(time.Millisecond), restarts[rounds-1].Round(time.Millisecond))

	in, err := Open(t.Context(), pool, Options{Queue: queue})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	w.redeliver(t, in)
	stop := work(t, &webhook.Worker{Inbox: in, Registry: w.handlers(), Poll: quick})
	drained(t, in)
	stop()
	w.verify(t)
	if total < wanted {
		t.Errorf("%d acknowledged, want %d or more", total, wanted)
	}
}

// deliver sends changes of products and new orders until enough are acknowledged, and kills the child then, in the
// midst of others. It returns when the first was acknowledged, and how many were.
func (w *world) deliver(t *testing.T, url string, from, products, enough int, c *proctest.Process) (first time.Time, acknowledged int) {
	const posters = 16
	var count atomic.Int64
	var once sync.Once
	var all sync.WaitGroup
	reached, killed := make(chan struct{}), make(chan struct{})
	for n := range posters {
		r := choices(t, n)
		all.Go(func() {
			p := &bench.Poster{Timeout: 5 * time.Second}
			defer p.Close()
			for {
				select {
				case <-killed:
					return
				default:
				}
				event, id := webhook.ProductUpdated.Name, int64(from+1+r.IntN(products))
				if r.IntN(20) == 0 {
					event, id = webhook.OrderCreated.Name, w.orders.Add(1)
				} else if r.IntN(4) == 0 { // else a delivery that the platform repeats
					if _, err := w.change(t.Context(), id); err != nil {
						t.Error(err)
						return
					}
				}
				status, err := post(p, url, body(event, id))
				switch {
				case err != nil || status != http.StatusOK:
					w.unheard(body(event, id))
					continue
				case event == webhook.OrderCreated.Name:
					w.acknowledged(id)
				}
				once.Do(func() { first = time.Now() })
				if count.Add(1) == int64(enough) {
					close(reached)
				}
			}
		})
	}
	select {
	case <-reached:
	case <-c.Ended():
	case <-time.After(2 * time.Minute):
		t.Error("too few deliveries were acknowledged in two minutes")
	}
	close(killed)
	c.Kill(t)
	all.Wait()
	return first, int(count.Load())
}

// An entry ends its process, with 15 others in progress.
func TestProofPoison(t *testing.T) {
	t.Parallel()
	queue := newQueue(t)
	in := open(t, database.URL(), Options{Queue: queue})
	bench.Poisoned(t, in, func() *proctest.Process { return start(t, "poison", database.URL(), queue) })
}
