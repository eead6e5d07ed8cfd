-- compatible from 1

-- A made-up migration of the next release, for tests of upgrades. It adds columns, which changes the type of the rows that
-- functions return, and an index, and it replaces a function. Processes of this release go on with the tables.
ALTER TABLE inbox.entry ADD COLUMN IF NOT EXISTS note text;
ALTER TABLE inbox.lane ADD COLUMN IF NOT EXISTS note text;
UPDATE inbox.lane SET note = 'migrated';
CREATE INDEX IF NOT EXISTS entry_event ON inbox.entry (queue, event) WHERE state = 'dead';

CREATE OR REPLACE FUNCTION inbox.finish(p_queue text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key AND (e.kind <> 'fact' OR e.window_ns = 0);
	IF NOT FOUND THEN
		UPDATE inbox.entry e SET state = 'done', body = '', trace = NULL, failed_at = NULL, cause = '', note = 'done',
			forget_at = CASE WHEN e.window_ns < 0 THEN 'infinity'
				ELSE clock_timestamp() + e.window_ns / 1000 * interval '1 microsecond' END
			WHERE e.queue = p_queue AND e.key = p_key;
	END IF;
END $$;
