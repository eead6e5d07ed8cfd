-- Stores take turns. Of the lanes of a store that nobody holds, one has the time of its turn; others may. It is not after
-- the time at which the first of them is due, or it is over.
DROP INDEX IF EXISTS inbox_lane_free;
CREATE INDEX IF NOT EXISTS inbox_lane_turn ON inbox_lane (turn) WHERE until IS NULL AND turn IS NOT NULL;
UPDATE inbox_lane SET turn = due WHERE lane IN (
	SELECT lane FROM (SELECT lane, min(due) FROM inbox_lane WHERE until IS NULL GROUP BY store_id));

-- The release before inserts lanes without a store and without a turn.
DROP TRIGGER IF EXISTS inbox_lane_inserted;
CREATE TRIGGER inbox_lane_inserted AFTER INSERT ON inbox_lane WHEN NEW.store_id IS NULL BEGIN
	UPDATE inbox_lane SET store_id = coalesce((SELECT e.store_id FROM inbox_entry e
		WHERE e.lane = NEW.lane AND e.state = 'pending' ORDER BY e.due, e.id LIMIT 1), 0) WHERE lane = NEW.lane;
	UPDATE inbox_lane SET turn = due WHERE lane = NEW.lane AND NOT EXISTS (SELECT 1 FROM inbox_lane l
		WHERE l.store_id = inbox_lane.store_id AND l.turn <= NEW.due AND l.until IS NULL);
END;
