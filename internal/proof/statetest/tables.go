package statetest

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/commerceplatform/commerce-go/internal/tables"
)

// ofRelease returns the tables of a package whose nth release has n migrations.
func ofRelease(n int, compatibleFrom ...int) tables.Set {
	files := fstest.MapFS{}
	for i, text := range []string{
		"CREATE TABLE IF NOT EXISTS commerce_thing " +
			"(app BIGINT NOT NULL DEFAULT 0, id BIGINT PRIMARY KEY, name TEXT NOT NULL);\n-- a comment; with a semicolon\n",
		"CREATE TABLE IF NOT EXISTS commerce_part (thing BIGINT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (thing, n));\n" +
			"INSERT INTO commerce_part (thing, n) SELECT id, 1 FROM commerce_thing;",
	}[:n] {
		files[[]string{"migrations/0001.sql", "migrations/0002.sql"}[i]] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "-- compatible from %d\n%s", compatibleFrom[i], text), Mode: fs.ModePerm,
		}
	}
	return tables.Set{Package: "statetest", Migrations: files, Apps: "commerce_thing"}
}

// migrations tests the tables of a package. Each test has a database, to which open connects as another process.
func migrations(t *testing.T, e Engine) {
	addresses := map[string]string{} // by test
	open := func(t *testing.T) *sql.DB {
		if addresses[t.Name()] == "" {
			addresses[t.Name()] = e.New(t)
		}
		return e.opened(t, addresses[t.Name()])
	}
	count := func(t *testing.T, db *sql.DB, table string) (n int) {
		t.Helper()
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	t.Run("Migrate", func(t *testing.T) {
		db := open(t)
		first, second := ofRelease(1, 1), ofRelease(2, 1, 1)
		if err := first.Check(t.Context(), db, ""); !errors.Is(err, tables.ErrNoTables) {
			t.Errorf("Check of an empty database: %v, want ErrNoTables", err)
		}
		for range 2 {
			if err := first.Migrate(t.Context(), db, ""); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.ExecContext(t.Context(), "INSERT INTO commerce_thing (id, name) VALUES (1, 'one'), (2, 'two')"); err != nil {
			t.Fatal(err)
		}
		if err := second.Check(t.Context(), db, ""); !errors.Is(err, tables.ErrNoTables) {
			t.Errorf("Check before the second migration: %v, want ErrNoTables", err)
		}
		for range 2 {
			if err := second.Migrate(t.Context(), db, ""); err != nil {
				t.Fatal(err)
			}
		}
		if n := count(t, db, "commerce_part"); n != 2 {
			t.Errorf("%d parts, want the 2 of one migration", n)
		}
		if err := errors.Join(first.Check(t.Context(), db, ""), first.Migrate(t.Context(), db, ""), second.Check(t.Context(), db, "")); err != nil {
			t.Errorf("the release before may use the tables: %v", err)
		}
	})
	t.Run("NewerSchema", func(t *testing.T) {
		db := open(t)
		if err := ofRelease(2, 1, 2).Migrate(t.Context(), db, ""); err != nil {
			t.Fatal(err)
		}
		first := ofRelease(1, 1)
		for _, err := range []error{first.Check(t.Context(), db, ""), first.Migrate(t.Context(), db, "")} {
			if !errors.Is(err, tables.ErrNewerSchema) {
				t.Errorf("got %v, want ErrNewerSchema", err)
			}
		}
	})
	t.Run("ByHand", func(t *testing.T) {
		db := open(t)
		set := ofRelease(2, 1, 1)
		if _, err := db.ExecContext(t.Context(), set.Schema("mine_")); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(set.Check(t.Context(), db, "mine_"), set.Migrate(t.Context(), db, "mine_")); err != nil {
			t.Error(err)
		}
		if err := set.Check(t.Context(), db, ""); !errors.Is(err, tables.ErrNoTables) {
			t.Errorf("Check of other names: %v, want ErrNoTables", err)
		}
	})
	t.Run("AtOnce", func(t *testing.T) {
		open(t)
		var all sync.WaitGroup
		for range 6 {
			db := open(t)
			all.Go(func() {
				if err := ofRelease(2, 1, 1).Migrate(t.Context(), db, ""); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if err := ofRelease(2, 1, 1).Check(t.Context(), open(t), ""); err != nil {
			t.Error(err)
		}
	})
	t.Run("ReadySeesATableLater", func(t *testing.T) {
		db, set := open(t), ofRelease(1, 1)
		all := tables.Tables{Set: set, DB: db, Ready: new(tables.Ready)}
		if err := all.Check(t.Context()); !errors.Is(err, tables.ErrNoTables) {
			t.Errorf("got %v, want ErrNoTables", err)
		}
		if err := errors.Join(set.Migrate(t.Context(), db, ""), all.Check(t.Context())); err != nil {
			t.Error(err)
		}
	})
}
