package restores

import (
	"context"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	inboxes "github.com/commerceplatform/commerce-go/webhook/postgres"
)

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// newServer starts a server of its own, with a log for logical replication.
func newServer(t *testing.T) *pgtest.Cluster {
	t.Helper()
	c, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	psql(t, c, c.URL(), "ALTER SYSTEM SET wal_level = logical")
	if err := c.Down(t.Context(), pgtest.Fast); err != nil {
		t.Fatal(err)
	}
	if err := c.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// openURL opens the database of an app.
func openURL(t *testing.T, url string, o *outside) *app {
	t.Helper()
	var r reports
	in, err := inboxes.OpenURL(t.Context(), url, inboxes.Options{OnError: r.add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return newApp(t, in, &r, o)
}

// run runs a program of PostgreSQL.
func run(t *testing.T, c *pgtest.Cluster, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), stop)
	defer cancel()
	out, err := exec.CommandContext(ctx, filepath.Join(c.Programs(), program), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v: %s", program, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// psql executes statements by psql.
func psql(t *testing.T, c *pgtest.Cluster, url string, statements ...string) (last string) {
	t.Helper()
	for _, s := range statements {
		last = run(t, c, "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--quiet", "--set=ON_ERROR_STOP=1", "--dbname="+url, "--command="+s)
	}
	return last
}

// another makes a database that is empty.
func another(t *testing.T, c *pgtest.Cluster) (url string) {
	t.Helper()
	psql(t, c, c.URL(), "CREATE DATABASE another")
	return strings.Replace(c.URL(), "/postgres?", "/another?", 1)
}

func dumped(c *pgtest.Cluster) func(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	return func(t *testing.T, _ *app) func(t *testing.T, o *outside) *app {
		file := filepath.Join(t.TempDir(), "app.dump")
		run(t, c, "pg_dump", "--format=custom", "--file="+file, "--dbname="+c.URL())
		return func(t *testing.T, o *outside) *app {
			url := another(t, c)
			run(t, c, "pg_restore", "--exit-on-error", "--dbname="+url, file)
			return openURL(t, url, o)
		}
	}
}

// dumpedBack restores a dump into the same database.
func dumpedBack(c *pgtest.Cluster) func(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	return func(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
		file := filepath.Join(t.TempDir(), "app.dump")
		run(t, c, "pg_dump", "--format=custom", "--file="+file, "--dbname="+c.URL())
		return func(t *testing.T, o *outside) *app {
			end(t, a)
			run(t, c, "pg_restore", "--exit-on-error", "--clean", "--dbname="+c.URL(), file)
			return openURL(t, c.URL(), o)
		}
	}
}

// based copies the files of the server, and starts the copy without what the server wrote later.
func based(c *pgtest.Cluster) func(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	return func(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
		s, err := c.Standby(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Stop)
		if err := s.Down(t.Context(), pgtest.Fast); err != nil {
			t.Fatal(err)
		}
		return func(t *testing.T, o *outside) *app {
			end(t, a)
			if err := c.Down(t.Context(), pgtest.Immediate); err != nil {
				t.Fatal(err)
			}
			if err := s.Up(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := s.Promote(t.Context()); err != nil {
				t.Fatal(err)
			}
			return openURL(t, s.URL(), o)
		}
	}
}

// replicated copies the tables by logical replication, which copies no sequences, as blue/green upgrades do.
func replicated(c *pgtest.Cluster) func(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	return func(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
		url, file := another(t, c), filepath.Join(t.TempDir(), "schema.dump")
		run(t, c, "pg_dump", "--format=custom", "--schema-only", "--file="+file, "--dbname="+c.URL())
		run(t, c, "pg_restore", "--exit-on-error", "--dbname="+url, file)
		psql(t, c, c.URL(), "CREATE PUBLICATION app FOR ALL TABLES", "SELECT pg_create_logical_replication_slot('app', 'pgoutput')")
		psql(t, c, url, fmt.Sprintf("CREATE SUBSCRIPTION app CONNECTION '%s' PUBLICATION app WITH (create_slot = false, slot_name = app)", c.URL()))
		wait := func(url, query string) {
			psql(t, c, url, "DO $$ BEGIN WHILE NOT ("+query+") LOOP COMMIT; PERFORM pg_sleep(0.01); END LOOP; END $$")
		}
		wait(url, "SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel")
		return func(t *testing.T, o *outside) *app {
			end(t, a)
			at := psql(t, c, c.URL(), "SELECT pg_current_wal_lsn()")
			wait(c.URL(), "SELECT confirmed_flush_lsn >= '"+at+"' FROM pg_replication_slots WHERE slot_name = 'app'")
			psql(t, c, url, "DROP SUBSCRIPTION app")
			if last := psql(t, c, url, "SELECT last_value FROM webhook_inbox.token"); last != "1" {
				t.Errorf("the sequence was copied: %s", last)
			}
			return openURL(t, url, o)
		}
	}
}

func TestProofRestoresPostgres(t *testing.T) {
	all := []story{
		{name: "pg_dump", reports: true},
		{name: "logical replication", latest: true, reports: true},
		{name: "pg_dump into the same database", reports: true},
		{name: "pg_basebackup", reports: true},
	}
	takes := []func(c *pgtest.Cluster) func(t *testing.T, a *app) func(t *testing.T, o *outside) *app{
		dumped, replicated, dumpedBack, based,
	}
	for i := range tier.Size(2, len(all), len(all)) {
		t.Run(all[i].name, func(t *testing.T) {
			t.Parallel()
			c, s := newServer(t), all[i]
			s.take = takes[i](c)
			s.run(t, openURL(t, c.URL(), newOutside(t)))
		})
	}
}
