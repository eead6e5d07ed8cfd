package apptables

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proof/statetest"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

var engine = statetest.Engine{
	New: newDatabase, Connect: connect, Files: filesOf, Inbox: newInbox, Ended: ended, Ways: ways(), Failover: failover,
}

func TestProofState(t *testing.T) {
	t.Parallel()
	statetest.Run(t, engine)
}

// ways are the levels of isolation that an operator may choose for a database, without a pooler and with one.
func ways() (all []statetest.Way) {
	for _, level := range []string{"serializable", "repeatable read", "read committed", "read uncommitted"} {
		direct := func(t testing.TB) string { return newOwn(t, cluster.URL(), level, "") }
		through := func(t testing.TB) string { return newOwn(t, pooler().URL(), level, "exec") }
		all = append(all, statetest.Way{Name: level, New: direct}, statetest.Way{Name: level + " through a pooler", New: through})
	}
	return all
}

// pooler returns one that gives each transaction another session. It is started by its first use.
var pooler = sync.OnceValue(func() *pgtest.Pooler {
	const sessions = 5
	p, err := cluster.Pool(context.Background(), "transaction", sessions)
	if err != nil {
		panic(err)
	}
	poolers = append(poolers, p)
	return p
})

var poolers []*pgtest.Pooler // that TestMain stops

// newOwn returns the address of a database of its own with a default level of isolation, which is gone after the test.
// The address leads through a server. Mode is that of pgx, empty for its default.
func newOwn(t testing.TB, server, level, mode string) string {
	t.Helper()
	name := "app_" + strings.ToLower(rand.Text())
	db := opened(t, cluster.URL())
	for _, statement := range []string{"CREATE DATABASE " + name, "ALTER DATABASE " + name + " SET default_transaction_isolation = '" + level + "'"} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.WithoutCancel(t.Context()), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	if mode != "" {
		query.Set("default_query_exec_mode", mode)
	}
	address.Path, address.RawQuery = "/"+name, query.Encode()
	return address.String()
}

func TestRules(t *testing.T) {
	t.Parallel()
	statetest.Rules(t, engine)
}

// newInbox opens an inbox in an empty database.
func newInbox(t testing.TB) multistore.Database {
	t.Helper()
	// Another inbox would remember the events of an earlier run of the test.
	inbox, err := postgres.OpenURL(t.Context(), newDatabase(t), postgres.Options{Queue: strings.ToLower(rand.Text())})
	if err != nil {
		t.Fatal(err)
	}
	return inbox
}
