package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// copiesOfStores tests that one table has the copies of several stores, which do not see each other.
func copiesOfStores(t *testing.T, e Engine) {
	ctx, db := t.Context(), e.opened(t, e.New(t))
	srv := clienttest.New(t, clienttest.Options{Demo: true})
	api := srv.Client()
	broken := errors.New("no token")
	table := &sqlcopy.Table[client.Product]{
		DB: db, Name: "goods",
		List: func(_ context.Context, store client.ID) (client.List[client.Product], error) {
			if store == 3 {
				return client.List[client.Product]{}, broken
			}
			return v202503.Products(api).List(client.ProductFilter{}), nil
		},
		Put: func(ctx context.Context, tx *sql.Tx, store client.ID, p *client.Product) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO goods (store_id, id, name) VALUES ($1, $2, $3)
				ON CONFLICT (store_id, id) DO UPDATE SET name = excluded.name`, store, p.ID, p.Name.Get("es"))
			return err
		},
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE goods (store_id BIGINT, id BIGINT, name TEXT NOT NULL, PRIMARY KEY (store_id, id))"); err != nil {
		t.Fatal(err)
	}
	if err := table.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	run := func(store client.ID) {
		t.Helper()
		c, err := table.Copy(ctx, store)
		if err == nil {
			err = c.Run(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	rows := func() (counts [2]int) {
		t.Helper()
		for i := range counts {
			if err := db.QueryRowContext(ctx, "SELECT count(*) FROM goods WHERE store_id = $1", i+1).Scan(&counts[i]); err != nil {
				t.Fatal(err)
			}
		}
		return counts
	}
	all, err := v202503.Products(api).List(client.ProductFilter{}).Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	run(1)
	if got, want := rows(), [2]int{len(all), 0}; got != want {
		t.Errorf("after the first store: %v records, want %v", got, want)
	}
	run(2)
	c, err := table.Copy(ctx, 1)
	if err == nil {
		err = c.Deleted(ctx, all[0].ID)
	}
	if got, want := rows(), [2]int{len(all) - 1, len(all)}; err != nil || got != want {
		t.Errorf("after a deletion in the first store: %v records, %v; want %v", got, err, want)
	}
	if err := table.Forget(ctx, 1); err != nil {
		t.Fatal(err)
	}
	for store, known := range map[client.ID]bool{1: false, 2: true} {
		if state, err := table.Mirror(store).State(ctx); err != nil || (state != "") != known {
			t.Errorf("store %d, after store 1 was forgotten: state %q, %v; want one: %v", store, state, err, known)
		}
	}
	run(1)
	if got, want := fmt.Sprint(rows()), fmt.Sprint([2]int{len(all), len(all)}); got != want {
		t.Errorf("after another crawl: %v records, want %v", got, want)
	}
	if _, err := table.Copy(ctx, 3); !errors.Is(err, broken) {
		t.Errorf("a store without a list: %v, want %v", err, broken)
	}
}
