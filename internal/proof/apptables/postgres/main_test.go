package apptables

import (
	"context"
	"crypto/rand"
	"database/sql"
	"flag"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/proof/statetest"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	flag.Parse()
	proctest.Main(roles())
	os.Exit(run(m))
}

func run(m *testing.M) (status int) {
	var err error
	if cluster, err = pgtest.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status = m.Run()
	for _, p := range poolers {
		p.Stop()
	}
	cluster.Stop()
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

// roles are what children of these tests do.
func roles() map[string]func() error {
	return map[string]func() error{
		statetest.Role: statetest.Child(statetest.Engine{Connect: connectChild}),
	}
}

// newDatabase returns the address of a schema that is gone after the test. Each process opens it by connect.
func newDatabase(t testing.TB) string {
	t.Helper()
	schema := "app_" + strings.ToLower(rand.Text())
	db := opened(t, cluster.URL())
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.WithoutCancel(t.Context()), "DROP SCHEMA "+schema+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	address, err := url.Parse(cluster.URL())
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("search_path", schema)
	address.RawQuery = query.Encode()
	return address.String()
}

// connect opens a database as an app does that keeps the connections it has made. By default all but two are closed
// after each use, and a new one takes the server as long as twenty statements.
func connect(address string) (*sql.DB, error) {
	db, err := sql.Open("pgx", address)
	if err == nil {
		db.SetMaxIdleConns(16)
	}
	return db, err
}

// connectChild is connect in a process that is killed. The server shows its sessions under a name: see ended.
func connectChild(address string) (*sql.DB, error) {
	named, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	query := named.Query()
	query.Set("application_name", childOf(named))
	named.RawQuery = query.Encode()
	return connect(named.String())
}

func childOf(address *url.URL) string { return "child-of-" + address.Query().Get("search_path") }

// ended waits until the server has ended the sessions of killed processes.
func ended(t testing.TB, address string) {
	t.Helper()
	named, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	db := opened(t, cluster.URL())
	for sessions := 1; sessions > 0; {
		const query = "SELECT count(*) FROM pg_stat_activity, pg_sleep(0.005) WHERE application_name = $1"
		if err := db.QueryRowContext(t.Context(), query, childOf(named)).Scan(&sessions); err != nil {
			t.Fatal(err)
		}
	}
}

// opened connects to a database until the end of the test.
func opened(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}
