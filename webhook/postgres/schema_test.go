package postgres

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/webhook"
)

// firstRelease makes the tables of release 0.1.0.
func firstRelease(t *testing.T, pool *pgxpool.Pool, o Options) {
	t.Helper()
	script, err := os.ReadFile("testdata/0.1.0.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, statements := range []string{
		"CREATE SCHEMA " + o.Schema, string(script),
		"CREATE TABLE inbox.version (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
		"INSERT INTO inbox.version (version) VALUES (1)", "SELECT setval('inbox.token', 41)",
	} {
		if _, err := pool.Exec(t.Context(), o.in(statements)); err != nil {
			t.Fatal(err)
		}
	}
}

// The lease of release 0.1.0.
const firstFailSQL = `SELECT held, died FROM inbox.fail_lease($1, $2, $3, $4, $5, $6 * interval '1 microsecond', $7, $8, $9)`

const firstLeaseSQL = `
WITH free AS (
	SELECT l.lane FROM inbox.lane l
	WHERE l.queue = $1 AND l.due <= statement_timestamp() AND (l.until IS NULL OR l.until <= statement_timestamp())
	ORDER BY l.due LIMIT $2 FOR UPDATE SKIP LOCKED
), picked AS (
	SELECT f.lane, p.key FROM free f LEFT JOIN LATERAL (
		SELECT e.key FROM inbox.entry e
		WHERE e.queue = $1 AND e.lane = f.lane AND e.state = 'pending' AND e.due <= statement_timestamp()
		ORDER BY e.due LIMIT 1 FOR UPDATE SKIP LOCKED) p ON true
), held AS (
	UPDATE inbox.lane l SET token = nextval('inbox.token'), until = statement_timestamp() + $3 * interval '1 microsecond', key = p.key
	FROM picked p WHERE l.queue = $1 AND l.lane = p.lane AND p.key IS NOT NULL
	RETURNING l.key, l.token, l.until
), leased AS (
	UPDATE inbox.entry e SET attempts = e.attempts + 1, run_arrivals = e.arrivals, again_seen = NULL
	FROM picked p WHERE e.queue = $1 AND e.key = p.key
	RETURNING e.*
)
SELECT e.key, e.lane, h.token, e.generation, e.attempts FROM leased e JOIN held h ON h.key = e.key`

// The release before opens tables by its own rule, before and after they were migrated, and works beside this one.
func TestReleaseBefore(t *testing.T) {
	t.Parallel()
	pool, o := newPool(t, database.URL(), 8), Options{Schema: newSchema(t), Queue: "q"}
	firstRelease(t, pool, o)
	in := open(t, database.URL(), o)
	var version int
	if err := pool.QueryRow(t.Context(), o.in("SELECT coalesce(max(version), 0) FROM inbox.version")).Scan(&version); err != nil || version != 1 {
		t.Errorf("version %d, %v; the release before refuses more than 1", version, err)
	}
	var w world
	for _, want := range []int{1, 2} { // its attempt, and that of this release after it failed
		if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
			t.Fatal(err)
		}
		if want == 2 {
			break
		}
		var key, lane string
		var token, generation int64
		var attempt int
		err := pool.QueryRow(t.Context(), o.in(firstLeaseSQL), o.Queue, 1, time.Minute.Microseconds()).Scan(&key, &lane, &token, &generation, &attempt)
		if err != nil || token != 42 || attempt != want {
			t.Fatalf("the release before leases %q as attempt %d with token %d, %v; want 1 and 42", key, attempt, token, err)
		}
		var held, died bool
		if err := pool.QueryRow(t.Context(), o.in(firstFailSQL), o.Queue, key, lane, token, generation, 0, "why", false, false).Scan(&held, &died); err != nil || !held {
			t.Fatalf("it fails: held %v, %v", held, err)
		}
	}
	if l := leaseOne(t, in); l.Attempt != 2 || l.Token <= 42 {
		t.Errorf("attempt %d, token %d, want 2 and more than 42", l.Attempt, l.Token)
	}
}

// Tables of a later release may be used if it says so.
func TestReleaseAfter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		change string
		want   error
	}{
		{"INSERT INTO inbox.migration VALUES (1000, 1)", nil},
		{"INSERT INTO inbox.migration VALUES (1000, 1000), (1001, 1)", ErrNewerSchema},
		{"INSERT INTO inbox.version VALUES (1000)", ErrNewerSchema},
	} {
		o := Options{Schema: newSchema(t)}
		in := open(t, database.URL(), o)
		if _, err := in.pool.Exec(t.Context(), o.in(test.change)); err != nil {
			t.Fatal(err)
		}
		again, err := Open(t.Context(), in.pool, o)
		if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), "the tables have version 1000 and this release knows") {
			t.Errorf("%s: %v, want %v that names both versions", test.change, err, test.want)
		}
		if err == nil {
			again.Close()
		}
	}
}

// Migrations are applied again to tables that have them, and to tables whose version was lost: nothing in them is lost.
func TestMigratedAgain(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"DELETE FROM inbox.migration", "DELETE FROM inbox.version; DELETE FROM inbox.migration", "DROP TABLE inbox.migration, inbox.version"} {
		o := Options{Schema: newSchema(t)}
		in := open(t, database.URL(), o)
		var w world
		if _, err := in.Accept(t.Context(), w.entry(1), w.entry(2)); err != nil {
			t.Fatal(err)
		}
		l := leaseOne(t, in)
		if _, err := in.pool.Exec(t.Context(), o.in(lost)); err != nil {
			t.Fatal(err)
		}
		again := open(t, database.URL(), o)
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
		"; GRANT SELECT, INSERT, UPDATE, DELETE ON inbox.entry, inbox.lane, inbox.mark, inbox.version TO "+role+"; GRANT USAGE ON SEQUENCE inbox.token TO "+role)); err != nil {
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
				leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 2, Term: time.Minute})
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
