package postgres

import (
	"strings"
	"testing"
)

// Somebody reads a table for long, such as pg_dump, while the next release changes it. Statements of this release,
// which would wait for the change, go on, and the change is made once the reader has ended.
func TestMigrationWaitsAlone(t *testing.T) {
	t.Parallel()
	pool, o, script := newPool(t, database.URL(), 8), Options{Schema: newSchema(t)}, nextMigration(t)
	open(t, database.URL(), o)
	reader, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Rollback(t.Context()) }() // of no effect after Commit
	if _, err := reader.Exec(t.Context(), o.in("SELECT count(*) FROM inbox.entry")); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	go func() {
		in, err := openNext(t.Context(), newPool(t, database.URL(), 8), o, script)
		if err == nil {
			in.Close()
		}
		opened <- err
	}()
	for range 2 {
		until(t, "the migration waits for the reader", func() bool {
			var waits bool
			const query = `SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
				WHERE NOT l.granted AND c.relnamespace = $1::regnamespace)`
			if err := pool.QueryRow(t.Context(), query, o.Schema).Scan(&waits); err != nil {
				t.Fatal(err)
			}
			return waits
		})
		if _, err := pool.Exec(t.Context(), o.in("UPDATE inbox.entry SET due = due")); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-opened:
			t.Fatalf("Open ended before the reader did: %v", err)
		default:
		}
	}
	if err := reader.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Errorf("Open: %v", err)
	}
}

// The next release refuses tables that a role may use and not change, and the error says what to do.
func TestMigrationWithoutRights(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t)}
	open(t, database.URL(), o)
	in, err := openNext(t.Context(), guest(t, o), o, nextMigration(t))
	if err == nil {
		in.Close()
	}
	for _, want := range []string{"the tables have version 1 and this release needs 2, ",
		"which this role may not make: open the inbox once as a role that may"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
