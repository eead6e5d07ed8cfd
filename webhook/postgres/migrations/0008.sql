-- settle ends leases together. Entries are locked by key and before lanes, as everywhere, and so are changed before it is
-- known whether the leases hold: if one does not, it fails, and whoever calls it ends each by itself. Keys are in order, and
-- p_order has the places of the lanes in theirs.
--
-- A lane is deleted, and only then is looked for what is left in it: whoever adds to it waits, or has added before.
CREATE OR REPLACE FUNCTION inbox.settle(p_queue text, p_keys text[], p_lanes text[], p_order integer[], p_tokens bigint[],
	p_generations bigint[], p_ends text[], p_delays bigint[], p_causes text[],
	OUT o_again boolean[], OUT o_settled boolean[], OUT o_more boolean) LANGUAGE plpgsql AS $$
DECLARE
	v_held    boolean;
	v_settled boolean;
	v_store   bigint;
	v_due     timestamptz;
	v_delay   interval;
	i         integer;
BEGIN
	o_again := array_fill(false, ARRAY[cardinality(p_keys)]);
	o_settled := array_fill(true, ARRAY[cardinality(p_keys)]);
	o_more := false;
	FOR i IN 1..cardinality(p_keys) LOOP
		IF p_ends[i] <> 'commit' THEN
			PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_keys[i] FOR UPDATE;
			CONTINUE;
		END IF;
		DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_keys[i] AND e.generation = p_generations[i]
			AND (e.kind <> 'fact' OR e.window_ns = 0);
		CONTINUE WHEN FOUND;
		UPDATE inbox.entry e SET due = clock_timestamp(), attempts = 0, arrivals = greatest(e.arrivals - e.run_arrivals, 1),
			first_seen = coalesce(e.again_seen, e.last_seen), pending_since = clock_timestamp(), failed_at = NULL, cause = ''
			WHERE e.queue = p_queue AND e.key = p_keys[i] AND e.generation <> p_generations[i];
		o_again[i] := FOUND;
		o_settled[i] := NOT FOUND;
		IF o_settled[i] THEN
			PERFORM inbox.finish(p_queue, p_keys[i]);
		END IF;
	END LOOP;
	FOREACH i IN ARRAY p_order LOOP
		IF p_ends[i] = 'commit' THEN
			DELETE FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = p_lanes[i]
				AND l.token = p_tokens[i] AND l.until > clock_timestamp() RETURNING l.store_id INTO v_store;
			v_held := FOUND;
		ELSE
			v_held := inbox.holds(p_queue, p_lanes[i], p_tokens[i]);
		END IF;
		IF NOT v_held THEN
			RAISE EXCEPTION 'a lease of the group is lost' USING ERRCODE = 'WHL01';
		END IF;
		CONTINUE WHEN p_ends[i] <> 'commit';
		SELECT e.due INTO v_due FROM inbox.entry e
			WHERE e.queue = p_queue AND e.lane = p_lanes[i] AND e.state = 'pending' ORDER BY e.due LIMIT 1;
		IF FOUND THEN
			INSERT INTO inbox.lane (queue, lane, due, store_id, turn) VALUES (p_queue, p_lanes[i], v_due, v_store,
				CASE WHEN NOT inbox.bears(p_queue, v_store, greatest(v_due, clock_timestamp()), p_lanes[i]) THEN greatest(v_due, clock_timestamp()) END);
			o_more := true;
		END IF;
	END LOOP;
	FOR i IN 1..cardinality(p_keys) LOOP
		CONTINUE WHEN p_ends[i] = 'commit';
		v_delay := p_delays[i] * interval '1 microsecond';
		CASE p_ends[i]
		WHEN 'wait' THEN
			v_held := inbox.wait_lease(p_queue, p_keys[i], p_lanes[i], p_tokens[i], v_delay, p_causes[i]);
			o_settled[i] := false;
		WHEN 'drop' THEN
			SELECT d.held, d.dropped INTO v_held, v_settled
				FROM inbox.drop_lease(p_queue, p_keys[i], p_lanes[i], p_tokens[i]) d;
			o_settled[i] := v_settled;
		ELSE
			SELECT f.held, f.died INTO v_held, v_settled
				FROM inbox.fail_lease(p_queue, p_keys[i], p_lanes[i], p_tokens[i], p_generations[i], v_delay, p_causes[i],
				p_ends[i] = 'dead', p_ends[i] = 'release') f;
			o_settled[i] := v_settled;
		END CASE;
		IF NOT v_held THEN -- it ended since it was looked at
			RAISE EXCEPTION 'a lease of the group is lost' USING ERRCODE = 'WHL01';
		END IF;
		o_more := true;
	END LOOP;
END $$;
