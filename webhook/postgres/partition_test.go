package postgres

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The network between a receiver and the database fails in all ways while deliveries come in, and that between a worker
// and the database while they are handled, by this worker and by one whose network is well.
func TestProofPartitioned(t *testing.T) {
	t.Parallel()
	const products = 20
	lasts, rounds := 4*time.Second, tier.Size(1, 1, 20)
	queue := newQueue(t)
	w := newWorld(t, newPool(t, database.URL(), 16), queue, products)
	net, url := through(t, database.URL())
	shaky := open(t, url, Options{Queue: queue})
	well := open(t, database.URL(), Options{Queue: queue})
	var passes passes
	var refused, runs atomic.Int64
	for _, in := range []*Inbox{shaky, well} {
		var r webhook.Registry
		webhook.On(&r, webhook.ProductUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
			runs.Add(1)
			l, _ := webhook.LeaseOf(ctx)
			<-time.After(time.Duration(l.Token%20) * time.Millisecond) // deaf to its context, as a handler may be
			err := passes.add(l, func() error { return w.copy(context.WithoutCancel(ctx), int64(d.Payload.ID), l.Token) })
			if errors.Is(err, errStale) {
				refused.Add(1)
			}
			return err
		})
		work(t, &webhook.Worker{Inbox: in, Registry: &r, Concurrency: 4, Lease: 1500 * time.Millisecond, Poll: quick, MaxAttempts: 1000})
	}

	var all sync.WaitGroup
	var accepted, failed, slowest atomic.Int64
	done := make(chan struct{})
	for n := range 8 {
		r := choices(t, n)
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(5 * time.Millisecond):
				}
				id := 1 + r.Int64N(products)
				version, err := w.change(t.Context(), id)
				if err != nil {
					t.Error(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				began := time.Now()
				_, err = shaky.Accept(ctx, w.entry(id))
				took := int64(time.Since(began))
				cancel()
				slowest.Store(max(slowest.Load(), took))
				if err != nil {
					failed.Add(1)
					w.unheard(body(webhook.ProductUpdated.Name, id))
					continue
				}
				accepted.Add(1)
				if !w.covered(t, id, version) {
					t.Errorf("product %d was acknowledged, and there is neither an entry nor the effect of a run", id)
				}
			}
		})
	}
	for range rounds {
		for _, has := range []trouble{dropped, halfOpen, delayed} {
			before, failedBefore := accepted.Load(), failed.Load()
			net.set(has)
			<-time.After(lasts)
			net.set(none)
			<-time.After(time.Second)
			t.Logf("%s: %d accepted and %d refused during it and a second after", has, accepted.Load()-before, failed.Load()-failedBefore)
		}
	}
	close(done)
	all.Wait()
	w.redeliver(t, well)
	drained(t, well)
	t.Logf("%d accepted, %d refused; the longest Accept took %v; %d runs, %d effects refused by the fence", accepted.Load(), failed.Load(),
		time.Duration(slowest.Load()).Round(time.Millisecond), runs.Load(), refused.Load())
	if slowest := time.Duration(slowest.Load()); slowest > hung {
		t.Errorf("an Accept of 2 s took %v", slowest)
	}
	passes.verify(t)
	w.verify(t)
}

// passes are the effects that passed the fence, by lane, in the order of the database.
type passes struct {
	mu    sync.Mutex
	lanes map[string]*sync.Mutex
	last  map[string]uint64
	wrong int
	count int
}

// add writes an effect, and notes whether it passed although a later lease's had.
func (p *passes) add(l webhook.Lease, effect func() error) error {
	p.mu.Lock()
	if p.lanes == nil {
		p.lanes, p.last = make(map[string]*sync.Mutex), make(map[string]uint64)
	}
	if p.lanes[l.Lane] == nil {
		p.lanes[l.Lane] = &sync.Mutex{}
	}
	lane := p.lanes[l.Lane]
	p.mu.Unlock()
	lane.Lock() // so that the order of the notes is that of the effects
	defer lane.Unlock()
	if err := effect(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	if l.Token < p.last[l.Lane] {
		p.wrong++
	}
	p.last[l.Lane] = l.Token
	return nil
}

func (p *passes) verify(t *testing.T) {
	t.Helper()
	t.Logf("%d effects, %d of them after that of a later lease", p.count, p.wrong)
	if p.wrong > 0 {
		t.Errorf("%d effects of leases passed the fence after that of a later lease", p.wrong)
	}
}

// covered reports whether a change that was acknowledged is in the inbox or in the copy.
func (w *world) covered(t *testing.T, id, version int64) (is bool) {
	t.Helper()
	e := w.entry(id)
	err := w.pool.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM webhook_inbox.entry WHERE queue = $1 AND key = $2 AND state = 'pending')
		OR EXISTS (SELECT FROM world_copy WHERE queue = $1 AND id = $3 AND version >= $4)`, w.queue, e.Key, id, version).Scan(&is)
	if err != nil {
		t.Error(err)
	}
	return is
}
