package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// copiesPass starts the copies of all stores of a Copies repeatedly.
type copiesPass struct {
	copies  *Copies
	places  chan struct{} // one for each store whose copies run
	running sync.WaitGroup
	first   bool               // until all stores were listed once
	stores  map[ID]*copiesUnit // the listed stores
}

// copiesUnit is the state of one store in this process.
type copiesUnit struct {
	busy     atomic.Bool // while its copies run; the other fields belong to their goroutine
	prepared bool
	compared []time.Time // when the ids of each kind of record were last compared
}

func newCopiesPass(c *Copies) *copiesPass {
	places := make(chan struct{}, cmp.Or(c.Concurrency, DefaultCopyConcurrency))
	return &copiesPass{copies: c, places: places, first: true}
}

// run starts the copies of all stores, except stores whose copies are still running.
func (p *copiesPass) run(ctx context.Context) {
	listed, complete := map[ID]*copiesUnit{}, true
	err := unpanicked(func() error {
		for store, err := range p.copies.Stores(ctx) {
			if err != nil {
				complete = false
				p.copies.fail(ctx, store, err)
				continue
			}
			listed[store] = cmp.Or(listed[store], p.unit(store))
			if err := p.begin(ctx, store, listed[store]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		complete = false
		p.copies.fail(ctx, 0, err)
	}
	if complete {
		p.first = false
	}
	for store, unit := range p.stores {
		if !complete || unit.busy.Load() { // the other stores have removed the app
			listed[store] = unit
		}
	}
	p.stores = listed
}

// begin starts the copies of a store when a place is free.
func (p *copiesPass) begin(ctx context.Context, store ID, unit *copiesUnit) error {
	if unit.busy.Load() {
		return nil
	}
	select {
	case p.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	unit.busy.Store(true)
	p.running.Go(func() {
		defer func() {
			unit.busy.Store(false)
			<-p.places
		}()
		p.copies.store(ctx, store, unit)
	})
	return nil
}

// unit returns the state of a store. If a store has installed the app since this process started, its installation has
// prepared it, and its copy is new.
func (p *copiesPass) unit(store ID) *copiesUnit {
	if unit := p.stores[store]; unit != nil {
		return unit
	}
	unit := &copiesUnit{prepared: !p.first, compared: make([]time.Time, len(p.copies.Of))}
	for i := range unit.compared {
		if !p.first {
			unit.compared[i] = time.Now()
		}
	}
	return unit
}

// store prepares a store and runs its copies.
func (c *Copies) store(ctx context.Context, store ID, unit *copiesUnit) {
	if c.Prepare != nil && !unit.prepared {
		if err := unpanicked(func() error { return c.Prepare(ctx, store) }); err != nil {
			c.fail(ctx, store, fmt.Errorf("prepare: %w", err))
		} else {
			unit.prepared = true
		}
	}
	for i, of := range c.Of {
		err := unpanicked(func() error { return c.copy(ctx, store, of, &unit.compared[i]) })
		if access, _ := AccessOf(err); access == AccessGone {
			if err = c.gone(ctx, store, err); err != nil {
				c.fail(ctx, store, err)
			}
			return // the other copies would fail too
		}
		if err != nil && !errors.Is(err, ErrCopyMoved) {
			c.fail(ctx, store, err)
		}
	}
}

// gone treats a refused or missing token. A refusal that may pass is a failure; after that, OnGone is called.
func (c *Copies) gone(ctx context.Context, store ID, refusal error) error {
	if doubt := c.judge().Verdict(ctx, store, ActRetire).Err(); doubt != nil {
		return fmt.Errorf("%w: %w", doubt, refusal)
	}
	if c.OnGone == nil {
		return refusal
	}
	return unpanicked(func() error { return c.OnGone(ctx, store) })
}

// copy runs one copy of a store, and compares its ids if that is due.
func (c *Copies) copy(
	ctx context.Context, store ID, of func(context.Context, ID) (Copier, error), compared *time.Time,
) error {
	one, err := of(ctx, store)
	if err == nil {
		err = one.Run(ctx)
	}
	if began := time.Now(); err == nil && began.Sub(*compared) >= cmp.Or(c.Reconcile, DefaultCopyReconcile) {
		if err = one.Reconcile(ctx); err == nil {
			*compared = began
		}
	}
	c.judge().Observe(ctx, store, err)
	return err
}

// unpanicked calls f, and returns its panic as an error with the stack. A store whose records make the app panic must
// not end the process, because that would stop the copies of all other stores.
func unpanicked(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return f()
}
