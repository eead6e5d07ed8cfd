package postgres

import (
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		options Options
		want    string
	}{
		{Options{Queue: "a\x00b"}, "Queue"},
		{Options{Queue: strings.Repeat("q", 201)}, "Queue"},
		{Options{Schema: "Inbox"}, "Schema"},
		{Options{Schema: `a"; DROP TABLE b; --`}, "Schema"},
		{Options{Schema: "pg_inbox"}, "Schema"},
		{Options{HighWater: -1}, "HighWater is -1"},
	} {
		if _, err := Open(t.Context(), nil, test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want an error that names %s", test.options, err, test.want)
		}
	}
}

// A server that does not answer may answer later. One that refuses the database or the password, or has tables of a
// newer release, does not.
func TestOpenUnavailable(t *testing.T) {
	t.Parallel()
	o, good := Options{Schema: newSchema(t)}, database.URL()
	newer := open(t, good, o)
	if _, err := newer.pool.Exec(t.Context(), "INSERT INTO "+o.Schema+".migration VALUES (1000, 1000)"); err != nil {
		t.Fatal(err)
	}
	changed := func(change func(*url.URL)) string {
		u, err := url.Parse(good)
		if err != nil {
			t.Fatal(err)
		}
		change(u)
		return u.String()
	}
	for later, urls := range map[bool][]string{
		true: {changed(func(u *url.URL) { u.Host = "127.0.0.1:1" }),
			changed(func(u *url.URL) { u.RawQuery += "&default_transaction_read_only=on" })},
		false: {changed(func(u *url.URL) { u.Path = "/missing" }),
			changed(func(u *url.URL) { u.User = url.UserPassword(u.User.Username(), "wrong") }), good, "postgres://:x:/"},
	} {
		for _, url := range urls {
			in, err := OpenURL(t.Context(), url, o)
			if err == nil {
				_ = in.Close()
			}
			if err == nil || errors.Is(err, webhook.ErrUnavailable) != later {
				t.Errorf("%v, want an error that may end by itself: %t", err, later)
			}
		}
	}
}

// Processes of a new release start at the same time.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	schema, pool := newSchema(t), newPool(t, database.URL(), 16)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			in, err := Open(t.Context(), pool, Options{Schema: schema})
			if err != nil {
				t.Error(err)
				return
			}
			in.Close()
		})
	}
	all.Wait()
	if _, err := pool.Exec(t.Context(), "INSERT INTO "+schema+".migration VALUES (1000, 1000)"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), pool, Options{Schema: schema}); !errors.Is(err, ErrNewerSchema) {
		t.Errorf("Open of a newer schema: %v, want ErrNewerSchema", err)
	}
}

// What a crash would empty is refused.
func TestOpenUnlogged(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t)}
	in := open(t, database.URL(), o)
	if _, err := in.pool.Exec(t.Context(), "ALTER TABLE "+o.Schema+".entry SET UNLOGGED"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), in.pool, o); !errors.Is(err, ErrLossy) || !strings.Contains(err.Error(), "entry") {
		t.Errorf("Open: %v, want ErrLossy that names entry", err)
	}
}

// A database that does not sync is refused, and a role that does not wait for the sync is made to.
func TestOpenLossy(t *testing.T) {
	t.Parallel()
	engine, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(engine.Stop)
	for _, level := range []string{"off", "local"} {
		if _, err := newPool(t, engine.URL(), 1).Exec(t.Context(), "ALTER ROLE test SET synchronous_commit = "+level); err != nil {
			t.Fatal(err)
		}
		in := open(t, engine.URL(), Options{Queue: newQueue(t)})
		if _, err := in.pool.Exec(t.Context(), `CREATE TABLE IF NOT EXISTS seen (level text); DELETE FROM seen;
			CREATE OR REPLACE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
			CREATE OR REPLACE TRIGGER see AFTER INSERT OR UPDATE OR DELETE ON webhook_inbox.entry FOR EACH STATEMENT EXECUTE FUNCTION see()`); err != nil {
			t.Fatal(err)
		}
		var w world
		if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
			t.Fatal(err)
		}
		l := leaseOne(t, in)
		lossy := func(when string, want int) {
			var n int
			if err := in.pool.QueryRow(t.Context(), "SELECT count(*) FROM seen WHERE level <> 'on'").Scan(&n); err != nil || n != want {
				t.Errorf("%s: after %s %d statements were not waited for (%v), want %d", level, when, n, err, want)
			}
		}
		lossy("an accept and a lease", 0)
		if _, err := in.Commit(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		lossy("a commit, which may be repeated", 1)
	}
	pool := newPool(t, engine.URL(), 2)
	for _, statement := range []string{"ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"} {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for fsync := "on"; fsync == "on"; { // until the server has read it
		if err := pool.QueryRow(t.Context(), "SELECT current_setting('fsync')").Scan(&fsync); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(t.Context(), pool, Options{}); !errors.Is(err, ErrLossy) || !strings.Contains(err.Error(), "fsync is off") {
		t.Errorf("Open: %v, want ErrLossy that names fsync", err)
	}
	in, err := Open(t.Context(), pool, Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
}

// leaseOne leases the entry that is due.
func leaseOne(t *testing.T, in *Inbox) webhook.Lease {
	t.Helper()
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: mostTime})
	if err != nil || len(leases) != 1 {
		t.Fatalf("%d leases, %v, want 1", len(leases), err)
	}
	return leases[0]
}
