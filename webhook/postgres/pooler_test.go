package postgres

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
)

// pooled starts PgBouncer before the database of the tests, and returns the URL that leads through it in a pgx mode.
func pooled(t *testing.T, mode, exec string) string {
	t.Helper()
	return pooledWith(t, mode, exec, 20)
}

// pooledWith is pooled with a number of sessions.
func pooledWith(t *testing.T, mode, exec string, sessions int) string {
	t.Helper()
	p, err := database.Pool(t.Context(), mode, sessions)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	u, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("default_query_exec_mode", exec)
	u.RawQuery = q.Encode()
	return u.String()
}

// Every rule holds through a pooler that gives each transaction another session.
func TestProofPooler(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"exec", "cache_describe"}[:tier.Size(1, 1, 2)] {
		t.Run(mode, func(t *testing.T) { rules(t, engineAt(t, pooled(t, "transaction", mode))) })
	}
}

// Open says what to set where a pooler loses prepared statements.
func TestOpenThroughPooler(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pooler, exec string
		want         string
	}{
		{"transaction", "cache_statement", "set default_query_exec_mode=exec"},
		{"transaction", "describe_exec", "set default_query_exec_mode=exec"},
		{"transaction", "exec", ""},
		{"transaction", "cache_describe", ""},
		{"session", "cache_statement", ""},
	} {
		in, err := Open(t.Context(), newPool(t, pooled(t, test.pooler, test.exec), 8), Options{Queue: newQueue(t)})
		if err == nil {
			in.Close()
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("pool_mode %s, %s: %v, want an error with %q", test.pooler, test.exec, err, test.want)
		}
	}
}

// A pooler that answers late does not show that it loses prepared statements.
func TestOpenThroughLatePooler(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err := Open(ctx, newPool(t, pooledWith(t, "transaction", "cache_statement", 1), 8), Options{Queue: newQueue(t)})
	if !errors.Is(err, webhook.ErrUnavailable) || strings.Contains(err.Error(), "set default_query_exec_mode") {
		t.Errorf("%v, want %v without advice", err, webhook.ErrUnavailable)
	}
}

// A worker is woken through a pooler that leaves it its session. It is not through another one, of which it is told
// once, and which is left without a session that listens.
func TestListenThroughPooler(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pooler  string
		reports int
	}{{"transaction", 1}, {"session", 0}} {
		var mu sync.Mutex
		var reports []string
		o := Options{Queue: newQueue(t), Schema: newSchema(t), OnError: func(err error) {
			mu.Lock()
			defer mu.Unlock()
			reports = append(reports, err.Error())
		}}
		said := func() []string {
			mu.Lock()
			defer mu.Unlock()
			return reports
		}
		in := open(t, pooled(t, test.pooler, "exec"), o)
		other := open(t, database.URL(), o)
		listens := func() (is bool) {
			if err := other.pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' || $1 || '%' AND pid <> pg_backend_pid())",
				o.Schema).Scan(&is); err != nil {
				t.Fatal(err)
			}
			return is
		}
		until(t, "it listens, or says that it cannot", func() bool {
			if err := in.Wait(t.Context(), webhook.LeaseQuery{Limit: 1}, time.Millisecond); err != nil {
				t.Fatal(err)
			}
			return listens() || len(said()) > 0
		})
		if listens() != (test.reports == 0) {
			t.Errorf("%s: listens %v, want %v", test.pooler, listens(), test.reports == 0)
		}
		var w world
		if _, err := other.Accept(t.Context(), w.entry(1)); err != nil {
			t.Fatal(err)
		}
		until(t, "an entry of another process is leased", func() bool {
			if err := in.Wait(t.Context(), webhook.LeaseQuery{Limit: 1}, quick); err != nil {
				t.Fatal(err)
			}
			leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: mostTime})
			return err == nil && len(leases) == 1
		})
		in.Close()
		if got := said(); len(got) != test.reports || test.reports > 0 && !strings.Contains(got[0], "pool_mode = session") {
			t.Errorf("%s: reported %q, want %d, with what to do", test.pooler, got, test.reports)
		}
	}
}
