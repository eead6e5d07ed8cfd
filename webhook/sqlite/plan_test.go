package sqlite_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// No statement of Accept, Lease, Wait, Commit or Fail reads a table or an index whole, which would make it slower the
// more is pending.
func TestPlans(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	story(t, in)
	written, err := in.Statements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range append(written, slices.Concat(sqlite.ReadSQL, sqlite.TurnSQL, []string{sqlite.PruneSQL})...) {
		if verb, _, _ := strings.Cut(query, " "); verb == "BEGIN" || verb == "COMMIT" || verb == "PRAGMA" {
			continue
		}
		rows, err := in.DB().Query("EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(step, "SCAN") && !small[step] || strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s: %s", query, step)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// SQLite compiles a statement again before each run if its limit is a bare parameter.
func TestPlansAreKept(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	story(t, in)
	written, err := in.Statements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range slices.Concat(written, sqlite.TurnSQL) {
		if strings.Contains(query, "LIMIT ?") {
			t.Errorf("%s: is compiled again for each run; want LIMIT 0 + ?", query)
		}
	}
}

// small is what may be read whole.
var small = map[string]bool{
	"SCAN CONSTANT ROW":                            true,
	"SCAN inbox_state":                             true, // one row
	"SCAN pragma_page_size VIRTUAL TABLE INDEX 0:": true, // one row
	"SCAN json_each VIRTUAL TABLE INDEX 1:":        true, // stores without a place
	"SCAN j VIRTUAL TABLE INDEX 1:":                true, // lanes that are to be leased
	"SCAN (subquery-2)":                            true, // one row
	"SCAN store":                                   true, // as many as are looked through at a time
	"SCAN f":                                       true, // one row
}

// story makes the collector run what it runs in an inbox's life.
func story(t *testing.T, in *sqlite.Inbox) {
	t.Helper()
	protected := delivery("protected")
	protected.Protected = true
	if _, err := in.Accept(t.Context(), delivery("a"), delivery("a"), protected, delivery("b"), delivery("c"), delivery("d")); err != nil {
		t.Fatal(err)
	}
	l := leased(t, in)
	l.Clears = []webhook.Name{"order/created"}
	_, err := in.Commit(t.Context(), l)
	again := leased(t, in)
	_, joined := in.Accept(t.Context(), again.Entry)
	_, committed := in.Commit(t.Context(), again)
	failing := leased(t, in)
	if err := errors.Join(err, joined, committed, in.Extend(t.Context(), failing, time.Minute), in.Fail(t.Context(), failing, webhook.Failed{Dead: true})); err != nil {
		t.Fatal(err)
	}
	_, replayed := in.Replay(t.Context(), failing.Key)
	dead := leased(t, in)
	failed := in.Fail(t.Context(), dead, webhook.Failed{Dead: true})
	_, purged := in.Purge(t.Context(), dead.Key)
	if err := errors.Join(replayed, failed, purged); err != nil {
		t.Fatal(err)
	}
}

// Many stores rest, and one has an entry that is due: the log says how long a lease and its commit take.
func TestProofManyStores(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	const batch = 1000
	n, runs := tier.Size(1000, 2000, 10_000), tier.Size(20, 200, 200)
	for i := 0; i < n; i += batch {
		entries := make([]webhook.Entry, batch)
		for j := range entries {
			entries[j] = delivery(fmt.Sprint("rests ", i+j))
			entries[j].StoreID, entries[j].Settle = client.ID(1000+i+j), time.Hour
		}
		if _, err := in.Accept(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
	}
	for i := range runs {
		accepted(t, in, fmt.Sprint("due ", i))
	}
	began := time.Now()
	for range runs {
		l := leased(t, in)
		if _, err := in.Commit(t.Context(), l); err != nil || l.StoreID != 123 {
			t.Fatalf("store %d, %v; want the one that does not rest", l.StoreID, err)
		}
	}
	t.Logf("%d stores rest: lease and commit %v", n, time.Since(began)/time.Duration(runs))
}

// Many entries are pending: the log says how long the calls take, and all are counted.
func TestProofManyPending(t *testing.T) {
	t.Parallel()
	n, runs := tier.Size(2000, 20_000, 1_000_000), tier.Size(20, 200, 200)
	in := inbox(t, file(t), sqlite.Options{HighWater: 2 * n})
	const batch = 1000
	for i := 0; i <= n; i += batch {
		if i == 0 || i == n {
			began := time.Now()
			for range runs {
				accepted(t, in, fmt.Sprint("entry ", i, time.Since(began)))
			}
			accept := time.Since(began)
			began = time.Now()
			for range runs {
				if _, err := in.Commit(t.Context(), leased(t, in)); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d pending: accept %v, lease and commit %v", i, accept/time.Duration(runs), time.Since(began)/time.Duration(runs))
		}
		entries := make([]webhook.Entry, batch)
		for j := range entries {
			entries[j] = delivery(fmt.Sprint("pending ", i+j))
		}
		if _, err := in.Accept(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	s, err := in.Stats(t.Context())
	if err != nil || s.Pending != n+batch {
		t.Errorf("%d pending, %v; want %d", s.Pending, err, n+batch)
	}
	t.Logf("%d pending: stats %v", s.Pending, time.Since(began))
}
