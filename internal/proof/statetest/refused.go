package statetest

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// refusedValues tests that a value which a database cannot store is an error that names its record and member, on each
// engine. A record of a copy with such a value costs only itself.
func refusedValues(t *testing.T, e Engine) {
	db := e.opened(t, e.New(t))
	s := &sqlstore.Store{DB: db, Plaintext: true}
	l := &sqlledger.Ledger{DB: db}
	c := &sqlrates.Cache{DB: db}
	j := &sqljournal.Journal[client.Category]{DB: db, Name: "categories"}
	j.ID = func(*client.Category) string { return "\xff" }
	m := &sqlcopy.Mirror[client.Product]{
		DB: db, Name: "1/\x00", Delete: "-", IDsQuery: "-",
		Put: func(context.Context, *sql.Tx, *client.Product) error { return nil },
	}
	for _, migrate := range []func(context.Context) error{s.Migrate, l.Migrate, c.Migrate, j.Migrate, m.Migrate} {
		succeed(t, migrate(t.Context()))
	}
	in := client.Intent{ID: ulid.Make(), StoreID: 7, Path: "/categories", Key: "17", Since: time.Now()}
	bad := in
	bad.Path = "/\x00"
	succeed(t, j.Begin(t.Context(), in))
	for want, put := range map[string]func(ctx context.Context) error{
		"ReturnTo": func(ctx context.Context) error { return s.Put(ctx, "17", oauth.Pending{ReturnTo: "/\x00"}) },
		"currency of 17": func(ctx context.Context) error {
			_, _, err := l.Begin(ctx, payments.Entry{Key: "17", Amount: providers.Amount{Currency: "AR\x00"}})
			return err
		},
		"payment attempt of 17": func(ctx context.Context) error {
			_, _, err := l.Begin(ctx, payments.Entry{Key: "17", About: payments.About{PaymentAttemptID: "a\x00"}})
			return err
		},
		"answer of 17": func(ctx context.Context) error {
			return c.Put(ctx, "17", []byte("\xff"), time.Hour)
		},
		"path of key 17":             func(ctx context.Context) error { return j.Begin(ctx, bad) },
		"id of the record of key 17": func(ctx context.Context) error { return j.End(ctx, in, new(client.Category)) },
		"Mirror.Name": func(ctx context.Context) error {
			return m.Apply(ctx, client.CopyStep[client.Product]{After: "state"})
		},
	} {
		err := put(t.Context())
		rule := "must be UTF-8 without U+0000"
		if err == nil || !strings.Contains(err.Error(), want+": ") || !strings.Contains(err.Error(), rule) {
			t.Errorf("%s: got %v, want an error that names it", want, err)
		}
	}
}

// refusedByTable has a step with two products of 300 that the app's table refuses. PostgreSQL also refuses U+0000.
func refusedByTable(t *testing.T, e Engine) {
	db := e.opened(t, e.New(t))
	const table = `CREATE TABLE goods
		(id BIGINT PRIMARY KEY, name TEXT NOT NULL CHECK (length(name) < 20), store_id BIGINT)`
	exec(t, db, table)
	bad, stepped := map[client.ID]string{}, 0
	goods := &sqlcopy.Table[client.Product]{
		DB: db, Name: "goods",
		Put: func(ctx context.Context, tx *sql.Tx, store client.ID, p *client.Product) error {
			const put = "INSERT INTO goods (store_id, id, name) VALUES ($1, $2, $3)"
			_, err := tx.ExecContext(ctx, put, store, p.ID, p.Name.Get("es"))
			return err
		},
		OnStep: func(_ context.Context, _ *sql.Tx, step client.CopyStep[client.Product]) error {
			stepped = len(step.Put)
			return nil
		},
		OnRefused: func(_ context.Context, store, id client.ID, err error) {
			bad[id] = fmt.Sprint(store, ": ", err)
		},
	}
	succeed(t, goods.Migrate(t.Context()))
	step := client.CopyStep[client.Product]{After: "state"}
	for id := range 300 {
		name := fmt.Sprint("product ", id)
		switch id {
		case 17:
			name += strings.Repeat("!", 20)
		case 18:
			name += "\x00"
		}
		step.Put = append(step.Put, client.Product{ID: client.ID(id), Name: client.Text{"es": name}})
	}
	succeed(t, goods.Mirror(1).Apply(t.Context(), step))
	var stored int
	succeed(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM goods").Scan(&stored))
	named := strings.Contains(bad[17], "1: client/sqlcopy: 1/goods: record 17: ")
	if stored != 300-len(bad) || stepped != stored || !named {
		t.Errorf("%d products and %d in OnStep, and %q were refused; want the others", stored, stepped, bad)
	}
	if delete(bad, 17); len(bad) > 1 || len(bad) == 1 && bad[18] == "" {
		t.Errorf("also refused: %q", bad)
	}
	if state, err := goods.Mirror(1).State(t.Context()); state != "state" || err != nil {
		t.Errorf("the state is %q, %v; want that of the step", state, err)
	}
}
