package postgres

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// database is what all tests but those share that restart one.
var database *pgtest.Cluster

// testsAtOnce is how many tests run at the same time. They wait for the server most of the time.
const testsAtOnce = "8"

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", testsAtOnce) // what -parallel says replaces it
	flag.Parse()
	proctest.Main(roles())
	os.Exit(run(m))
}

func run(m *testing.M) (status int) {
	var err error
	if database, err = pgtest.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status = m.Run()
	database.Stop()
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// newQueue makes the name of a queue that no other test uses, nor an earlier run in the same database.
func newQueue(t testing.TB) string { return t.Name() + " " + rand.Text() }

// newSchema makes the name of a schema that is gone after the test.
func newSchema(t testing.TB) string {
	schema := "test_" + strings.ToLower(rand.Text())
	pool := newPool(t, database.URL(), 1)
	t.Cleanup(func() {
		if _, err := pool.Exec(context.WithoutCancel(t.Context()), "DROP SCHEMA IF EXISTS "+schema+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	return schema
}

// newPool leads to the database of the tests, with as many connections as are given.
func newPool(t testing.TB, url string, most int32, changes ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = most
	for _, change := range changes {
		change(config)
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// open opens an inbox with a pool of its own, as a process has.
func open(t testing.TB, url string, o Options) *Inbox {
	t.Helper()
	return openOn(t, newPool(t, url, 8), o)
}

// openOn opens an inbox with a pool that others may have too.
func openOn(t testing.TB, pool *pgxpool.Pool, o Options) *Inbox {
	t.Helper()
	in, err := Open(t.Context(), pool, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return in
}
