package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// copying is the copy of one store.
type copying struct {
	db    *sql.DB
	c     *client.Client
	store client.ID
	out   io.Writer
}

// run makes the file equal to the store, wherever an earlier run was stopped.
func (s *copying) run(ctx context.Context) error {
	paging := client.Paging{PerPage: 5} // in one transaction; few, so that a demo store has several pages
	products := v202503.Products(s.c).List(client.ProductFilter{Paging: paging})
	if err := equalize(ctx, s, "products", products, func(p *client.Product) client.ID { return p.ID }); err != nil {
		return err
	}
	orders := v202503.Orders(s.c).List(client.OrderFilter{Paging: paging})
	return equalize(ctx, s, "orders", orders, func(o *client.Order) client.ID { return o.ID })
}

// equalize makes a table equal to a list.
func equalize[T any](ctx context.Context, s *copying, table string, list client.List[T], id func(*T) client.ID) error {
	put := func(ctx context.Context, tx *sql.Tx, record *T) error {
		document, err := json.Marshal(record) // also members without a struct field
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO "+table+` (store_id, id, document) VALUES ($1, $2, $3)
			ON CONFLICT (store_id, id) DO UPDATE SET document = excluded.document`, s.store, id(record), string(document))
		return err
	}
	records := &client.Copy[T]{
		List: list, Mirror: &sqlcopy.Mirror[T]{DB: s.db, Table: table, StoreID: s.store, Put: put},
		OnProgress: func(_ context.Context, p client.CopyProgress) {
			fmt.Fprintf(s.out, "  %s: %s, %d records\n", table, p.Phase, p.Records)
		},
		OnUnreadable: func(_ context.Context, id client.ID, err error) {
			fmt.Fprintf(s.out, "  %s: record %d cannot be read: %v\n", table, id, err)
		},
	}
	if err := records.Run(ctx); err != nil { // what has changed
		return err
	}
	// Some records change and their updated_at does not, such as a kit of a part with a new price.
	return records.Reconcile(ctx)
}
