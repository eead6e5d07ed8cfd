-- The trace under which the body of an entry was received. The release before does not know it: it renews an entry and
-- leaves its trace as it is. So a trace belongs to a generation, and is none if the entry has a newer one.
ALTER TABLE inbox.entry
	ADD COLUMN IF NOT EXISTS trace text,              -- a traceparent of W3C Trace Context; NULL: none
	ADD COLUMN IF NOT EXISTS trace_generation bigint; -- the generation that brought it

-- finish settles an entry that the caller has locked: a signal is deleted, a fact is remembered without its body and trace.
CREATE OR REPLACE FUNCTION inbox.finish(p_queue text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key AND (e.kind <> 'fact' OR e.window_ns = 0);
	IF NOT FOUND THEN
		UPDATE inbox.entry e SET state = 'done', body = '', trace = NULL, trace_generation = NULL, failed_at = NULL, cause = '',
			forget_at = CASE WHEN e.window_ns < 0 THEN 'infinity'
				ELSE clock_timestamp() + e.window_ns / 1000 * interval '1 microsecond' END
			WHERE e.queue = p_queue AND e.key = p_key;
	END IF;
END $$;
