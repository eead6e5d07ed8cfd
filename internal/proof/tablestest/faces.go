package tablestest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// Rows tests the rules of rows with every package that keeps some.
func Rows(t *testing.T, open func(t *testing.T) *sql.DB) {
	for name, test := range map[string]func(t *testing.T, open func(t *testing.T) *sql.DB){
		"Unreadable": unreadable, "Apps": apps, "Claims": claims, "Clock": clock, "Refused": refused,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// face is a package that keeps rows in an app's database.
type face struct {
	name string
	open func(db *sql.DB, app client.ID) rows
	// spoil damages row 2, as somebody could who writes to the database. An engine may refuse that.
	spoil string
}

// rows are the rows of a face.
type rows struct {
	migrate func(ctx context.Context) error
	put     func(ctx context.Context, n int) error       // writes row n
	list    func(ctx context.Context) (n []int, _ error) // reads rows 1 to 4
}

func faces() []face {
	return []face{
		{"tokens", tokens, "UPDATE commerce_install SET scopes = '{' WHERE store_id = 2"},
		{"journal", journal, "UPDATE commerce_intent SET id = '2, which is no ULID' WHERE key = '2'"},
		{"copies", copies, "UPDATE product_0 SET shown = 'row 2' WHERE id = 2"},
		{"ledger", ledger, "UPDATE commerce_payment_operation SET entry = '{' WHERE idempotency_key = '2'"},
		{"rates", rates, "UPDATE commerce_rate SET ends = 'x' WHERE request = '2'"},
	}
}

func tokens(db *sql.DB, app client.ID) rows {
	s := &sqlstore.Store{DB: db, App: app, Plaintext: true}
	return rows{
		migrate: s.Migrate,
		put: func(ctx context.Context, n int) error {
			_, err := s.Swap(ctx, client.ID(n), 0, made(client.ID(n), 5))
			return err
		},
		list: func(ctx context.Context) (all []int, _ error) {
			stores, err := s.Installed(ctx)
			failed := []error{err}
			for _, store := range stores {
				_, err := s.Load(ctx, store)
				if failed = append(failed, err); err == nil {
					all = append(all, int(store))
				}
			}
			return all, errors.Join(failed...)
		},
	}
}

func made(store client.ID, generation int64) *oauth.Install {
	return &oauth.Install{StoreID: store, Token: "token", Generation: generation, InstalledAt: time.Now()}
}

func journal(db *sql.DB, app client.ID) rows {
	j := &sqljournal.Journal[client.Category]{DB: db, App: app, Name: "categories"}
	return rows{
		migrate: j.Migrate,
		put: func(ctx context.Context, n int) error {
			return j.Begin(ctx, client.Intent{
				ID: ulid.Make(), StoreID: 7, Path: "/categories", Key: fmt.Sprint(n), Since: time.Now(),
			})
		},
		list: func(ctx context.Context) (all []int, _ error) {
			if _, err := db.ExecContext(ctx, "UPDATE commerce_intent SET until = 1"); err != nil { // as Term passes
				return nil, err
			}
			var failed []error
			for in, err := range j.Open(ctx) {
				if failed = append(failed, err); err == nil {
					all = append(all, number(in.Key))
				}
			}
			return all, errors.Join(failed...)
		},
	}
}

func number(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

func copies(db *sql.DB, app client.ID) rows {
	var bad []error
	table := fmt.Sprint("product_", app)
	m := &sqlcopy.Mirror[client.Product]{
		DB: db, App: app, Name: "1/products", Delete: "DELETE FROM " + table + " WHERE id = $1",
		IDsQuery: "SELECT shown FROM " + table + " WHERE id > $1 ORDER BY id LIMIT $2",
		Put: func(ctx context.Context, tx *sql.Tx, p *client.Product) error {
			insert := "INSERT INTO " + table + " (id, shown) VALUES ($1, $2)"
			_, err := tx.ExecContext(ctx, insert, int64(p.ID), fmt.Sprint(p.ID))
			return err
		},
		OnRefused: func(_ context.Context, _ client.ID, err error) { bad = append(bad, err) },
	}
	return rows{
		migrate: func(ctx context.Context) error {
			if err := m.Migrate(ctx); err != nil {
				return err
			}
			if _, err := m.IDs(ctx, 0, 1); err == nil { // a role without the right to create uses it
				return nil
			}
			_, err := db.ExecContext(ctx, "CREATE TABLE "+table+" (id BIGINT PRIMARY KEY, shown TEXT)")
			return err
		},
		put: func(ctx context.Context, n int) error {
			before, err := m.State(ctx)
			if err != nil {
				return err
			}
			put := []client.Product{{ID: client.ID(n)}}
			after := fmt.Sprint("state ", n)
			return m.Apply(ctx, client.CopyStep[client.Product]{Before: before, After: after, Put: put})
		},
		list: func(ctx context.Context) (all []int, _ error) {
			bad = nil
			ids, err := m.IDs(ctx, 0, 10)
			for _, id := range ids {
				all = append(all, int(id))
			}
			return all, errors.Join(append(bad, err)...)
		},
	}
}

func ledger(db *sql.DB, app client.ID) rows {
	l := &sqlledger.Ledger{DB: db, App: app}
	return rows{
		migrate: l.Migrate,
		put: func(ctx context.Context, n int) error {
			_, _, err := l.Begin(ctx, payments.Entry{
				Key: fmt.Sprint(n), State: payments.StateBegun, Call: payments.CallRefund, BegunAt: time.Now(),
				About:  payments.About{StoreID: 7, OrderID: 8, TransactionID: uuid.Max},
				Amount: payments.Amount{Value: client.Cents(1050), Currency: "ARS"}, ChangedAt: time.Now(),
			})
			return err
		},
		list: func(ctx context.Context) (all []int, _ error) {
			entries, err := l.Open(ctx, "", 10)
			for _, e := range entries {
				all = append(all, number(e.Key))
			}
			return all, err
		},
	}
}

func rates(db *sql.DB, app client.ID) rows {
	c := &sqlrates.Cache{DB: db, App: app}
	return rows{
		migrate: c.Migrate,
		put: func(ctx context.Context, n int) error {
			return c.Put(ctx, fmt.Sprint(n), []byte("{}"), time.Hour)
		},
		list: func(ctx context.Context) (all []int, _ error) {
			var failed []error
			for n := 1; n <= 4; n++ {
				value, err := c.Get(ctx, fmt.Sprint(n))
				if failed = append(failed, err); value != nil {
					all = append(all, n)
				}
			}
			return all, errors.Join(failed...)
		},
	}
}

// opened returns the rows of a face in its tables.
func (f face) opened(t *testing.T, db *sql.DB, app client.ID) rows {
	t.Helper()
	r := f.open(db, app)
	if err := r.migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// Use makes the tables of every face, or finds them, and uses them. Each call has another n.
func Use(t *testing.T, db *sql.DB, n int) {
	t.Helper()
	for _, f := range faces() {
		r := f.opened(t, db, 0)
		if err := r.put(t.Context(), n); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if all, err := r.list(t.Context()); err != nil || len(all) != n {
			t.Errorf("%s: got %v, %v; want %d rows", f.name, all, err, n)
		}
	}
}
