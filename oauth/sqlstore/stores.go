package sqlstore

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	knownSQL  = `SELECT store_id FROM commerce_install WHERE store_id = $1`
	storesSQL = `SELECT store_id FROM commerce_install WHERE store_id > $1 ORDER BY store_id LIMIT $2`
)

// Known reports whether a store has installed the app. It opens no token. It can be the KnownStore of a webhook.Handler
// and of a webhook.Worker.
func (s *Store) Known(ctx context.Context, store client.ID) (bool, error) {
	if _, err := s.ready(ctx); err != nil {
		return false, err
	}
	_, known, err := tables.One(ctx, s.DB, s.sql(knownSQL), []any{int64(store)}, tables.Value[int64])
	if err != nil {
		return false, fmt.Errorf("oauth/sqlstore: look up store %d: %w", store, err)
	}
	return known, nil
}

// Stores iterates over the stores that have installed the app, in ascending order of their ids. It reads 500 ids at a
// time and holds no connection while the loop body runs, which may use the Store. The iteration may include or omit
// stores that install or uninstall the app meanwhile. An error ends the iteration; it comes once, with id 0.
func (s *Store) Stores(ctx context.Context) iter.Seq2[client.ID, error] {
	return func(yield func(client.ID, error) bool) {
		if _, err := s.ready(ctx); err != nil {
			yield(0, err)
			return
		}
		for after := client.ID(math.MinInt64); ; {
			page, err := s.storesAfter(ctx, after)
			if err != nil {
				yield(0, fmt.Errorf("oauth/sqlstore: list stores after %d: %w", after, err))
				return
			}
			for _, id := range page {
				if !yield(id, nil) {
					return
				}
				after = id
			}
			if len(page) < pageSize {
				return
			}
		}
	}
}

// Installed returns the stores that Stores iterates over. It can be the field Stores of a webhook.Sweep. If it fails,
// it returns no store.
func (s *Store) Installed(ctx context.Context) (all []client.ID, err error) {
	for store, err := range s.Stores(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, store)
	}
	return all, nil
}

func (s *Store) storesAfter(ctx context.Context, after client.ID) ([]client.ID, error) {
	return tables.Query(ctx, s.DB, s.sql(storesSQL), []any{int64(after), pageSize}, func(scan tables.Scan) (id client.ID, err error) {
		err = scan((*int64)(&id))
		return id, err
	})
}
