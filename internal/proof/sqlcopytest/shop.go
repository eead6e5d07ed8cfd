package sqlcopytest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// table is the table of an app.
const table = "CREATE TABLE IF NOT EXISTS product (id BIGINT PRIMARY KEY, document TEXT NOT NULL)"

// mirror returns the products of an app in a database.
func mirror(db *sql.DB) *sqlcopy.Mirror[client.Product] {
	return &sqlcopy.Mirror[client.Product]{
		DB:   db,
		Name: "products",
		Put: func(ctx context.Context, tx *sql.Tx, p *client.Product) error {
			document, err := json.Marshal(p)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "INSERT INTO product (id, document) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET document = excluded.document",
				int64(p.ID), string(document))
			return err
		},
		Delete:   "DELETE FROM product WHERE id = $1",
		IDsQuery: "SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT $2",
	}
}

// created returns the mirror in a new database.
func created(t *testing.T, db *sql.DB) *sqlcopy.Mirror[client.Product] {
	t.Helper()
	m := mirror(db)
	if err := m.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	return m
}

// copyOf returns the copy of the products that an API has.
func copyOf(api *v202503.API, m client.Mirror[client.Product]) *client.Copy[client.Product] {
	return &client.Copy[client.Product]{List: api.Products.List(client.ProductFilter{Paging: client.Paging{PerPage: 5}}), Mirror: m}
}

// shop is a store that changes.
type shop struct {
	t   *testing.T
	srv *clienttest.Server
	api *v202503.API
	n   int
	ids []client.ID
}

func newShop(t *testing.T, products int) *shop {
	srv := clienttest.New(t)
	s := &shop{t: t, srv: srv, api: v202503.New(srv.Client())}
	for range products {
		s.create()
	}
	return s
}

func (s *shop) create() {
	s.t.Helper()
	s.n++
	p, err := s.api.Products.Create(s.t.Context(), client.ProductInput{Name: client.Plain(fmt.Sprint("Mug ", s.n)), Variants: []client.VariantInput{{Price: client.Set(client.Cents(500))}}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.ids = append(s.ids, p.ID)
}

func (s *shop) update(id client.ID) {
	s.t.Helper()
	s.n++
	if _, err := s.api.Products.Update(s.t.Context(), id, client.ProductInput{Brand: client.Set(fmt.Sprint("Brand ", s.n))}); err != nil {
		s.t.Fatal(err)
	}
}

// equals fails the test unless the database has all products as the store has them, and no others.
func (s *shop) equals(db *sql.DB) {
	s.t.Helper()
	n := 0
	for p, err := range s.api.Products.List(client.ProductFilter{}).Since(s.t.Context(), 0) {
		if err != nil {
			s.t.Fatal(err)
		}
		n++
		document, err := json.Marshal(p)
		if err != nil {
			s.t.Fatal(err)
		}
		var row string
		if err := db.QueryRowContext(s.t.Context(), "SELECT document FROM product WHERE id = $1", int64(p.ID)).Scan(&row); err != nil || row != string(document) {
			s.t.Errorf("product %d is\n%s in the database and\n%s in the store: %v", p.ID, row, document, err)
		}
	}
	var rows int
	if err := db.QueryRowContext(s.t.Context(), "SELECT count(*) FROM product").Scan(&rows); err != nil || rows != n {
		s.t.Errorf("%d products in the database, %d in the store: %v", rows, n, err)
	}
}
