package postgres

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook"
)

// openNext opens an inbox as a made-up next release does, whose tables have one more migration.
func openNext(ctx context.Context, pool *pgxpool.Pool, o Options, script []byte) (*Inbox, error) {
	first, err := migrations.ReadFile("migrations/0001.sql")
	if err != nil {
		return nil, err
	}
	return openWith(ctx, pool, o, fstest.MapFS{"migrations/0001.sql": {Data: first}, "migrations/0002.sql": {Data: script}})
}

func nextMigration(t *testing.T) []byte {
	t.Helper()
	script, err := os.ReadFile("testdata/next.sql")
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// next is openNext with a pool of its own, as a process has.
func next(t *testing.T, o Options) *Inbox {
	t.Helper()
	in, err := openNext(t.Context(), newPool(t, database.URL(), 8), o, nextMigration(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return in
}

// The next release changes the tables while this one has them open. Both lease and commit entries of each other, and
// this release opens the tables again.
func TestUpgraded(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t)}
	before := open(t, database.URL(), o)
	if _, err := before.Accept(t.Context(), delivery(1), delivery(2)); err != nil {
		t.Fatal(err)
	}
	l := leaseOne(t, before)
	after := next(t, o)
	if _, err := after.Commit(t.Context(), l); err != nil {
		t.Errorf("Commit of a lease from before: %v", err)
	}
	for n, in := range []*Inbox{before, open(t, database.URL(), o)} {
		l := leaseOne(t, after)
		if _, err := in.Commit(t.Context(), l); err != nil {
			t.Errorf("Commit of a lease of the next release: %v", err)
		}
		if _, err := in.Accept(t.Context(), delivery(int64(3+n))); err != nil {
			t.Errorf("Accept: %v", err)
		}
	}
	if _, err := after.Commit(t.Context(), leaseOne(t, before)); err != nil {
		t.Errorf("Commit of a lease of this release: %v", err)
	}
	var lanes int
	if err := after.pool.QueryRow(t.Context(), o.in("SELECT count(*) FROM inbox.lane WHERE note IS NOT NULL")).Scan(&lanes); err != nil {
		t.Errorf("the tables are not those of the next release: %v", err)
	}
}

// Tables of a later release may be used if it says so.
func TestReleaseAfter(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]error{"1": nil, "2": ErrNewerSchema} {
		o, pool := Options{Schema: newSchema(t)}, newPool(t, database.URL(), 8)
		script := bytes.Replace(nextMigration(t), []byte("from 1"), []byte("from "+from), 1)
		in, err := openNext(t.Context(), pool, o, script)
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		again, err := Open(t.Context(), pool, o)
		if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), "the tables have version 2 and this release knows 1") {
			t.Errorf("compatible from %s: %v, want %v that names both versions", from, err, want)
		}
		if err == nil {
			again.Close()
		}
	}
	o := Options{Schema: newSchema(t)}
	in := open(t, database.URL(), o)
	if _, err := in.pool.Exec(t.Context(), o.in("INSERT INTO inbox.migration VALUES (1000, 1000), (1001, 1)")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), in.pool, o); !errors.Is(err, ErrNewerSchema) {
		t.Errorf("a migration between was not compatible: %v, want ErrNewerSchema", err)
	}
}

// Migrations are applied again to tables that have them, and to tables whose version was lost: nothing in them is lost.
func TestMigratedAgain(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"DELETE FROM inbox.migration", "DELETE FROM inbox.migration WHERE version = 2", "DROP TABLE inbox.migration"} {
		o := Options{Schema: newSchema(t)}
		in := next(t, o)
		var w world
		if _, err := in.Accept(t.Context(), w.entry(1), w.entry(2)); err != nil {
			t.Fatal(err)
		}
		l := leaseOne(t, in)
		if _, err := in.pool.Exec(t.Context(), o.in(lost)); err != nil {
			t.Fatal(err)
		}
		again := next(t, o)
		if _, err := again.Commit(t.Context(), l); err != nil {
			t.Errorf("%s: commit of a lease from before: %v", lost, err)
		}
		if next := leaseOne(t, again); next.Token <= l.Token {
			t.Errorf("%s: token %d after %d", lost, next.Token, l.Token)
		}
	}
}

// guest returns connections of a role that may use the tables of an inbox and make none.
func guest(t *testing.T, o Options) *pgxpool.Pool {
	t.Helper()
	pool := newPool(t, asRole(t, database, "cache_statement"), 8)
	role := pool.Config().ConnConfig.User
	owner := newPool(t, database.URL(), 1)
	t.Cleanup(func() {
		if _, err := owner.Exec(context.WithoutCancel(t.Context()), "DROP OWNED BY "+role+"; DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	if _, err := owner.Exec(t.Context(), o.in("ALTER ROLE "+role+" NOSUPERUSER; GRANT USAGE ON SCHEMA "+o.Schema+" TO "+role+
		"; GRANT SELECT, INSERT, UPDATE, DELETE ON inbox.entry, inbox.lane, inbox.mark, inbox.migration TO "+role+"; GRANT USAGE ON SEQUENCE inbox.token TO "+role)); err != nil {
		t.Fatal(err)
	}
	return pool
}

// A role that may make nothing opens what another has made.
func TestOpenWithoutRights(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t)}
	open(t, database.URL(), o)
	in, err := Open(t.Context(), guest(t, o), o)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
		t.Error(err)
	}
	if _, err := in.Commit(t.Context(), leaseOne(t, in)); err != nil {
		t.Error(err)
	}
}

// The owner of a schema that exists needs no right to create schemas in the database.
func TestOpenOwnSchema(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t)}
	pool := newPool(t, asRole(t, database, "cache_statement"), 8)
	role := pool.Config().ConnConfig.User
	owner := newPool(t, database.URL(), 1)
	t.Cleanup(func() {
		if _, err := owner.Exec(context.WithoutCancel(t.Context()), "DROP OWNED BY "+role+"; DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	if _, err := owner.Exec(t.Context(), "ALTER ROLE "+role+" NOSUPERUSER"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), pool, o); err == nil || !strings.Contains(err.Error(), "this role may not make") {
		t.Errorf("Open without the schema: %v, want an error that names the right", err)
	}
	if _, err := owner.Exec(t.Context(), "CREATE SCHEMA "+o.Schema+" AUTHORIZATION "+role); err != nil {
		t.Fatal(err)
	}
	in, err := Open(t.Context(), pool, o)
	if err != nil {
		t.Fatalf("Open by the owner of the schema: %v", err)
	}
	defer in.Close()
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
		t.Error(err)
	}
	if _, err := in.Commit(t.Context(), leaseOne(t, in)); err != nil {
		t.Error(err)
	}
}

// The type of columns changes while processes lease: no call fails.
func TestColumnsChange(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t)}
	in := open(t, database.URL(), o)
	var w world
	var all sync.WaitGroup
	var n, runs atomic.Int64
	done := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				_, err := in.Accept(t.Context(), w.entry(n.Add(1)))
				if err != nil {
					t.Errorf("Accept: %v", err)
				}
				leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 2, Term: time.Hour})
				if err != nil {
					t.Errorf("Lease: %v", err)
				}
				for _, l := range leases {
					if err := in.Extend(t.Context(), l, time.Minute); err != nil {
						t.Errorf("Extend: %v", err)
					}
					if _, err := in.Commit(t.Context(), l); err != nil {
						t.Errorf("Commit: %v", err)
					}
					runs.Add(1)
				}
			}
		})
	}
	more := func() {
		t.Helper()
		enough := runs.Load() + 50
		until(t, "fifty runs are made", func() bool { return runs.Load() >= enough || t.Failed() })
	}
	more()
	for _, column := range []string{"attempts", "arrivals", "run_arrivals"} {
		for _, kind := range []string{"bigint", "integer"} {
			if _, err := in.pool.Exec(t.Context(), o.in("ALTER TABLE inbox.entry ALTER COLUMN "+column+" TYPE "+kind)); err != nil {
				t.Fatal(err)
			}
			more()
		}
	}
	for _, change := range []string{"inbox.entry ALTER COLUMN event TYPE varchar(200)", "inbox.entry ADD COLUMN later text", "inbox.lane ALTER COLUMN token TYPE numeric", "inbox.lane ALTER COLUMN token TYPE bigint"} {
		if _, err := in.pool.Exec(t.Context(), o.in("ALTER TABLE "+change)); err != nil {
			t.Fatal(err)
		}
		more()
	}
	close(done)
	all.Wait()
	if s, err := in.Stats(t.Context()); err != nil || s.Leased != 0 || s.Dead != 0 {
		t.Errorf("stats %+v, %v", s, err)
	}
}
