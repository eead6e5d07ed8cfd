package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/rounds"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	// resealSQL changes a token only if the row still holds the opened token, so it never overwrites a Swap.
	resealSQL = `UPDATE commerce_install SET sealed_by = $1, token = $2
		WHERE app = $3 AND store_id = $4 AND generation = $5 AND token = $6`

	olderSQL = `SELECT ` + columns + ` FROM commerce_install
		WHERE store_id > $1 AND sealed_by <> $3 AND app = $4 ORDER BY store_id LIMIT $2`

	resealWithin = time.Second // how long a load waits for the reseal of its token
	resealPause  = time.Minute // pause after a failed reseal

	resealPlaces = 4                // how many tokens Reseal seals at a time
	resealLimit  = 10 * time.Second // of each of them
)

// reseal seals a token with the newest key, and reports whether it did. It does nothing if the record has changed since
// it was read.
func (s *Store) reseal(ctx context.Context, r ring, w row, token client.Secret) (bool, error) {
	sealedBy, text := r.seal(w.storeID, w.generation, token)
	return s.changed(ctx, resealSQL, sealedBy, text, s.App, w.storeID, w.generation, w.token)
}

// resealLoaded seals a token that was loaded. If the database rejects it, only one load a minute spends time on it.
func (s *Store) resealLoaded(ctx context.Context, r ring, w row, token client.Secret) {
	now := time.Now()
	if now.UnixNano() < s.resealFrom.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, resealWithin)
	defer cancel()
	if _, err := s.reseal(ctx, r, w, token); err != nil {
		s.resealFrom.Store(now.Add(resealPause).UnixNano())
	}
}

// Reseal seals all tokens with the newest key that are sealed with another key, or not at all. It returns how many it
// has sealed, also with an error. After it has returned 0 and no error, the other keys are no longer needed, if all
// replicas had the newest key first when it began; see KeySet. It may be interrupted and called again. It may run while
// the Store is in use, because it skips tokens that are swapped meanwhile. It also skips tokens that cannot be opened,
// and tokens that the database does not seal within 10 s, and returns an error for them at the end.
func (s *Store) Reseal(ctx context.Context) (int, error) {
	r, err := s.ready(ctx)
	if err != nil {
		return 0, err
	}
	if len(r.keys) == 0 {
		return 0, ErrNoKeys
	}
	var sealed atomic.Int32
	var closed, open failures
	var unlisted error
	rounds.Each(ctx, resealPlaces, resealLimit, func(yield func(client.ID, func(context.Context) error) bool) {
		unlisted = s.older(ctx, r, &closed, func(w row, token client.Secret) bool {
			return yield(w.storeID, func(ctx context.Context) error {
				done, err := s.reseal(ctx, r, w, token)
				if done {
					sealed.Add(1)
				}
				return err
			})
		})
	}, func(store client.ID, err error) { open.add(fmt.Errorf("reseal store %d: %w", store, err)) })
	switch {
	case unlisted != nil || ctx.Err() != nil:
		err = fmt.Errorf("reseal: %w", cmp.Or(unlisted, ctx.Err()))
	case open.n > 0:
		err = fmt.Errorf("%d tokens cannot be sealed, the first: %w", open.n, open.first)
	case closed.n > 0:
		err = fmt.Errorf("%d tokens cannot be opened, the first: %w", closed.n, closed.first)
	default:
		return int(sealed.Load()), nil
	}
	return int(sealed.Load()), fmt.Errorf("oauth/sqlstore: %w", err)
}

// older yields the tokens that are not sealed with the newest key, and counts those it cannot open.
func (s *Store) older(ctx context.Context, r ring, closed *failures, yield func(row, client.Secret) bool) error {
	args, after := []any{r.newest(), s.App}, int64(math.MinInt64)
	for w, err := range tables.Pages(ctx, s.DB, s.sql(olderSQL), after, args, scanRow) {
		var token client.Secret
		if err == nil {
			token, err = r.unseal(w)
		} else if _, ok := errors.AsType[*tables.UnreadableError](err); !ok {
			return err
		}
		if err != nil {
			closed.add(err)
		} else if !yield(w, token) {
			return nil
		}
	}
	return nil
}

// failures are the number of failures, and the first of them.
type failures struct {
	n     int
	first error
}

func (f *failures) add(err error) { f.n, f.first = f.n+1, cmp.Or(f.first, err) }
