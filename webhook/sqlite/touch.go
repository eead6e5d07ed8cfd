package sqlite

import "database/sql"

const (
	// touchSQL adds a lane, or makes it due earlier, and gives its store a turn in time, unless it has one.
	touchSQL = `INSERT INTO inbox_lane (lane, due, store_id, turn) VALUES (?1, ?2, ?3, iif(EXISTS (
			SELECT 1 FROM inbox_lane m WHERE m.store_id = ?3 AND m.turn <= max(?2, ?4) AND m.until IS NULL), NULL, ?2))
		ON CONFLICT (lane) DO UPDATE SET due = excluded.due, turn = coalesce(excluded.turn, turn)
			WHERE excluded.due < due`
	// touchInTurnSQL does the same if the store has a turn in time.
	touchInTurnSQL = `INSERT INTO inbox_lane (lane, due, store_id) VALUES (?1, ?2, ?3)
		ON CONFLICT (lane) DO UPDATE SET due = excluded.due WHERE excluded.due < due`
	firstTurnSQL = `SELECT turn FROM inbox_lane
		WHERE store_id = ? AND turn IS NOT NULL AND until IS NULL ORDER BY turn LIMIT 1`
)

// known caches the first turns of stores in a transaction. A free lane with a turn loses it only by a lease or with its
// entries; both clear the cache.
type known map[int64]sql.NullInt64

func (k *known) forget() { *k = nil }

// touch updates the due time of the lane of a pending row.
func (t *transaction) touch(r *row) error {
	t.due = true
	store, latest := int64(r.entry.StoreID), max(r.due, t.now)
	turn, again := t.stores[store]
	if again && !turn.Valid { // from the second entry of a store on, caching is worth it
		if _, err := t.one(firstTurnSQL, []any{store}, &turn); err != nil {
			return err
		}
		t.stores[store] = turn
	}
	if turn.Valid && turn.Int64 <= latest {
		return t.exec(touchInTurnSQL, r.entry.Lane, r.due, store)
	}
	if t.stores == nil {
		t.stores = make(known)
	}
	t.stores[store] = sql.NullInt64{} // it may get another turn
	return t.exec(touchSQL, r.entry.Lane, r.due, store, t.now)
}
