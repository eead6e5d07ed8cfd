package restores

import (
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

func parts() []appdb.Part {
	return []appdb.Part{sqlstore.Tables, sqljournal.Tables, sqlcopy.Tables, sqljobs.Tables, sqlledger.Tables, sqlrates.Tables}
}

// opened opens a database for the test.
func opened(t *testing.T, driver, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestTablesSQLite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "app.db")
	tablesOf(t, func() *sql.DB {
		return opened(t, "sqlite", "file:"+name+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_txlock=immediate")
	})
}

// The role owns its schema and has no right on the database.
func TestTablesPostgres(t *testing.T) {
	c, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	psql(t, c, c.URL(), "CREATE ROLE app LOGIN PASSWORD 'secret'", "CREATE SCHEMA app AUTHORIZATION app", "REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
	address, err := url.Parse(c.URL())
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.UserPassword("app", "secret")
	address.RawQuery += "&search_path=app"
	tablesOf(t, func() *sql.DB { return opened(t, "pgx", address.String()) })
	// A role that may only read and write the rows.
	psql(t, c, c.URL(), "CREATE ROLE guest LOGIN PASSWORD 'secret'", "GRANT USAGE ON SCHEMA app TO guest",
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA app TO guest")
	address.User = url.UserPassword("guest", "secret")
	guest := appdb.Tables{DB: opened(t, "pgx", address.String()), Parts: parts()}
	if err := guest.Migrate(t.Context()); err != nil {
		t.Errorf("Migrate by a role without CREATE: %v, want nil, because the tables are there", err)
	}
}

// tablesOf checks the tables of an app in a database that is empty.
func tablesOf(t *testing.T, open func() *sql.DB) {
	db := open()
	tables := appdb.Tables{DB: db, Parts: parts()}
	missing(t, tables.Check(t.Context()), appdb.ErrNoTables, "oauth/sqlstore", "commerce_install, commerce_state", "shipping/sqlrates", "commerce_rate")
	var replicas sync.WaitGroup
	for range 4 {
		replica := appdb.Tables{DB: open(), Parts: parts()}
		replicas.Go(func() {
			if err := replica.Migrate(t.Context()); err != nil {
				t.Errorf("Migrate by a replica that starts at the same time: %v", err)
			}
		})
	}
	replicas.Wait()
	statement := func(text string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	statement(tables.Schema()) // again
	if err := errors.Join(tables.Check(t.Context()), tables.Migrate(t.Context())); err != nil {
		t.Error(err)
	}
	statement("DROP TABLE commerce_intent") // a partial restore
	for _, err := range []error{tables.Check(t.Context()), tables.Migrate(t.Context())} {
		missing(t, err, nil, "client/sqljournal: commerce_intent", "restore it")
	}
	statement("DELETE FROM commerce_version WHERE package = 'client/sqljournal'")
	missing(t, tables.Check(t.Context()), appdb.ErrNoTables, "client/sqljournal", "commerce_intent")
	if err := tables.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
	statement("UPDATE commerce_version SET version = 1000, compatible_from = 1000 WHERE package = 'client/sqlcopy'")
	statement("DROP TABLE commerce_rate")
	statement("DELETE FROM commerce_version WHERE package = 'shipping/sqlrates'")
	missing(t, tables.Migrate(t.Context()), appdb.ErrNewerSchema, "client/sqlcopy")
	statement("SELECT 1 FROM commerce_rate") // was created, although another package was refused
	statement("UPDATE commerce_version SET version = 1, compatible_from = 1 WHERE package = 'client/sqlcopy'")
}

// missing fails the test unless an error is want, if that is not nil, and names these.
func missing(t *testing.T, err, want error, names ...string) {
	t.Helper()
	if err == nil || want != nil && !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
		return
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%v: does not name %s", err, name)
		}
	}
}
