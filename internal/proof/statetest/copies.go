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
		Name:   "copies",
		Rules:  []rule{{"Steps", stepsOfACopy}, {"Stores", copiesOfStores}, {"Refused", refusedByTable}},
		Tables: []string{"commerce_copy", "commerce_product"},
		Schema: productTable,
		Calls:  true,
		Damage: &Damage{
			Row:   "UPDATE commerce_product SET shown = 'row 2' WHERE id = 2",
			Names: "row 2", Scan: scanProducts,
		},
		Open: func(w *World, db *sql.DB) Face {
			f := &copiesFace{w: w, Mirror: mirror(db)}
			f.Prefix, f.App, f.Put = w.Prefix, w.App, f.put
			f.Mirror.Delete, f.IDsQuery = w.own(f.Mirror.Delete), w.own(f.IDsQuery)
			f.OnRefused = func(_ context.Context, _ client.ID, err error) { f.bad = append(f.bad, err) }
			return f
		},
	}
}

// mirror returns the products of an app in a database.
func mirror(db *sql.DB) *sqlcopy.Mirror[client.Product] {
	return &sqlcopy.Mirror[client.Product]{
		DB: db, Name: "products", Put: put, Delete: "DELETE FROM commerce_product WHERE id = $1",
		IDsQuery: "SELECT coalesce(shown, CAST(id AS TEXT)) FROM commerce_product WHERE id > $1 ORDER BY id LIMIT $2",
	}
}

const productTable = "CREATE TABLE IF NOT EXISTS commerce_product (id BIGINT PRIMARY KEY, puts BIGINT NOT NULL, shown TEXT)"

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
	bad []error // rows that could not be read
}

func scanProducts(ctx context.Context, f Face) (int, error) {
	c := f.(*copiesFace)
	c.bad = nil
	all, err := c.IDs(ctx, 0, 10)
	return len(all), errors.Join(append(c.bad, err)...)
}

func (f *copiesFace) put(ctx context.Context, tx *sql.Tx, p *client.Product) error {
	if _, err := tx.ExecContext(ctx, f.w.own(putProduct), int64(p.ID)); err != nil {
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
	query := "SELECT coalesce((" + f.w.sql("SELECT CAST(state AS INTEGER) FROM commerce_copy WHERE app = $2") + "), 0)," +
		f.w.own(`coalesce(sum(puts), 0), coalesce(sum(CASE WHEN id = $1 THEN 1 ELSE 0 END), 0) FROM commerce_product`)
	if err := f.DB.QueryRowContext(ctx, query, n+1, f.App).Scan(&steps, &puts, &has); err != nil {
		return false, err
	}
	if steps != puts {
		return false, fmt.Errorf("the state is that of %d steps, and %d records were put", steps, puts)
	}
	return has > 0, nil
}
