-- A lane has the store of its entries, so that pending entries are found by store. Dead entries are too.
-- The release before inserts lanes without a store. A trigger adds it.
ALTER TABLE inbox.lane
	ADD COLUMN IF NOT EXISTS store_id bigint,  -- of the entries
	-- When the store of the lane has its turn; NULL: another lane of the store says so.
	ADD COLUMN IF NOT EXISTS turn timestamptz;

-- store_of returns the store of the first pending entry of a lane.
CREATE OR REPLACE FUNCTION inbox.store_of(p_queue text, p_lane text) RETURNS bigint
	LANGUAGE sql SET enable_seqscan = off AS $$
	SELECT coalesce((SELECT e.store_id FROM inbox.entry e
		WHERE e.queue = p_queue AND e.lane = p_lane AND e.state = 'pending' ORDER BY e.due LIMIT 1), 0)
$$;

CREATE OR REPLACE FUNCTION inbox.add_store() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.store_id := inbox.store_of(NEW.queue, NEW.lane);
	RETURN NEW;
END $$;
DROP TRIGGER IF EXISTS add_store ON inbox.lane;
CREATE TRIGGER add_store BEFORE INSERT ON inbox.lane FOR EACH ROW
	WHEN (NEW.store_id IS NULL) EXECUTE FUNCTION inbox.add_store();

UPDATE inbox.lane l SET store_id = inbox.store_of(l.queue, l.lane) WHERE l.store_id IS NULL;
CREATE INDEX IF NOT EXISTS lane_store ON inbox.lane (queue, store_id, turn, due);
CREATE INDEX IF NOT EXISTS entry_dead_store ON inbox.entry (queue, store_id, key) WHERE state = 'dead';
