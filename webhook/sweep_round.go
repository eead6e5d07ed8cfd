package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"golang.org/x/time/rate"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// Run sweeps all stores at once, and then after every Every, until ctx ends. It returns an error only if the
// configuration is wrong. A second Run waits for the first.
func (s *Sweep) Run(ctx context.Context) error {
	if err := s.Check(); err != nil {
		return err
	}
	limit := s.limiter()
	s.round.Run(ctx, rounds.Plan[value.ID, struct{}]{
		Places: cmp.Or(s.Concurrency, DefaultSweepConcurrency),
		Every:  cmp.Or(s.Every, DefaultEvery),
		List:   s.listed,
		Visit: func(ctx context.Context, store *rounds.Store[value.ID, struct{}]) error {
			return s.store(ctx, store.Key, limit) // OnFailure was called
		},
		Failed: func(ctx context.Context, store value.ID, err error) {
			what := "sweep"
			if store == 0 {
				what = "list the stores to sweep"
			}
			s.tell(ctx, store, "", fmt.Errorf("%s: %w", what, err))
		},
	})
	return nil
}

// Visits returns the results of the sweeps of Run, for each store that was swept.
func (s *Sweep) Visits() map[value.ID]value.Visited {
	return rounds.Results(s.round.All(), func(r rounds.Status) value.Visited { return value.Visited(r) })
}

func (s *Sweep) listed(ctx context.Context) iter.Seq2[value.ID, error] {
	return func(yield func(value.ID, error) bool) {
		stores, err := s.stores(ctx)
		if err != nil {
			yield(0, err)
		}
		for _, store := range stores {
			if !yield(store, nil) {
				return
			}
		}
	}
}

func (s *Sweep) stores(ctx context.Context) (all []value.ID, err error) {
	err = guard(ctx, func(ctx context.Context) (err error) {
		all, err = s.Stores(ctx)
		return err
	})
	return all, err
}

// Store sweeps one store now. Call it when access to a store is resumed.
func (s *Sweep) Store(ctx context.Context, store value.ID) error {
	if err := s.Check(); err != nil {
		return err
	}
	if err := s.store(ctx, store, s.limiter()); !errors.Is(err, rounds.ErrUndecided) {
		return err
	}
	return nil
}

func (s *Sweep) limiter() *rate.Limiter {
	perSecond := cmp.Or(s.Rate, DefaultRate)
	return rate.NewLimiter(rate.Limit(perSecond), perSecond)
}

// store reads the lists of a store. It returns rounds.ErrUndecided if the access to the store is suspended.
func (s *Sweep) store(ctx context.Context, store value.ID, limit *rate.Limiter) error {
	var failed []error
	suspended := false
	for _, source := range s.Sources {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch err := s.pass(ctx, store, source, limit); {
		case errors.Is(err, rounds.ErrUndecided):
			suspended = true
		case err != nil:
			failed = append(failed, err)
		default:
			rounds.Moved(ctx)
		}
	}
	if suspended && len(failed) == 0 && ctx.Err() == nil {
		return rounds.ErrUndecided
	}
	return errors.Join(append(failed, ctx.Err())...)
}
