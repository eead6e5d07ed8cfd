-- compatible from 1

-- One row for each entry. An entry is pending (to be handled), done (a fact that is remembered) or dead.
CREATE TABLE IF NOT EXISTS inbox.entry (
	queue         text COLLATE "C" NOT NULL, -- Options.Queue: the app
	key           text COLLATE "C" NOT NULL,
	lane          text COLLATE "C" NOT NULL, -- what is not worked on twice at a time
	kind          text        NOT NULL, -- signal or fact
	event         text        NOT NULL,
	store_id      bigint      NOT NULL,
	body          bytea       NOT NULL, -- what was signed; emptied when the entry is done
	window_ns     bigint      NOT NULL, -- how long a fact is remembered, in nanoseconds; -1: for ever
	settle_ns     bigint      NOT NULL, -- how long after an arrival the entry is due, in nanoseconds
	clears        text[]      NOT NULL, -- events of the lane that have nothing left to tell afterwards
	protected     boolean     NOT NULL, -- a request of data protection
	unhandled     text        NOT NULL, -- why no handler can have it
	state         text        NOT NULL, -- pending, done or dead
	generation    bigint      NOT NULL, -- counts the arrivals that must be followed by a run
	due           timestamptz NOT NULL, -- when it may be handled
	attempts      integer     NOT NULL, -- since it became pending or was committed
	unfinished    integer     NOT NULL DEFAULT 0, -- leases that were received since the last that ended with a result
	arrivals      integer     NOT NULL, -- since it became pending or was committed
	first_seen    timestamptz NOT NULL, -- of these arrivals
	last_seen     timestamptz NOT NULL,
	pending_since timestamptz NOT NULL, -- when it became pending or was committed last
	run_arrivals  integer     NOT NULL DEFAULT 0,  -- the arrivals that the last lease was for
	again_seen    timestamptz,                     -- the first arrival since the last lease
	failed_at     timestamptz,                     -- when it failed last
	cause         text        NOT NULL DEFAULT '', -- why it failed last
	died_at       timestamptz,
	forget_at     timestamptz,                     -- when a done fact counts as absent
	outcome       text        NOT NULL,            -- what the last arrival met
	trace         text,                            -- under which the body was received: a traceparent of W3C Trace Context
	failures      jsonb,                           -- the last attempts that failed
	PRIMARY KEY (queue, key)
) WITH (
	fillfactor = 80, -- room for the updates of leases on the same page
	autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
	autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
);
CREATE INDEX IF NOT EXISTS entry_pending ON inbox.entry (queue, lane, due) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS entry_dead ON inbox.entry (queue, key) WHERE state = 'dead';
-- The order in which dead entries are deleted if there are too many.
CREATE INDEX IF NOT EXISTS entry_dead_age ON inbox.entry (queue, (unhandled = ''), died_at) WHERE state = 'dead' AND NOT protected;
CREATE INDEX IF NOT EXISTS entry_done ON inbox.entry (forget_at) WHERE state = 'done';
CREATE INDEX IF NOT EXISTS entry_dead_store ON inbox.entry (queue, store_id, key) WHERE state = 'dead';

-- One row for each lane with pending entries. The lease is held here.
--
-- Stores take turns. Of the lanes of a store that nobody holds, one bears the time of its turn; others may. It is not after
-- the time at which the first of them is due, or it is over. Lanes that are held keep what they bore.
CREATE TABLE IF NOT EXISTS inbox.lane (
	queue    text COLLATE "C" NOT NULL,
	lane     text COLLATE "C" NOT NULL,
	due      timestamptz NOT NULL, -- of its pending entry that is due first
	token    bigint,               -- of the lease; NULL: nobody works on the lane
	until    timestamptz,          -- when the lease ends
	key      text COLLATE "C",     -- the entry that is leased
	store_id bigint NOT NULL,      -- of the entries
	turn     timestamptz,          -- when the store of the lane has its turn; NULL: another lane of the store says so
	PRIMARY KEY (queue, lane)
) WITH (
	fillfactor = 70,
	autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
	autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
);
CREATE INDEX IF NOT EXISTS lane_turn ON inbox.lane (queue, turn) WHERE turn IS NOT NULL;
CREATE INDEX IF NOT EXISTS lane_store ON inbox.lane (queue, store_id, turn, due);

-- Tokens of leases. They must never be set back: whoever fences with them relies on that.
CREATE SEQUENCE IF NOT EXISTS inbox.token CACHE 1 NO CYCLE;

-- The server and the tables that a queue was opened on last. They differ after a restore, a copy and a failover.
CREATE TABLE IF NOT EXISTS inbox.origin (
	queue text COLLATE "C" PRIMARY KEY,
	place text NOT NULL
);

-- raise_token makes each later token greater than p_above. A role that may not change the sequence may call it.
CREATE OR REPLACE FUNCTION inbox.raise_token(p_above bigint) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('inbox.token', 0));
	PERFORM setval('inbox.token', greatest(nextval('inbox.token'), p_above));
END $$;

-- arrive notes where the tables are, and returns where they were if that has changed. If so, and at each start, it raises
-- the sequence to the time in microseconds. Tokens that were given after the moment of a backup, or without this sequence,
-- are then below: there are never a million of them a second. A role that may not change the sequence may call it.
CREATE OR REPLACE FUNCTION inbox.arrive(p_queue text, p_start boolean) RETURNS text
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	v_line text := '';
	v_was  text;
	v_is   text;
BEGIN
	BEGIN
		v_line := (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
	EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN
		NULL; -- some services do not have these functions
	END;
	v_is := v_line || '/' || 'inbox.entry'::regclass::oid || '/' || 'inbox.token'::regclass::oid;
	SELECT place INTO v_was FROM inbox.origin WHERE queue = p_queue;
	IF v_was = v_is AND NOT p_start THEN
		RETURN NULL;
	END IF;
	PERFORM pg_advisory_xact_lock(hashtextextended('inbox.token', 0));
	PERFORM setval('inbox.token', greatest(nextval('inbox.token') + 1000000, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint));
	IF v_was IS DISTINCT FROM v_is THEN
		INSERT INTO inbox.origin (queue, place) VALUES (p_queue, v_is) ON CONFLICT (queue) DO UPDATE SET place = excluded.place;
		RETURN v_was;
	END IF;
	RETURN NULL;
END $$;

-- How far a sweep has read.
CREATE TABLE IF NOT EXISTS inbox.mark (
	queue text COLLATE "C" NOT NULL,
	name  text COLLATE "C" NOT NULL,
	at    timestamptz NOT NULL,
	nanos smallint    NOT NULL, -- below the microsecond
	PRIMARY KEY (queue, name)
);

-- Functions find rows by their whole key, one at a time, wherever a statement that joins them could be planned while the
-- tables are empty. Such a plan reads all of the queue, and a connection keeps it until the tables are analyzed. Where lanes
-- without a turn are looked for, the order names it too: the planner does not see that it is the same for all.

-- While a transaction holds a snapshot, versions of deleted lanes remain, and a scan of an index reads them. The oldest
-- are in front. So callers give the times from which lanes exist: p_turn for those with a turn, p_due for those without.
-- Turns of one store are compared together with the store: with the turn alone, the server could read those of all stores.

-- bears reports whether a lane of a store that nobody holds, and that is not the given one, has a turn until then.
CREATE OR REPLACE FUNCTION inbox.bears(p_queue text, p_store bigint, p_until timestamptz, p_lane text) RETURNS boolean
	LANGUAGE plpgsql AS $$
BEGIN
	RETURN EXISTS (SELECT 1 FROM inbox.lane l WHERE l.queue = p_queue
		AND (l.store_id, l.turn) >= (p_store, timestamptz '-infinity') AND (l.store_id, l.turn) <= (p_store, p_until)
		AND (l.until IS NULL OR l.until <= clock_timestamp()) AND l.lane <> p_lane);
END $$;

-- mark gives turns to stores that lack one, and returns how many. Stores are returned in o_again if it cannot know, because
-- somebody has locked the lane that bears the turn and may be leasing it. Nothing is waited for. A lane that nobody has
-- locked since it was written (xmax) is not locked here either.
CREATE OR REPLACE FUNCTION inbox.mark(p_queue text, p_stores bigint[], p_turn timestamptz, p_due timestamptz,
	OUT o_marked integer, OUT o_again bigint[])
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
			WHERE l.queue = p_queue AND l.store_id = v_store AND l.turn IS NULL AND l.due >= p_due
			AND (l.until IS NULL OR l.until <= clock_timestamp()) ORDER BY l.turn, l.due LIMIT 1;
		CONTINUE WHEN v_turn IS NULL;
		SELECT bool_or(b.xmax = 0) INTO v_free FROM (SELECT l.xmax FROM inbox.lane l
			WHERE l.queue = p_queue AND (l.store_id, l.turn) >= (v_store, p_turn) AND (l.store_id, l.turn) <= (v_store, v_turn)
			AND (l.until IS NULL OR l.until <= clock_timestamp()) LIMIT 10) b;
		CONTINUE WHEN v_free;
		IF v_free IS NOT NULL THEN
			PERFORM 1 FROM inbox.lane l WHERE l.queue = p_queue
				AND (l.store_id, l.turn) >= (v_store, p_turn) AND (l.store_id, l.turn) <= (v_store, v_turn)
				AND (l.until IS NULL OR l.until <= clock_timestamp()) LIMIT 1 FOR SHARE SKIP LOCKED;
			IF NOT FOUND THEN
				o_again := o_again || v_store;
			END IF;
			CONTINUE;
		END IF;
		SELECT l.lane, greatest(l.due, clock_timestamp()) INTO v_lane, v_turn FROM inbox.lane l
			WHERE l.queue = p_queue AND l.store_id = v_store AND l.turn IS NULL AND l.due >= p_due
			AND (l.until IS NULL OR l.until <= clock_timestamp()) ORDER BY l.turn, l.due LIMIT 1 FOR UPDATE SKIP LOCKED;
		IF FOUND THEN
			UPDATE inbox.lane l SET turn = v_turn WHERE l.queue = p_queue AND l.lane = v_lane;
			o_marked := o_marked + 1;
		END IF;
	END LOOP;
END $$;

-- look_through gives turns to those of the next stores that lack one, and returns the last store; NULL: there are no more.
CREATE OR REPLACE FUNCTION inbox.look_through(p_queue text, p_after bigint, p_most integer, p_turn timestamptz,
	p_due timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	v_store bigint := p_after;
BEGIN
	FOR n IN 1..p_most LOOP
		v_store := (SELECT min(l.store_id) FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id > v_store);
		EXIT WHEN v_store IS NULL;
		PERFORM inbox.mark(p_queue, ARRAY[v_store], p_turn, p_due);
	END LOOP;
	RETURN v_store;
END $$;

-- lease leases lanes and the first due entry of each. It waits for nobody: what somebody has locked is left to the next
-- call. Each store whose turn it is has a lease before one has a second. What is left of a store is looked for after the
-- lane was locked that bears its turn: whoever adds a lane makes sure afterwards that its store has a turn.
CREATE OR REPLACE FUNCTION inbox.lease(p_queue text, p_limit integer, p_most integer, p_without bigint[], p_time interval,
	p_turn timestamptz, p_due timestamptz)
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
	SELECT f.lane, f.store_id, f.due, f.turn, EXISTS (SELECT 1 FROM inbox.lane l WHERE l.queue = p_queue AND l.turn >= f.turn AND l.turn <= v_now
			AND (l.until IS NULL OR l.until <= v_now) AND l.store_id <> ALL (p_without) AND (l.store_id <> f.store_id OR l.lane <> f.lane)) AS others
		INTO v_lane FROM (SELECT l.lane, l.store_id, l.due, l.turn FROM inbox.lane l WHERE l.queue = p_queue AND l.turn >= p_turn AND l.turn <= v_now
			AND (l.until IS NULL OR l.until <= v_now) AND l.store_id <> ALL (p_without) ORDER BY l.turn LIMIT 1) f;
	IF NOT FOUND THEN
		RETURN;
	END IF;
	p_turn := v_lane.turn; -- there is none before
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
			WHERE l.queue = p_queue AND l.turn >= p_turn AND l.turn <= v_now AND (l.until IS NULL OR l.until <= v_now)
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
			WHERE l.queue = p_queue AND l.turn >= p_turn AND l.turn <= v_now AND (l.until IS NULL OR l.until <= v_now)
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
				WHERE l.queue = p_queue AND l.store_id = v_stores[i] AND l.turn IS NULL AND l.due >= p_due AND (l.until IS NULL OR l.until <= v_now)
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
			PERFORM inbox.pass(p_queue, v_stores[i], v_bear[i], v_due[i], p_turn, p_due);
		END IF;
	END LOOP;
END $$;

-- pass gives a store its next turn after its leases. The lane that bears its turn is given if it was not leased.
CREATE OR REPLACE FUNCTION inbox.pass(p_queue text, p_store bigint, p_bear text, p_bear_due timestamptz, p_turn timestamptz,
	p_due timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	v_now  timestamptz := statement_timestamp();
	v_due  timestamptz;
	v_bear text := p_bear;
	v_lane text;
BEGIN
	SELECT l.due INTO v_due FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id = p_store AND l.turn IS NULL AND l.due >= p_due
		AND (l.until IS NULL OR l.until <= v_now) ORDER BY l.turn, l.due LIMIT 1;
	IF v_bear IS NOT NULL THEN
		v_due := least(v_due, p_bear_due);
	ELSIF v_due IS NULL THEN
		RETURN;
	ELSE -- the last one: it will bear the turn for long
		SELECT l.lane INTO v_bear FROM inbox.lane l WHERE l.queue = p_queue AND l.store_id = p_store AND l.turn IS NULL AND l.due >= p_due
			AND (l.until IS NULL OR l.until <= v_now) ORDER BY l.turn DESC, l.due DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
	END IF;
	UPDATE inbox.lane l SET turn = greatest(v_due, v_now) WHERE l.queue = p_queue AND l.lane = v_bear;
	FOR v_lane IN SELECT l.lane FROM inbox.lane l WHERE l.queue = p_queue
		AND (l.store_id, l.turn) >= (p_store, p_turn) AND (l.store_id, l.turn) <= (p_store, timestamptz 'infinity')
		AND (l.until IS NULL OR l.until <= v_now) AND l.lane <> v_bear FOR UPDATE SKIP LOCKED
	LOOP
		UPDATE inbox.lane l SET turn = NULL WHERE l.queue = p_queue AND l.lane = v_lane;
	END LOOP;
END $$;

-- receive counts leases, and notes the arrivals that they are for. An entry that arrived since it was leased
-- was seen again. Keys are in order.
CREATE OR REPLACE FUNCTION inbox.receive(p_queue text, p_keys text[], p_lanes text[], p_tokens bigint[], p_arrivals integer[])
	RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
	FOR i IN 1..cardinality(p_keys) LOOP
		UPDATE inbox.entry e SET attempts = e.attempts + (e.unfinished = 0)::integer, unfinished = e.unfinished + 1,
			run_arrivals = p_arrivals[i],
			again_seen = CASE WHEN e.arrivals > p_arrivals[i] THEN e.last_seen END
			WHERE e.queue = p_queue AND e.key = p_keys[i]
			AND EXISTS (SELECT FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = p_lanes[i] AND l.token = p_tokens[i]);
	END LOOP;
END $$;

-- holds locks a lane and says whether the lease on it is still that of the token.
CREATE OR REPLACE FUNCTION inbox.holds(p_queue text, p_lane text, p_token bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	v_token bigint;
	v_until timestamptz;
BEGIN
	SELECT l.token, l.until INTO v_token, v_until FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = p_lane FOR UPDATE;
	RETURN coalesce(v_token = p_token AND v_until > clock_timestamp(), false);
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

-- heal_lane corrects when a lane is due in which nothing is, unless somebody is at it.
CREATE OR REPLACE FUNCTION inbox.heal_lane(p_queue text, p_lane text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = p_lane
		AND (l.until IS NULL OR l.until <= clock_timestamp()) FOR UPDATE SKIP LOCKED;
	IF FOUND THEN
		PERFORM inbox.free_lane(p_queue, p_lane);
	END IF;
END $$;

-- finish settles an entry that the caller has locked: a signal is deleted, a fact is remembered without its body and trace.
CREATE OR REPLACE FUNCTION inbox.finish(p_queue text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key AND (e.kind <> 'fact' OR e.window_ns = 0);
	IF NOT FOUND THEN
		UPDATE inbox.entry e SET state = 'done', unfinished = 0, body = '', trace = NULL, failed_at = NULL, cause = '',
			forget_at = CASE WHEN e.window_ns < 0 THEN 'infinity'
				ELSE clock_timestamp() + e.window_ns / 1000 * interval '1 microsecond' END
			WHERE e.queue = p_queue AND e.key = p_key;
	END IF;
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
	UPDATE inbox.entry e SET due = v_now, attempts = 0, unfinished = 0, arrivals = greatest(e.arrivals - e.run_arrivals, 1),
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

-- failed_also adds a failure to those of an entry, of which there are at most five.
CREATE OR REPLACE FUNCTION inbox.failed_also(p_failures jsonb, p_now timestamptz, p_attempt integer, p_cause text) RETURNS jsonb
	LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN jsonb_array_length(p_failures) >= 5 THEN p_failures - 0 ELSE coalesce(p_failures, '[]') END
		|| jsonb_build_object('at', p_now, 'attempt', p_attempt, 'cause', left(p_cause, 500))
$$;

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
		UPDATE inbox.entry e SET due = v_now + p_delay, attempts = e.attempts - (e.unfinished = 1)::integer,
			unfinished = greatest(e.unfinished - 1, 0) WHERE e.queue = p_queue AND e.key = p_key;
	ELSIF p_dead THEN
		UPDATE inbox.entry e SET state = 'dead', unfinished = 0, died_at = v_now, failed_at = v_now, cause = p_cause,
			failures = inbox.failed_also(e.failures, v_now, e.attempts, p_cause)
			WHERE e.queue = p_queue AND e.key = p_key AND e.generation = p_generation;
		died := FOUND;
		IF NOT died THEN -- what arrived since had no attempt
			UPDATE inbox.entry e SET attempts = 0, unfinished = 0, pending_since = v_now, failed_at = v_now, cause = '',
				failures = inbox.failed_also(e.failures, v_now, e.attempts, p_cause),
				due = v_now + greatest(e.settle_ns / 1000 * interval '1 microsecond', interval '1 second')
				WHERE e.queue = p_queue AND e.key = p_key;
		END IF;
	ELSE
		UPDATE inbox.entry e SET due = v_now + p_delay, unfinished = 0, failed_at = v_now, cause = p_cause,
			failures = inbox.failed_also(e.failures, v_now, e.attempts, p_cause)
			WHERE e.queue = p_queue AND e.key = p_key;
	END IF;
	PERFORM inbox.free_lane(p_queue, p_lane);
END $$;

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
	UPDATE inbox.entry e SET due = v_due, failed_at = v_due - interval '1 second', unfinished = 0, cause = p_cause,
		attempts = e.attempts - (e.unfinished > 0)::integer
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
	UPDATE inbox.entry e SET due = v_now, attempts = 0, unfinished = 0, arrivals = greatest(e.arrivals - e.run_arrivals, 1),
		first_seen = coalesce(e.again_seen, e.last_seen), pending_since = v_now, failed_at = NULL, cause = ''
		WHERE e.queue = p_queue AND e.key = p_key AND e.arrivals <> e.run_arrivals;
	IF NOT FOUND THEN
		DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key;
		dropped := true;
	END IF;
	PERFORM inbox.free_lane(p_queue, p_lane);
END $$;

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
		UPDATE inbox.entry e SET due = clock_timestamp(), attempts = 0, unfinished = 0, arrivals = greatest(e.arrivals - e.run_arrivals, 1),
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

-- replay makes dead entries pending.
CREATE OR REPLACE FUNCTION inbox.replay(p_queue text, p_keys text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	v_keys   text[] := ARRAY(SELECT DISTINCT k COLLATE "C" FROM unnest(p_keys) k ORDER BY 1);
	v_lanes  text[] := '{}';
	v_stores bigint[] := '{}';
	v_now    timestamptz;
	v_key    text;
	v_lane   text;
	v_store  bigint;
	v        record;
BEGIN
	FOREACH v_key IN ARRAY v_keys LOOP
		PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = v_key AND e.state = 'dead' FOR UPDATE;
	END LOOP;
	v_now := clock_timestamp();
	FOREACH v_key IN ARRAY v_keys LOOP
		UPDATE inbox.entry e SET state = 'pending', due = v_now, pending_since = v_now, attempts = 0, unfinished = 0, cause = '', unhandled = '', died_at = NULL
			WHERE e.queue = p_queue AND e.key = v_key AND e.state = 'dead' RETURNING e.lane, e.store_id INTO v_lane, v_store;
		IF FOUND THEN
			v_lanes := v_lanes || v_lane;
			v_stores := v_stores || v_store;
		END IF;
	END LOOP;
	FOR v IN SELECT r.lane, min(r.store) AS store FROM unnest(v_lanes, v_stores) AS r (lane, store)
		GROUP BY r.lane ORDER BY r.lane COLLATE "C"
	LOOP
		INSERT INTO inbox.lane AS l (queue, lane, due, store_id, turn) VALUES (p_queue, v.lane, v_now, v.store,
			CASE WHEN NOT inbox.bears(p_queue, v.store, clock_timestamp(), v.lane) THEN v_now END)
			ON CONFLICT (queue, lane) DO UPDATE SET due = least(l.due, excluded.due), turn = least(l.turn, excluded.due);
	END LOOP;
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

-- remembered counts the facts that are remembered, at most as many as given. Of more it returns the estimate of the planner.
CREATE OR REPLACE FUNCTION inbox.remembered(p_queue text, p_most integer) RETURNS bigint
	LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
	v_rows bigint;
	v_plan json;
BEGIN
	SELECT count(*) INTO v_rows FROM (SELECT 1 FROM inbox.entry e
		WHERE e.queue = p_queue AND e.state = 'done' AND e.forget_at > statement_timestamp() LIMIT p_most + 1) r;
	IF v_rows <= p_most THEN
		RETURN v_rows;
	END IF;
	-- Only done entries have a forget_at. With the state too, the planner would multiply both probabilities.
	EXECUTE format('EXPLAIN (FORMAT JSON) SELECT 1 FROM inbox.entry e WHERE e.queue = %L AND e.forget_at > statement_timestamp()',
		p_queue) INTO v_plan;
	RETURN greatest(v_rows, (v_plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric::bigint);
END $$;
