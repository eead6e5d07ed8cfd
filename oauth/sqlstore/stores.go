package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	knownSQL  = `SELECT store_id FROM commerce_install WHERE app = $1 AND store_id = $2 AND retired_at = 0`
	storesSQL = `SELECT store_id FROM commerce_install
		WHERE store_id > $1 AND app = $3 AND retired_at = 0 ORDER BY store_id LIMIT $2`
)

// Known reports whether a store has installed the app. It opens no token. It can be the KnownStore of a webhook.Handler
// and of a webhook.Worker.
func (s *Store) Known(ctx context.Context, store client.ID) (bool, error) {
	if _, err := s.ready(ctx); err != nil {
		return false, err
	}
	_, known, err := tables.One(ctx, s.DB, s.sql(knownSQL), []any{s.App, store}, tables.Value[int64])
	if err != nil {
		return false, fmt.Errorf("oauth/sqlstore: look up store %d: %w", store, err)
	}
	return known, nil
}

// Stores iterates over the stores that have installed the app, in ascending order of their ids. It reads 500 ids at a
// time and holds no connection while the loop body runs, which may use the Store. The iteration may include or omit
// stores that installation or uninstall the app meanwhile. A row that cannot be read is an error with id 0, which names
// it, and the iteration continues. It ends after any other error.
func (s *Store) Stores(ctx context.Context) iter.Seq2[client.ID, error] {
	return func(yield func(client.ID, error) bool) {
		if _, err := s.ready(ctx); err != nil {
			yield(0, err)
			return
		}
		first := int64(math.MinInt64)
		for id, err := range tables.Pages(ctx, s.DB, s.sql(storesSQL), first, []any{s.App}, tables.Value[int64]) {
			if err != nil {
				err = fmt.Errorf("oauth/sqlstore: list stores: %w", err)
			}
			if !yield(client.ID(id), err) {
				return
			}
		}
	}
}

// Installed returns the stores that Stores iterates over, and its errors. It can be the field Stores of a
// webhook.Sweep.
func (s *Store) Installed(ctx context.Context) (all []client.ID, err error) {
	var failed []error
	for store, err := range s.Stores(ctx) {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		all = append(all, store)
	}
	return all, errors.Join(failed...)
}
