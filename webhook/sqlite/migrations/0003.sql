-- A lane has the store of its entries, so that pending entries are found by store. Dead entries are too.
-- The release before inserts lanes without a store. A trigger adds it.
DROP TRIGGER IF EXISTS inbox_lane_inserted;
DROP TABLE IF EXISTS inbox_lane_new;
CREATE TABLE inbox_lane_new (
	lane     TEXT PRIMARY KEY,
	due      INTEGER NOT NULL, -- of its pending entry that is due first
	token    INTEGER,          -- of the lease; NULL: nobody works on the lane
	until    INTEGER,          -- when the lease ends
	key      TEXT,             -- the entry that is leased
	store_id INTEGER,          -- of the entries
	turn     INTEGER           -- when the store of the lane has its turn; NULL: another lane of the store says so
) WITHOUT ROWID;
INSERT INTO inbox_lane_new (lane, due, token, until, key, store_id)
	SELECT l.lane, l.due, l.token, l.until, l.key, coalesce((SELECT e.store_id FROM inbox_entry e
		WHERE e.lane = l.lane AND e.state = 'pending' ORDER BY e.due, e.id LIMIT 1), 0) FROM inbox_lane l;
DROP TABLE inbox_lane;
ALTER TABLE inbox_lane_new RENAME TO inbox_lane;
CREATE INDEX inbox_lane_free ON inbox_lane (due) WHERE until IS NULL;
CREATE INDEX inbox_lane_held ON inbox_lane (until) WHERE until IS NOT NULL;
CREATE INDEX inbox_lane_store ON inbox_lane (store_id, turn, due);
CREATE TRIGGER inbox_lane_inserted AFTER INSERT ON inbox_lane WHEN NEW.store_id IS NULL BEGIN
	UPDATE inbox_lane SET store_id = coalesce((SELECT e.store_id FROM inbox_entry e
		WHERE e.lane = NEW.lane AND e.state = 'pending' ORDER BY e.due, e.id LIMIT 1), 0) WHERE lane = NEW.lane;
END;
CREATE INDEX IF NOT EXISTS inbox_entry_dead_store ON inbox_entry (store_id, key) WHERE state = 'dead';
