package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
)

func copies() Row {
	return Row{
		Name: "copies", Rules: []rule{{"Steps", stepsOfACopy}, {"Stores", copiesOfStores}}, Tables: []string{"commerce_copy", "commerce_product"}, Calls: true,
		Open: func(w *World, db *sql.DB) Face {
			f := &copiesFace{w, mirror(db)}
			f.Prefix, f.Put = w.Prefix, f.put
			f.Mirror.Delete, f.IDsQuery = w.sql(f.Mirror.Delete), w.sql(f.IDsQuery)
			return f
		},
	}
}

// mirror returns the products of an app in a database.
func mirror(db *sql.DB) *sqlcopy.Mirror[client.Product] {
	return &sqlcopy.Mirror[client.Product]{
		DB: db, Name: "products", Put: put, Delete: "DELETE FROM commerce_product WHERE id = $1",
		IDsQuery: "SELECT id FROM commerce_product WHERE id > $1 ORDER BY id LIMIT $2",
	}
}

const productTable = "CREATE TABLE IF NOT EXISTS commerce_product (id BIGINT PRIMARY KEY, puts BIGINT NOT NULL)"

const putProduct = `INSERT INTO commerce_product (id, puts) VALUES ($1, 1)
	ON CONFLICT (id) DO UPDATE SET puts = commerce_product.puts + 1`

func put(ctx context.Context, tx *sql.Tx, p *client.Product) error {
	_, err := tx.ExecContext(ctx, putProduct, int64(p.ID))
	return err
}

// copiesFace has a state that counts the steps. An act is a step that puts product n + 1.
type copiesFace struct {
	w *World
	*sqlcopy.Mirror[client.Product]
}

func (f *copiesFace) Migrate(ctx context.Context) error {
	err := f.Mirror.Migrate(ctx)
	if err == nil {
		_, err = f.DB.ExecContext(ctx, f.w.sql(productTable))
	}
	return err
}

func (f *copiesFace) put(ctx context.Context, tx *sql.Tx, p *client.Product) error {
	if _, err := tx.ExecContext(ctx, f.w.sql(putProduct), int64(p.ID)); err != nil {
		return err
	}
	return f.w.call()
}

func (f *copiesFace) Act(ctx context.Context, n int) error {
	for {
		before, err := f.State(ctx)
		if err != nil {
			return err
		}
		steps, _ := strconv.Atoi(before) // empty before the first
		step := client.CopyStep[client.Product]{Before: before, After: strconv.Itoa(steps + 1), Put: []client.Product{{ID: client.ID(n + 1)}}}
		if err := f.Apply(ctx, step); !errors.Is(err, client.ErrCopyMoved) { // another process was faster
			return err
		}
	}
}

// Has also compares the state with the records: both are changed together.
func (f *copiesFace) Has(ctx context.Context, n int) (bool, error) {
	var steps, puts, has int
	const query = `SELECT coalesce((SELECT CAST(state AS INTEGER) FROM commerce_copy), 0), coalesce(sum(puts), 0),
		coalesce(sum(CASE WHEN id = $1 THEN 1 ELSE 0 END), 0) FROM commerce_product`
	if err := f.DB.QueryRowContext(ctx, f.w.sql(query), n+1).Scan(&steps, &puts, &has); err != nil {
		return false, err
	}
	if steps != puts {
		return false, fmt.Errorf("the state is that of %d steps, and %d records were put", steps, puts)
	}
	return has > 0, nil
}
