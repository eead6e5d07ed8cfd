-- compatible from 1

-- A made-up migration of the next release, for tests of upgrades. It makes the table of lanes again with one more column,
-- as ALTER TABLE cannot do repeatedly, and adds an index. Processes of this release go on with the tables.
DROP TABLE IF EXISTS inbox_lane_new;
CREATE TABLE inbox_lane_new (
	lane     TEXT PRIMARY KEY,
	due      INTEGER NOT NULL,
	token    INTEGER,
	until    INTEGER,
	key      TEXT,
	store_id INTEGER NOT NULL,
	turn     INTEGER,
	note     TEXT
) WITHOUT ROWID;
INSERT INTO inbox_lane_new (lane, due, token, until, key, store_id, turn, note)
	SELECT lane, due, token, until, key, store_id, turn, 'migrated' FROM inbox_lane;
DROP TABLE inbox_lane;
ALTER TABLE inbox_lane_new RENAME TO inbox_lane;
CREATE INDEX inbox_lane_held ON inbox_lane (until) WHERE until IS NOT NULL;
CREATE INDEX inbox_lane_store ON inbox_lane (store_id, turn, due);
CREATE INDEX inbox_lane_turn ON inbox_lane (turn) WHERE until IS NULL AND turn IS NOT NULL;
CREATE INDEX IF NOT EXISTS inbox_entry_event ON inbox_entry (event) WHERE state = 'dead';
