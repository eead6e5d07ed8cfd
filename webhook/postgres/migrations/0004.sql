-- Stores take turns. Of the lanes of a store that nobody holds, one bears the time of its turn; others may. It is not after
-- the time at which the first of them is due, or it is over. Lanes that are held keep what they bore.
CREATE INDEX IF NOT EXISTS lane_turn ON inbox.lane (queue, turn) WHERE turn IS NOT NULL;
UPDATE inbox.lane l SET turn = l.due WHERE l.turn IS NULL AND (l.until IS NOT NULL OR l.lane = (
	SELECT f.lane FROM inbox.lane f WHERE f.queue = l.queue AND f.store_id = l.store_id ORDER BY f.turn, f.due LIMIT 1));
DROP INDEX IF EXISTS inbox.lane_due;

-- bears reports whether a lane of a store that nobody holds, and that is not the given one, has a turn until then.
CREATE OR REPLACE FUNCTION inbox.bears(p_queue text, p_store bigint, p_until timestamptz, p_lane text) RETURNS boolean
	LANGUAGE plpgsql AS $$
BEGIN
	RETURN EXISTS (SELECT 1 FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id = p_store AND l.turn <= p_until
		AND (l.until IS NULL OR l.until <= clock_timestamp()) AND l.lane <> p_lane);
END $$;

-- The release before inserts lanes without a store and without a turn.
CREATE OR REPLACE FUNCTION inbox.add_store() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.store_id := inbox.store_of(NEW.queue, NEW.lane);
	IF NOT inbox.bears(NEW.queue, NEW.store_id, greatest(NEW.due, clock_timestamp()), NEW.lane) THEN
		NEW.turn := NEW.due;
	END IF;
	RETURN NEW;
END $$;

-- Where lanes without a turn are looked for, the order names it too: the planner does not see that it is the same for all.

-- mark gives turns to stores that lack one, and returns how many. Stores are returned in o_again if it cannot know, because
-- somebody has locked the lane that bears the turn and may be leasing it. Nothing is waited for. A lane that nobody has
-- locked since it was written (xmax) is not locked here either.
CREATE OR REPLACE FUNCTION inbox.mark(p_queue text, p_stores bigint[], OUT o_marked integer, OUT o_again bigint[])
	LANGUAGE plpgsql AS $$
DECLARE
	v_store bigint;
	v_lane  text;
	v_turn  timestamptz;
	v_free  boolean;
BEGIN
	o_marked := 0;
	o_again := '{}';
	FOREACH v_store IN ARRAY p_stores LOOP
		SELECT greatest(l.due, clock_timestamp()) INTO v_turn FROM inbox.lane l
			WHERE l.queue = p_queue AND l.store_id = v_store AND l.turn IS NULL
			AND (l.until IS NULL OR l.until <= clock_timestamp()) ORDER BY l.turn, l.due LIMIT 1;
		CONTINUE WHEN v_turn IS NULL;
		SELECT bool_or(b.xmax = 0) INTO v_free FROM (SELECT l.xmax FROM inbox.lane l
			WHERE l.queue = p_queue AND l.store_id = v_store AND l.turn <= v_turn
			AND (l.until IS NULL OR l.until <= clock_timestamp()) LIMIT 10) b;
		CONTINUE WHEN v_free;
		IF v_free IS NOT NULL THEN
			PERFORM 1 FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id = v_store AND l.turn <= v_turn
				AND (l.until IS NULL OR l.until <= clock_timestamp()) LIMIT 1 FOR SHARE SKIP LOCKED;
			IF NOT FOUND THEN
				o_again := o_again || v_store;
			END IF;
			CONTINUE;
		END IF;
		SELECT l.lane, greatest(l.due, clock_timestamp()) INTO v_lane, v_turn FROM inbox.lane l
			WHERE l.queue = p_queue AND l.store_id = v_store AND l.turn IS NULL
			AND (l.until IS NULL OR l.until <= clock_timestamp()) ORDER BY l.turn, l.due LIMIT 1 FOR UPDATE SKIP LOCKED;
		IF FOUND THEN
			UPDATE inbox.lane l SET turn = v_turn WHERE l.queue = p_queue AND l.lane = v_lane;
			o_marked := o_marked + 1;
		END IF;
	END LOOP;
END $$;

-- look_through gives turns to those of the next stores that lack one, and returns the last store; NULL: there are no more.
CREATE OR REPLACE FUNCTION inbox.look_through(p_queue text, p_after bigint, p_most integer) RETURNS bigint
	LANGUAGE plpgsql AS $$
DECLARE
	v_store bigint := p_after;
BEGIN
	FOR n IN 1..p_most LOOP
		v_store := (SELECT min(l.store_id) FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id > v_store);
		EXIT WHEN v_store IS NULL;
		PERFORM inbox.mark(p_queue, ARRAY[v_store]);
	END LOOP;
	RETURN v_store;
END $$;

-- lease leases lanes and the first due entry of each. It waits for nobody: what somebody has locked is left to the next
-- call. Each store whose turn it is has a lease before one has a second. What is left of a store is looked for after the
-- lane was locked that bears its turn: whoever adds a lane makes sure afterwards that its store has a turn.
CREATE OR REPLACE FUNCTION inbox.lease(p_queue text, p_limit integer, p_most integer, p_without bigint[], p_time interval)
	RETURNS TABLE (o_lane text, o_token bigint, o_until timestamptz, o_entry inbox.entry) LANGUAGE plpgsql AS $$
DECLARE
	v_now    timestamptz := statement_timestamp();
	v_stores bigint[] := '{}';
	v_bear   text[] := '{}';        -- the lane of each store that bears its turn; NULL: it is leased, or somebody has it locked
	v_due    timestamptz[] := '{}'; -- when that is due
	v_had    integer[] := '{}';
	v_left   boolean[] := '{}'; -- it has lanes that bear no turn
	v_mine   integer := 0;          -- of so many stores it is this call that has the turn
	v_active integer[] := '{}';
	v_going  integer[];
	v_lanes  text[];
	v_rest   text[];
	v_dues   timestamptz[];
	v_taken  integer := 0;
	v_each   integer;
	v_many   integer;
	v_got    integer;
	v_others boolean;
	v_lane   record;
	i        integer;
BEGIN
	SELECT f.lane, f.store_id, f.due, EXISTS (SELECT 1 FROM inbox.lane l WHERE l.queue = p_queue AND l.turn <= v_now
			AND (l.until IS NULL OR l.until <= v_now) AND l.store_id <> ALL (p_without) AND (l.store_id <> f.store_id OR l.lane <> f.lane)) AS others
		INTO v_lane FROM (SELECT l.lane, l.store_id, l.due FROM inbox.lane l WHERE l.queue = p_queue AND l.turn <= v_now
			AND (l.until IS NULL OR l.until <= v_now) AND l.store_id <> ALL (p_without) ORDER BY l.turn LIMIT 1) f;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	v_others := v_lane.others;
	IF NOT v_others THEN -- there is no other turn: it is not locked, so that others may lease its lanes too
		v_stores := ARRAY[v_lane.store_id];
		v_bear := ARRAY[v_lane.lane::text];
		v_due := ARRAY[v_lane.due];
		v_had := ARRAY[0];
		v_active := ARRAY[1];
		v_mine := 1;
	END IF;
	WHILE v_others AND v_mine < p_limit LOOP
		v_got := 0;
		v_many := p_limit - v_mine;
		FOR v_lane IN SELECT l.lane, l.store_id, l.due FROM inbox.lane l
			WHERE l.queue = p_queue AND l.turn <= v_now AND (l.until IS NULL OR l.until <= v_now)
			AND l.store_id <> ALL (p_without) AND l.store_id <> ALL (v_stores)
			ORDER BY l.turn LIMIT v_many FOR UPDATE SKIP LOCKED
		LOOP
			v_got := v_got + 1;
			IF v_lane.store_id = ANY (v_stores) THEN -- one is enough
				UPDATE inbox.lane l SET turn = NULL WHERE l.queue = p_queue AND l.lane = v_lane.lane;
				CONTINUE;
			END IF;
			v_mine := v_mine + 1;
			v_stores := v_stores || v_lane.store_id;
			v_bear := v_bear || v_lane.lane::text;
			v_due := v_due || v_lane.due;
			v_had := v_had || 0;
			v_active := v_active || v_mine;
		END LOOP;
		EXIT WHEN v_got < v_many;
	END LOOP;
	IF v_others AND v_mine < p_limit THEN -- stores of which somebody else has the turn may have more
		FOR v_lane IN SELECT DISTINCT f.store_id FROM (SELECT l.store_id FROM inbox.lane l
			WHERE l.queue = p_queue AND l.turn <= v_now AND (l.until IS NULL OR l.until <= v_now)
			AND l.store_id <> ALL (p_without) AND l.store_id <> ALL (v_stores) ORDER BY l.turn LIMIT p_limit) f
		LOOP
			v_stores := v_stores || v_lane.store_id;
			v_bear := v_bear || NULL::text;
			v_due := v_due || NULL::timestamptz;
			v_had := v_had || 0;
			v_active := v_active || cardinality(v_stores);
		END LOOP;
	END IF;

	WHILE v_taken < p_limit AND cardinality(v_active) > 0 LOOP
		v_each := greatest(1, (p_limit - v_taken) / cardinality(v_active));
		v_going := '{}';
		FOREACH i IN ARRAY v_active LOOP
			v_many := least(v_each, p_most - v_had[i], p_limit - v_taken);
			-- The lanes that bear no turn, the one due first first, and the one that does where it belongs.
			SELECT array_agg(r.lane), array_agg(r.due) INTO v_rest, v_dues FROM (SELECT l.lane, l.due FROM inbox.lane l
				WHERE l.queue = p_queue AND l.store_id = v_stores[i] AND l.turn IS NULL AND (l.until IS NULL OR l.until <= v_now)
				ORDER BY l.turn, l.due LIMIT v_many FOR UPDATE SKIP LOCKED) r;
			v_got := 0;
			WHILE v_dues[v_got + 1] <= v_now
				AND NOT (v_got = v_many - 1 AND v_bear[i] IS NOT NULL AND v_due[i] < v_dues[v_got + 1]) LOOP
				v_got := v_got + 1;
			END LOOP;
			v_lanes := coalesce(v_rest[1:v_got], '{}');
			IF cardinality(v_lanes) < v_many AND v_due[i] <= v_now AND v_bear[i] IS NOT NULL THEN
				PERFORM 1 FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = v_bear[i]
					AND (l.until IS NULL OR l.until <= v_now) FOR UPDATE SKIP LOCKED;
				IF FOUND THEN
					v_lanes := v_lanes || v_bear[i];
					v_bear[i] := NULL;
				END IF;
			END IF;
			v_got := cardinality(v_lanes);
			FOREACH o_lane IN ARRAY v_lanes LOOP
				SELECT f.* INTO o_entry FROM inbox.entry f
					WHERE f.queue = p_queue AND f.lane = o_lane AND f.state = 'pending' AND f.due <= v_now
					ORDER BY f.due LIMIT 1 FOR UPDATE SKIP LOCKED; -- none if nothing in it is due, or somebody has it locked
				UPDATE inbox.lane l SET token = nextval('inbox.token'), until = v_now + p_time, key = o_entry.key
					WHERE l.queue = p_queue AND l.lane = o_lane AND o_entry.key IS NOT NULL
					RETURNING l.token, l.until INTO o_token, o_until;
				RETURN NEXT;
			END LOOP;
			v_taken := v_taken + v_got;
			v_had[i] := v_had[i] + v_got;
			IF v_got = v_many AND v_had[i] < p_most THEN
				v_going := v_going || i;
			END IF;
			v_left[i] := v_rest IS NOT NULL;
		END LOOP;
		v_active := v_going;
	END LOOP;

	-- The next turn of each, unless nothing is left, which was seen when its turn was locked already, or it is alone.
	FOR i IN 1..v_mine LOOP
		IF (CASE WHEN v_bear[i] IS NULL THEN v_left[i] OR NOT v_others ELSE v_others OR v_due[i] > v_now END) THEN
			PERFORM inbox.pass(p_queue, v_stores[i], v_bear[i], v_due[i]);
		END IF;
	END LOOP;
END $$;

-- pass gives a store its next turn after its leases. The lane that bears its turn is given if it was not leased.
CREATE OR REPLACE FUNCTION inbox.pass(p_queue text, p_store bigint, p_bear text, p_due timestamptz)
	RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	v_now  timestamptz := statement_timestamp();
	v_due  timestamptz;
	v_bear text := p_bear;
	v_lane text;
BEGIN
	SELECT l.due INTO v_due FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id = p_store AND l.turn IS NULL
		AND (l.until IS NULL OR l.until <= v_now) ORDER BY l.turn, l.due LIMIT 1;
	IF v_bear IS NOT NULL THEN
		v_due := least(v_due, p_due);
	ELSIF v_due IS NULL THEN
		RETURN;
	ELSE -- the last one: it will bear the turn for long
		SELECT l.lane INTO v_bear FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id = p_store AND l.turn IS NULL
			AND (l.until IS NULL OR l.until <= v_now) ORDER BY l.turn DESC, l.due DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
	END IF;
	UPDATE inbox.lane l SET turn = greatest(v_due, v_now) WHERE l.queue = p_queue AND l.lane = v_bear;
	FOR v_lane IN SELECT l.lane FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id = p_store AND l.turn IS NOT NULL
		AND (l.until IS NULL OR l.until <= v_now) AND l.lane <> v_bear FOR UPDATE SKIP LOCKED
	LOOP
		UPDATE inbox.lane l SET turn = NULL WHERE l.queue = p_queue AND l.lane = v_lane;
	END LOOP;
END $$;

-- free_lane ends the lease of a lane that the caller has locked, and says whether the lane has more to do.
CREATE OR REPLACE FUNCTION inbox.free_lane(p_queue text, p_lane text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	v_due timestamptz;
BEGIN
	SELECT e.due INTO v_due FROM inbox.entry e
		WHERE e.queue = p_queue AND e.lane = p_lane AND e.state = 'pending' ORDER BY e.due LIMIT 1;
	IF v_due IS NULL THEN
		DELETE FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = p_lane;
		RETURN false;
	END IF;
	UPDATE inbox.lane l SET due = v_due, token = NULL, until = NULL, key = NULL,
		turn = CASE WHEN inbox.bears(p_queue, l.store_id, greatest(v_due, clock_timestamp()), p_lane) THEN NULL
			ELSE greatest(v_due, clock_timestamp()) END
		WHERE l.queue = p_queue AND l.lane = p_lane;
	RETURN true;
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
		ON CONFLICT (queue, lane) DO UPDATE SET due = least(l.due, excluded.due), turn = least(l.turn, excluded.due);
	RETURN cardinality(v_lanes);
END $$;

-- finish settles an entry that the caller has locked: a signal is deleted, a fact is remembered without its body.
CREATE OR REPLACE FUNCTION inbox.finish(p_queue text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key AND (e.kind <> 'fact' OR e.window_ns = 0);
	IF NOT FOUND THEN
		UPDATE inbox.entry e SET state = 'done', body = '', failed_at = NULL, cause = '',
			forget_at = CASE WHEN e.window_ns < 0 THEN 'infinity'
				ELSE clock_timestamp() + e.window_ns / 1000 * interval '1 microsecond' END
			WHERE e.queue = p_queue AND e.key = p_key;
	END IF;
END $$;
