-- Rows are found by their whole key, one at a time, wherever a statement that joins them could be planned while the tables
-- are empty: such a plan reads all of the queue, and a connection keeps it until the tables are analyzed.

-- take leases the first due entry of a lane that the caller has locked. The key is NULL if there is none, or somebody has it locked.
CREATE OR REPLACE FUNCTION inbox.take(p_queue text, p_lane text, p_time interval,
	OUT o_token bigint, OUT o_until timestamptz, OUT o_entry inbox.entry) LANGUAGE plpgsql AS $$
DECLARE
	v_key text;
BEGIN
	SELECT e.key INTO v_key FROM inbox.entry e
		WHERE e.queue = p_queue AND e.lane = p_lane AND e.state = 'pending' AND e.due <= statement_timestamp()
		ORDER BY e.due LIMIT 1 FOR UPDATE SKIP LOCKED;
	IF v_key IS NULL THEN
		RETURN;
	END IF;
	UPDATE inbox.lane l SET token = nextval('inbox.token'), until = statement_timestamp() + p_time, key = v_key
		WHERE l.queue = p_queue AND l.lane = p_lane RETURNING l.token, l.until INTO o_token, o_until;
	UPDATE inbox.entry e SET attempts = e.attempts + 1, run_arrivals = e.arrivals, again_seen = NULL
		WHERE e.queue = p_queue AND e.key = v_key RETURNING e.* INTO o_entry;
END $$;

-- commit_lease ends a lease whose entry was handled. Entries are locked by key and before lanes, as everywhere.
CREATE OR REPLACE FUNCTION inbox.commit_lease(p_queue text, p_key text, p_lane text, p_token bigint, p_generation bigint,
	p_store bigint, p_clears text[], OUT held boolean, OUT again boolean, OUT more boolean, OUT settled integer)
	LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	v_now   timestamptz;
	v_other text[] := '{}';
	v_key   text;
BEGIN
	again := false;
	more := false;
	settled := 0;
	IF cardinality(p_clears) = 0 THEN
		PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key FOR UPDATE;
	ELSE
		FOR v_key IN SELECT k.key FROM (
				SELECT p_key COLLATE "C" AS key UNION
				SELECT o.key FROM inbox.entry o WHERE o.queue = p_queue AND o.lane = p_lane AND o.state = 'pending'
				AND o.store_id = p_store AND o.event = ANY (p_clears)) k
			ORDER BY k.key
		LOOP
			PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = v_key FOR UPDATE;
			IF v_key <> p_key THEN
				v_other := v_other || v_key;
			END IF;
		END LOOP;
	END IF;
	held := inbox.holds(p_queue, p_lane, p_token);
	IF NOT held THEN
		RETURN;
	END IF;
	v_now := clock_timestamp();
	UPDATE inbox.entry e SET due = v_now, attempts = 0, arrivals = greatest(e.arrivals - e.run_arrivals, 1),
		first_seen = coalesce(e.again_seen, e.last_seen), pending_since = v_now, failed_at = NULL, cause = ''
		WHERE e.queue = p_queue AND e.key = p_key AND e.generation <> p_generation;
	again := FOUND;
	IF NOT again THEN
		PERFORM inbox.finish(p_queue, p_key);
		settled := 1;
	END IF;
	FOREACH v_key IN ARRAY v_other LOOP
		-- Its event may have changed while the lock was waited for.
		PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = v_key AND e.state = 'pending'
			AND e.lane = p_lane AND e.store_id = p_store AND e.event = ANY (p_clears);
		IF FOUND THEN
			PERFORM inbox.finish(p_queue, v_key);
			settled := settled + 1;
		END IF;
	END LOOP;
	more := inbox.free_lane(p_queue, p_lane);
END $$;

-- replay makes dead entries pending.
CREATE OR REPLACE FUNCTION inbox.replay(p_queue text, p_keys text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	v_keys  text[] := ARRAY(SELECT DISTINCT k COLLATE "C" FROM unnest(p_keys) k ORDER BY 1);
	v_lanes text[] := '{}';
	v_now   timestamptz;
	v_key   text;
	v_lane  text;
BEGIN
	FOREACH v_key IN ARRAY v_keys LOOP
		PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = v_key AND e.state = 'dead' FOR UPDATE;
	END LOOP;
	v_now := clock_timestamp();
	FOREACH v_key IN ARRAY v_keys LOOP
		UPDATE inbox.entry e SET state = 'pending', due = v_now, pending_since = v_now, attempts = 0, cause = '', unhandled = '', died_at = NULL
			WHERE e.queue = p_queue AND e.key = v_key AND e.state = 'dead' RETURNING e.lane INTO v_lane;
		IF FOUND THEN
			v_lanes := v_lanes || v_lane;
		END IF;
	END LOOP;
	INSERT INTO inbox.lane AS l (queue, lane, due)
		SELECT DISTINCT p_queue, r COLLATE "C", v_now FROM unnest(v_lanes) r ORDER BY 2
		ON CONFLICT (queue, lane) DO UPDATE SET due = least(l.due, excluded.due);
	RETURN cardinality(v_lanes);
END $$;

-- purge deletes dead entries.
CREATE OR REPLACE FUNCTION inbox.purge(p_queue text, p_keys text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	v_rows integer := 0;
	v_key  text;
BEGIN
	FOREACH v_key IN ARRAY ARRAY(SELECT DISTINCT k COLLATE "C" FROM unnest(p_keys) k ORDER BY 1) LOOP
		DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = v_key AND e.state = 'dead';
		IF FOUND THEN
			v_rows := v_rows + 1;
		END IF;
	END LOOP;
	RETURN v_rows;
END $$;
