-- A lease is an attempt once whoever asked for it has received it: lease hands it out, and receive counts it. The functions
-- of the release before stay as they are, and count by themselves.

-- receive counts leases as attempts, and notes the arrivals that they are for. An entry that arrived since it was leased
-- was seen again. Entries are locked in the order of their keys, as everywhere.
CREATE OR REPLACE FUNCTION inbox.receive(p_queue text, p_keys text[], p_lanes text[], p_tokens bigint[], p_arrivals integer[])
	RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	v record;
BEGIN
	FOR v IN SELECT r.* FROM unnest(p_keys, p_lanes, p_tokens, p_arrivals) AS r (key, lane, token, arrivals) ORDER BY r.key COLLATE "C" LOOP
		PERFORM 1 FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = v.lane AND l.token = v.token;
		IF FOUND THEN
			UPDATE inbox.entry e SET attempts = e.attempts + 1, run_arrivals = v.arrivals,
				again_seen = CASE WHEN e.arrivals > v.arrivals THEN e.last_seen END
				WHERE e.queue = p_queue AND e.key = v.key;
		END IF;
	END LOOP;
END $$;

-- fail_lease ends a lease whose entry was not handled. One that is released need not have been counted.
CREATE OR REPLACE FUNCTION inbox.fail_lease(p_queue text, p_key text, p_lane text, p_token bigint, p_generation bigint,
	p_delay interval, p_cause text, p_dead boolean, p_released boolean, OUT held boolean, OUT died boolean)
	LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
	v_now timestamptz;
BEGIN
	died := false;
	PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key FOR UPDATE;
	held := inbox.holds(p_queue, p_lane, p_token);
	IF NOT held THEN
		RETURN;
	END IF;
	v_now := clock_timestamp();
	IF p_released THEN
		UPDATE inbox.entry e SET due = v_now, attempts = greatest(e.attempts - 1, 0) WHERE e.queue = p_queue AND e.key = p_key;
	ELSIF p_dead THEN
		UPDATE inbox.entry e SET state = 'dead', died_at = v_now, failed_at = v_now, cause = p_cause
			WHERE e.queue = p_queue AND e.key = p_key AND e.generation = p_generation;
		died := FOUND;
		IF NOT died THEN -- what arrived since had no attempt
			UPDATE inbox.entry e SET attempts = 0, pending_since = v_now, failed_at = v_now, cause = '',
				due = v_now + greatest(e.settle_ns / 1000 * interval '1 microsecond', interval '1 second')
				WHERE e.queue = p_queue AND e.key = p_key;
		END IF;
	ELSE
		UPDATE inbox.entry e SET due = v_now + p_delay, failed_at = v_now, cause = p_cause
			WHERE e.queue = p_queue AND e.key = p_key;
	END IF;
	PERFORM inbox.free_lane(p_queue, p_lane);
END $$;
