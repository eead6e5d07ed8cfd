package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// copying is the copy of one store.
type copying struct {
	o          options
	db         *sql.DB
	out        io.Writer
	unreadable int // records
}

// copyStore is the program with a platform.
func copyStore(ctx context.Context, o options, out io.Writer) (err error) {
	db, err := openFile(ctx, o.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	transport := client.NewTransport()
	defer transport.CloseIdleConnections()
	c, err := client.New(client.Config{
		BaseURL: o.baseURL, StoreID: client.ID(o.storeID), Token: client.StaticToken(o.token), UserAgent: o.userAgent,
		HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		return err
	}
	s, paging := &copying{o: o, db: db, out: out}, client.Paging{PerPage: o.perPage}
	err = equalize(ctx, s, "products", v202503.Products(c).List(client.ProductFilter{Paging: paging}), productID)
	if err == nil {
		err = equalize(ctx, s, "orders", v202503.Orders(c).List(client.OrderFilter{Paging: paging}), orderID)
	}
	if err == nil && s.unreadable > 0 {
		err = fmt.Errorf("%d records could not be read: %w", s.unreadable, errDiffers)
	}
	if err == nil {
		fmt.Fprintf(out, "store %d is copied to %s\n", o.storeID, o.db)
	}
	return err
}

func productID(p *client.Product) client.ID { return p.ID }
func orderID(o *client.Order) client.ID     { return o.ID }

// equalize makes a table equal to a list, wherever the previous process was stopped.
func equalize[T any](ctx context.Context, s *copying, table string, list client.List[T], id func(*T) client.ID) error {
	store := client.ID(s.o.storeID)
	mirror := &sqlcopy.Mirror[T]{DB: s.db, Table: table, StoreID: store,
		Put: func(ctx context.Context, tx *sql.Tx, record *T) error {
			document, err := json.Marshal(record) // also members without a struct field
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "INSERT INTO "+table+` (store_id, id, document) VALUES ($1, $2, $3)
				ON CONFLICT (store_id, id) DO UPDATE SET document = excluded.document`, store, id(record), string(document))
			return err
		},
	}
	unreadable := 0
	records := &client.Copy[T]{List: list, Mirror: mirror,
		OnProgress: func(_ context.Context, p client.CopyProgress) {
			fmt.Fprintf(s.out, "%s: %s, %d records\n", table, p.Phase, p.Records)
		},
		OnUnreadable: func(_ context.Context, id client.ID, err error) {
			unreadable++
			fmt.Fprintf(s.out, "%s: record %d cannot be read: %v\n", table, id, err)
		},
	}
	if s.o.whole {
		if err := mirror.Forget(ctx); err != nil {
			return err
		}
	}
	if err := records.Run(ctx); err != nil {
		return err
	}
	unreadable = 0 // because Reconcile reads these again
	err := records.Reconcile(ctx)
	s.unreadable += unreadable
	return err
}
