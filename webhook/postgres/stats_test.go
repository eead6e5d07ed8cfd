package postgres

import (
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// TestStatsOfManyFacts: Stats read all remembered facts, so it took seconds for two million. Few are counted, of many
// the number is an estimate, and entries that are forgotten do not count.
func TestStatsOfManyFacts(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Schema: newSchema(t)})
	fact := webhook.Entry{Key: "0", Lane: "0", Kind: webhook.KindFact, Window: time.Hour, Body: []byte("{}")}
	if _, err := in.Accept(t.Context(), fact); err != nil {
		t.Fatal(err)
	}
	leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Hour})
	if err != nil || len(leases) != 1 {
		t.Fatalf("%d leases, %v", len(leases), err)
	}
	if _, err := in.Commit(t.Context(), leases[0]); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, low, high int }{{1, 999, 1000, 1000}, {1000, 199_999, 180_000, 220_000}} {
		_, err := in.pool.Exec(t.Context(), in.options.in(`INSERT INTO inbox.entry (queue, key, lane, kind, event, store_id, body,
			window_ns, settle_ns, clears, protected, unhandled, state, generation, due, attempts, arrivals, first_seen, last_seen,
			pending_since, outcome, forget_at)
			SELECT queue, n::text, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled, state,
			generation, due, attempts, arrivals, first_seen, last_seen, pending_since, outcome, forget_at
			FROM inbox.entry, generate_series($1::int, $2::int) n WHERE key = '0'
			UNION ALL
			SELECT queue, 'over ' || n, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled, state,
			generation, due, attempts, arrivals, first_seen, last_seen, pending_since, outcome, first_seen - interval '1 hour'
			FROM inbox.entry, generate_series($1::int, $1::int + 499) n WHERE key = '0'`), c.from, c.to)
		if err == nil {
			_, err = in.pool.Exec(t.Context(), in.options.in("ANALYZE inbox.entry"))
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := in.Stats(t.Context())
		if err != nil || s.Done < c.low || s.Done > c.high || s.Pending+s.Dead > 0 {
			t.Errorf("after %d facts: %+v, %v; want %d to %d done", c.to+1, s, err, c.low, c.high)
		}
	}
}
