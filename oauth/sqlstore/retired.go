package sqlstore

import (
	"context"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/oauth"
)

const (
	retireSQL = `UPDATE commerce_install SET retired_at = $1, due = 0
		WHERE app = $2 AND store_id = $3 AND generation = $4 AND retired_at = 0`
	reviveSQL = `UPDATE commerce_install SET retired_at = 0, due = 1
		WHERE app = $1 AND store_id = $2 AND generation = $3 AND retired_at <> 0`
	retiredSQL = `SELECT ` + columns + ` FROM commerce_install
		WHERE store_id > $1 AND app = $3 AND (retired_at <> 0 OR due <> 0) ORDER BY store_id LIMIT $2`
)

// Retire implements oauth.Retirer with one statement. The token stays sealed.
func (s *Store) Retire(ctx context.Context, storeID client.ID, generation int64, at time.Time) (bool, error) {
	if _, err := s.ready(ctx); err != nil {
		return false, err
	}
	statement, args := retireSQL, []any{at.UnixMicro(), s.App, storeID, generation}
	if at.IsZero() {
		statement, args = reviveSQL, args[1:]
	}
	done, err := s.changed(ctx, statement, args...)
	if err != nil {
		return false, fmt.Errorf("oauth/sqlstore: retire store %d: %w", storeID, err)
	}
	return done, nil
}

// Retired implements oauth.Retirer. It holds no connection while the loop body runs. It ends after an error that is not
// about one row.
func (s *Store) Retired(ctx context.Context) iter.Seq2[oauth.Install, error] {
	return func(yield func(oauth.Install, error) bool) {
		r, err := s.ready(ctx)
		if err != nil {
			yield(oauth.Install{}, err)
			return
		}
		first, args := int64(math.MinInt64), []any{s.App}
		for w, err := range tables.Pages(ctx, s.DB, s.sql(retiredSQL), first, args, scanRow) {
			var in oauth.Install
			if err != nil {
				err = fmt.Errorf("oauth/sqlstore: list retired tokens: %w", err)
			} else if in, err = r.open(w); err != nil {
				in, err = unreadable(w, err)
			}
			if !yield(in, err) {
				return
			}
		}
	}
}
