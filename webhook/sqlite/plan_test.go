package sqlite_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// No statement of Accept, Lease, Wait or Commit reads a table or an index whole, which would make it slower the more is pending.
func TestPlans(t *testing.T) {
	in := inbox(t, file(t), sqlite.Options{})
	for _, query := range []string{
		"SELECT id FROM inbox_entry WHERE key = 'a'",
		"SELECT key FROM inbox_entry WHERE lane = 'a' AND state = 'pending' AND due <= 1 ORDER BY due, id LIMIT 1",
		"SELECT due FROM inbox_entry WHERE lane = 'a' AND state = 'pending' ORDER BY due LIMIT 1",
		"SELECT key FROM inbox_entry WHERE lane = 'a' AND state = 'pending' AND store_id = 1 AND event = 'a' AND id <> 1",
		"SELECT id FROM inbox_entry WHERE state = 'done' AND forget_at BETWEEN 1 AND 2 ORDER BY forget_at LIMIT 500",
		"SELECT key FROM inbox_entry WHERE state = 'dead' AND key > 'a' ORDER BY key LIMIT 10",
		"SELECT min(since) FROM inbox_entry WHERE state = 'pending'",
		"SELECT lane FROM inbox_lane WHERE until IS NULL AND due <= 1 ORDER BY due LIMIT 1",
		"SELECT min(due) FROM inbox_lane WHERE until IS NULL",
		"UPDATE inbox_lane SET token = NULL, until = NULL, key = NULL WHERE until <= 1",
	} {
		rows, err := in.DB().Query("EXPLAIN QUERY PLAN " + query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(step, "SCAN") && step != "SCAN CONSTANT ROW" || strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s: %s", query, step)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// Many entries are pending: the calls take about as long as with few.
func TestProofManyPending(t *testing.T) {
	n := size(20_000, 1_000_000)
	in := inbox(t, file(t), sqlite.Options{HighWater: 2 * n})
	const batch, runs = 1000, 200
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
			t.Logf("%d pending: accept %v, lease and commit %v", i, accept/runs, time.Since(began)/runs)
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
