package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/commerceplatform/commerce-go/client"
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
// and returns an error for them at the end.
func (s *Store) Reseal(ctx context.Context) (int, error) {
	r, err := s.ready(ctx)
	if err != nil {
		return 0, err
	}
	if len(r.keys) == 0 {
		return 0, ErrNoKeys
	}
	sealed, closed := 0, 0
	var first error // why a token could not be opened
	args, after := []any{r.newest(), s.App}, int64(math.MinInt64)
	for w, err := range tables.Pages(ctx, s.DB, s.sql(olderSQL), after, args, scanRow) {
		var token client.Secret
		if err == nil {
			token, err = r.unseal(w)
		} else if _, ok := errors.AsType[*tables.UnreadableError](err); !ok {
			return sealed, fmt.Errorf("oauth/sqlstore: reseal: %w", err)
		}
		if err != nil {
			if closed++; first == nil {
				first = err
			}
			continue
		}
		done, err := s.reseal(ctx, r, w, token)
		if err != nil {
			return sealed, fmt.Errorf("oauth/sqlstore: reseal store %d: %w", w.storeID, err)
		}
		if done {
			sealed++
		}
	}
	if first != nil {
		return sealed, fmt.Errorf("oauth/sqlstore: %d tokens cannot be opened, the first: %w", closed, first)
	}
	return sealed, nil
}
