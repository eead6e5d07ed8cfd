package postgres

import (
	"os"
	"strings"
	"testing"
)

// The queries of the page for operators are those of the tables.
func TestOperatorsQueries(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	queries := 0
	for line := range strings.Lines(string(page)) {
		query, found := strings.CutSuffix(strings.TrimSpace(line), "-- PostgreSQL")
		if !found {
			continue
		}
		queries++
		if _, err := in.pool.Exec(t.Context(), query); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	if queries < 2 {
		t.Errorf("operating.md has %d queries of PostgreSQL, want 2", queries)
	}
}

// The query about fairness shows which store has the backlog, and that each has a turn.
func TestOperatorsFairness(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	flood, quiet := delivery(1), delivery(3)
	quiet.StoreID = 7
	if _, err := in.Accept(t.Context(), flood, delivery(2), quiet); err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "## Fairness between stores")
	for line := range strings.Lines(after) {
		query, found := strings.CutSuffix(strings.TrimSpace(line), "-- PostgreSQL")
		if !found {
			continue
		}
		rows, err := in.pool.Query(t.Context(), strings.ReplaceAll(query, "'default'", "$1"), in.options.Queue)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for _, want := range []struct{ store, lanes int64 }{{123, 2}, {7, 1}} {
			var store, lanes int64
			var waits, turn *float64
			if !rows.Next() {
				t.Fatalf("no row for store %d: %v", want.store, rows.Err())
			}
			if err := rows.Scan(&store, &lanes, &waits, &turn); err != nil {
				t.Fatal(err)
			}
			if store != want.store || lanes != want.lanes || waits == nil || turn == nil || *waits < 0 || *turn > 0 {
				t.Errorf("store %d with %d lanes waits %v and has its turn in %v; want store %d with %d, which waits",
					store, lanes, waits, turn, want.store, want.lanes)
			}
		}
		return
	}
	t.Error("operating.md has no query about fairness")
}
