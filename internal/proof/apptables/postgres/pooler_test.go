package apptables

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proof/sqlcopytest"
	"github.com/commerceplatform/commerce-go/internal/proof/tablestest"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// What is stored in an app's database is stored through a pooler too that gives each transaction another session.
func TestPooler(t *testing.T) {
	t.Parallel()
	const sessions = 5
	p, err := cluster.Pool(t.Context(), "transaction", sessions)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	addresses := map[string]string{} // by test
	open := func(t *testing.T) *sql.DB {
		if addresses[t.Name()] == "" {
			addresses[t.Name()] = pooled(t, p, "exec")
		}
		return opened(t, addresses[t.Name()])
	}
	t.Run("tables", func(t *testing.T) { tablestest.Run(t, open) })
	t.Run("copy", func(t *testing.T) { sqlcopytest.Run(t, open) })
	t.Run("prepared", func(t *testing.T) {
		var secret [32]byte
		_, _ = rand.Read(secret[:])
		key, err := sqlstore.NewKey(secret[:])
		if err != nil {
			t.Fatal(err)
		}
		s := &sqlstore.Store{DB: opened(t, pooled(t, p, "cache_statement")), Keys: []sqlstore.Key{key}}
		err = s.Migrate(t.Context())
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs { // at a time, so that they meet sessions that lack what they have prepared
			all.Go(func() {
				for n := 0; n < 50 && errs[i] == nil; n++ {
					errs[i] = s.Check(t.Context())
				}
			})
		}
		all.Wait()
		err = errors.Join(append(errs, err)...)
		if err == nil || !strings.Contains(err.Error(), "default_query_exec_mode=exec") {
			t.Errorf("with prepared statements: %v, want an error with what to set", err)
		}
	})
}

// pooled returns the address of a database that leads through a pooler, in a pgx mode. The database is gone after the
// test.
func pooled(t testing.TB, p *pgtest.Pooler, mode string) string {
	t.Helper()
	name := "app_" + strings.ToLower(rand.Text())
	db := opened(t, cluster.URL())
	if _, err := db.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := db.ExecContext(context.WithoutCancel(t.Context()), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	address, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("default_query_exec_mode", mode)
	address.Path, address.RawQuery = "/"+name, query.Encode()
	return address.String()
}
