package webhook

import (
	"cmp"
	"context"
	"sync"

	"golang.org/x/time/rate"

	"github.com/commerceplatform/commerce-go/client"
)

// sweepRound is shared by the sweeps of a Run.
type sweepRound struct {
	sweep   *Sweep
	limit   *rate.Limiter
	places  chan struct{} // one for each store that is being swept
	running sync.WaitGroup

	mu   sync.Mutex
	busy map[client.ID]bool
}

func (s *Sweep) round() *sweepRound {
	return &sweepRound{
		sweep: s, limit: s.limiter(), places: make(chan struct{}, cmp.Or(s.Concurrency, DefaultSweepConcurrency)),
		busy: make(map[client.ID]bool),
	}
}

// begin sweeps a store as soon as there is a place for it, unless it is already being swept.
func (r *sweepRound) begin(ctx context.Context, store client.ID) {
	if !r.take(store) {
		return
	}
	select {
	case r.places <- struct{}{}:
	case <-ctx.Done():
		return
	}
	r.running.Go(func() {
		defer func() { // also if a function of the app ends the goroutine
			r.free(store)
			<-r.places
		}()
		_ = r.sweep.store(ctx, store, r.limit) // OnFailure was called
	})
}

func (r *sweepRound) take(store client.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[store] {
		return false
	}
	r.busy[store] = true
	return true
}

func (r *sweepRound) free(store client.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.busy, store)
}
