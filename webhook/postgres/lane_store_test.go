package postgres

import (
	"io/fs"
	"testing"
)

// A lane has the store of its entries: one that was there before the migration, one that the release before adds in the
// statement that adds its entry, and one that this release adds. Migrations may be applied again.
func TestStoreOfLane(t *testing.T) {
	t.Parallel()
	o := Options{Schema: newSchema(t), Queue: "stores"}
	in := open(t, database.URL(), o)
	script, err := fs.ReadFile(migrations, "migrations/0003.sql")
	if err != nil {
		t.Fatal(err)
	}
	const before = `WITH met AS (
		INSERT INTO inbox.entry (queue, key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected,
			unhandled, state, generation, due, attempts, arrivals, first_seen, last_seen, pending_since, outcome)
		VALUES ('stores', 'old', 'old', 'signal', 'order/updated', 456, '{}', 0, 0, '{}', false, '',
			'pending', 1, now(), 0, 1, now(), now(), now(), 'stored') RETURNING lane, due)
		INSERT INTO inbox.lane (queue, lane, due) SELECT 'stores', m.lane, m.due FROM met m`
	for _, statement := range []string{
		before, "UPDATE inbox.lane SET store_id = NULL", string(script), string(script),
		"INSERT INTO inbox.lane (queue, lane, due) VALUES ('stores', 'without an entry', now())",
	} {
		if _, err := in.pool.Exec(t.Context(), o.in(statement)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := in.Accept(t.Context(), delivery(1)); err != nil {
		t.Fatal(err)
	}
	for lane, want := range map[string]int64{"old": 456, delivery(1).Lane: 123, "without an entry": 0} {
		var got int64
		const query = "SELECT store_id FROM inbox.lane WHERE queue = 'stores' AND lane = $1"
		err := in.pool.QueryRow(t.Context(), o.in(query), lane).Scan(&got)
		if err != nil || got != want {
			t.Errorf("lane %q: store %d, %v; want %d", lane, got, err, want)
		}
	}
}
