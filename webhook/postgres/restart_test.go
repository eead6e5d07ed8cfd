package postgres

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The database is restarted, in order and as in a crash, while deliveries come in and are handled.
func TestProofEngineRestarted(t *testing.T) {
	t.Parallel()
	restarts, between := tier.Size(2, 20, 20), tier.Size(200*time.Millisecond, 200*time.Millisecond, 3*time.Second)
	engine, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Stop)
	const products = 200 // a twentieth for each restart, so that a later delivery does not make good what was lost before
	pool, queue := newPool(t, engine.URL(), 16), newQueue(t)
	in, err := Open(t.Context(), pool, Options{Queue: queue})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	w := newWorld(t, pool, queue, products)
	stop := work(t, &webhook.Worker{Inbox: in, Registry: w.handlers(), Lease: 2 * time.Second, Poll: quick})

	var all sync.WaitGroup
	var accepted, refused atomic.Int64
	var latest, slowest atomic.Int64 // the last time that something was accepted, and the longest that a failure took
	var round atomic.Int64
	done := make(chan struct{})
	events := w.handlers()
	for n := range 16 {
		r := choices(t, n)
		all.Go(func() {
			event, id, changes := webhook.Name(""), int64(0), false
			for {
				if event == "" {
					const each = products / 20
					event, id, changes = webhook.ProductUpdated.Name, 1+round.Load()*each%products+r.Int64N(each), r.IntN(2) == 0
					if r.IntN(4) == 0 {
						event, id, changes = webhook.OrderCreated.Name, w.orders.Add(1), false
					}
				}
				select {
				case <-done:
					w.unheard(body(event, id))
					return
				case <-time.After(5 * time.Millisecond):
				}
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				if changes { // else a delivery that the platform repeats
					if _, err := w.change(ctx, id); err != nil {
						cancel()
						continue
					}
					changes = false
				}
				began := time.Now()
				_, err := in.Accept(ctx, events.Entry("", "", body(event, id)))
				cancel()
				took := time.Since(began)
				if err != nil {
					refused.Add(1)
					slowest.Store(max(slowest.Load(), int64(took)))
					continue // it is delivered again
				}
				accepted.Add(1)
				latest.Store(time.Now().UnixNano())
				if event == webhook.OrderCreated.Name {
					w.acknowledged(id)
				}
				event = ""
			}
		})
	}
	var recoveries []time.Duration
	for n := range restarts {
		<-time.After(between)
		mode := pgtest.Fast
		if n%2 == 0 {
			mode = pgtest.Immediate
		}
		if err := engine.Down(t.Context(), mode); err != nil {
			t.Fatal(err)
		}
		if err := engine.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		up := time.Now()
		for latest.Load() < up.UnixNano() {
			if time.Since(up) > hung {
				t.Fatal("nothing is accepted after the database was up again")
			}
			<-time.After(time.Millisecond)
		}
		recoveries = append(recoveries, time.Since(up))
		round.Add(1)
	}
	close(done)
	all.Wait()
	w.redeliver(t, in)
	drained(t, in)
	stop()
	slices.Sort(recoveries)
	t.Logf("%d restarts: %d accepted, %d refused, the slowest after %v; from the database being up to the first accept: median %v, worst %v",
		restarts, accepted.Load(), refused.Load(), time.Duration(slowest.Load()).Round(time.Millisecond),
		recoveries[len(recoveries)/2].Round(time.Millisecond), recoveries[len(recoveries)-1].Round(time.Millisecond))
	w.verify(t)
	if slowest := time.Duration(slowest.Load()); slowest > hung {
		t.Errorf("an Accept of 2 s failed after %v", slowest)
	}
}
