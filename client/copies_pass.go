package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// copiesUnit is the state of one store in this process.
type copiesUnit struct {
	prepared bool
	compared []time.Time // when the ids of each kind of record were last compared
}

// visit prepares a store and runs its copies. If a store has installed the app since this process started, its
// installation has prepared it, and its copy is new.
func (c *Copies) visit(ctx context.Context, s *rounds.Store[ID, copiesUnit]) error {
	store, unit := s.Key, &s.State
	if unit.compared == nil {
		unit.prepared, unit.compared = !s.First, make([]time.Time, len(c.Of))
		for i := range unit.compared {
			if !s.First {
				unit.compared[i] = time.Now()
			}
		}
	}
	var failed error
	if c.Prepare != nil && !unit.prepared {
		if err := unpanicked(func() error { return c.Prepare(ctx, store) }); err != nil {
			failed = fmt.Errorf("prepare: %w", err)
			c.fail(ctx, store, failed)
		} else {
			unit.prepared = true
		}
	}
	moved := true
	for i, of := range c.Of {
		err := unpanicked(func() error { return c.copy(ctx, store, of, &unit.compared[i]) })
		if access, _ := AccessOf(err); access == AccessGone {
			if err = c.gone(ctx, store, err); err != nil {
				c.fail(ctx, store, err)
			}
			if errors.Is(err, ErrDoubtful) {
				return rounds.ErrUndecided // each pass collects evidence, so none leaves the store out
			}
			return cmp.Or(err, rounds.ErrUndecided) // the other copies would fail too
		}
		switch {
		case err == nil:
			moved = false
			rounds.Moved(ctx)
		case !errors.Is(err, ErrCopyMoved):
			moved, failed = false, cmp.Or(failed, err)
			c.fail(ctx, store, err)
		}
	}
	if moved && failed == nil {
		return rounds.ErrUndecided // another replica runs the copies
	}
	return failed
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
func unpanicked(f func() error) error {
	err := rounds.Guard(f)
	if p, ok := errors.AsType[*rounds.Panic](err); ok {
		return fmt.Errorf("%w\n%s", err, p.Stack)
	}
	return err
}
