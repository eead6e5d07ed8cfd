-- Runs that ask for a wait, entries that nobody needs any more, and stores that the app has left.

-- wait_lease ends a lease whose run asked for a wait: it is no attempt, and arrivals do not make the entry due earlier.
CREATE OR REPLACE FUNCTION inbox.wait_lease(p_queue text, p_key text, p_lane text, p_token bigint, p_delay interval, p_cause text,
	OUT held boolean) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	v_due timestamptz;
BEGIN
	PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key FOR UPDATE;
	held := inbox.holds(p_queue, p_lane, p_token);
	IF NOT held THEN
		RETURN;
	END IF;
	v_due := clock_timestamp() + p_delay;
	UPDATE inbox.entry e SET due = v_due, failed_at = v_due - interval '1 second', attempts = greatest(e.attempts - 1, 0), cause = p_cause
		WHERE e.queue = p_queue AND e.key = p_key;
	PERFORM inbox.free_lane(p_queue, p_lane);
END $$;

-- drop_lease ends a lease whose entry nobody needs any more. What arrived since the lease stays, as if only that had arrived.
CREATE OR REPLACE FUNCTION inbox.drop_lease(p_queue text, p_key text, p_lane text, p_token bigint, OUT held boolean, OUT dropped boolean)
	LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	v_now timestamptz;
BEGIN
	dropped := false;
	PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key FOR UPDATE;
	held := inbox.holds(p_queue, p_lane, p_token);
	IF NOT held THEN
		RETURN;
	END IF;
	v_now := clock_timestamp();
	UPDATE inbox.entry e SET due = v_now, attempts = 0, arrivals = greatest(e.arrivals - e.run_arrivals, 1),
		first_seen = coalesce(e.again_seen, e.last_seen), pending_since = v_now, failed_at = NULL, cause = ''
		WHERE e.queue = p_queue AND e.key = p_key AND e.arrivals <> e.run_arrivals;
	IF NOT FOUND THEN
		DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key;
		dropped := true;
	END IF;
	PERFORM inbox.free_lane(p_queue, p_lane);
END $$;

-- drop_store deletes the next pending entries of a store that arrived until a time, and returns how many it deleted, how many
-- it looked at, and the last key of these. Entries that somebody has locked are left out: something is done to them.
-- Entries are locked by key and before lanes, as everywhere.
CREATE OR REPLACE FUNCTION inbox.drop_store(p_queue text, p_store bigint, p_after text, p_end text, p_before timestamptz, p_most integer,
	OUT o_dropped integer, OUT o_seen integer, OUT o_last text) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	v       record;
	v_keys  text[] := '{}';
	v_lanes text[] := '{}';
	v_lane  text;
	v_busy  boolean;
	v_held  text;
BEGIN
	o_dropped := 0;
	FOR v IN SELECT e.key, e.lane FROM inbox.entry e WHERE e.queue = p_queue AND e.key > p_after AND e.key < p_end
		AND e.store_id = p_store AND e.state = 'pending' AND NOT e.protected AND e.last_seen <= p_before
		ORDER BY e.key LIMIT p_most FOR UPDATE SKIP LOCKED
	LOOP
		v_keys := v_keys || v.key::text;
		v_lanes := v_lanes || v.lane::text;
		o_last := v.key;
	END LOOP;
	o_seen := cardinality(v_keys);
	FOR v IN SELECT k.key, k.lane FROM unnest(v_keys, v_lanes) AS k (key, lane) ORDER BY k.lane COLLATE "C", k.key COLLATE "C" LOOP
		IF v_lane IS DISTINCT FROM v.lane THEN
			IF NOT v_busy THEN
				PERFORM inbox.free_lane(p_queue, v_lane);
			END IF;
			v_lane := v.lane;
			SELECT coalesce(l.until > clock_timestamp(), false), l.key INTO v_busy, v_held
				FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = v_lane FOR UPDATE;
		END IF;
		CONTINUE WHEN v_busy AND v_held = v.key; -- somebody works on it
		DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = v.key;
		o_dropped := o_dropped + 1;
	END LOOP;
	IF NOT v_busy THEN
		PERFORM inbox.free_lane(p_queue, v_lane);
	END IF;
END $$;

-- purge_died deletes entries that died at given times, except requests of data protection.
CREATE OR REPLACE FUNCTION inbox.purge_died(p_queue text, p_keys text[], p_died timestamptz[]) RETURNS integer
	LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	v      record;
	v_rows integer := 0;
BEGIN
	FOR v IN SELECT k.* FROM unnest(p_keys, p_died) AS k (key, died) ORDER BY k.key COLLATE "C" LOOP
		DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = v.key AND e.state = 'dead' AND e.died_at = v.died AND NOT e.protected;
		IF FOUND THEN
			v_rows := v_rows + 1;
		END IF;
	END LOOP;
	RETURN v_rows;
END $$;
