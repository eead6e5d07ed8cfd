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
	attempts      integer     NOT NULL, -- leases that were received since it became pending or was committed
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
	PRIMARY KEY (queue, key)
) WITH (
	fillfactor = 80, -- room for the updates of leases on the same page
	autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
	autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
);
CREATE INDEX IF NOT EXISTS entry_pending ON inbox.entry (queue, lane, due) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS entry_dead ON inbox.entry (queue, key) WHERE state = 'dead';
CREATE INDEX IF NOT EXISTS entry_done ON inbox.entry (forget_at) WHERE state = 'done';

-- One row for each lane with pending entries. The lease is held here.
CREATE TABLE IF NOT EXISTS inbox.lane (
	queue text COLLATE "C" NOT NULL,
	lane  text COLLATE "C" NOT NULL,
	due   timestamptz NOT NULL, -- of its pending entry that is due first
	token bigint,               -- of the lease; NULL: nobody works on the lane
	until timestamptz,          -- when the lease ends
	key   text COLLATE "C",     -- the entry that is leased
	PRIMARY KEY (queue, lane)
) WITH (
	fillfactor = 70,
	autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
	autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
);
CREATE INDEX IF NOT EXISTS lane_due ON inbox.lane (queue, due);

-- Tokens of leases. They must never be set back: whoever fences with them relies on that.
CREATE SEQUENCE IF NOT EXISTS inbox.token CACHE 1 NO CYCLE;

-- How far a sweep has read.
CREATE TABLE IF NOT EXISTS inbox.mark (
	queue text COLLATE "C" NOT NULL,
	name  text COLLATE "C" NOT NULL,
	at    timestamptz NOT NULL,
	nanos smallint    NOT NULL, -- below the microsecond
	PRIMARY KEY (queue, name)
);

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
	UPDATE inbox.lane l SET due = v_due, token = NULL, until = NULL, key = NULL WHERE l.queue = p_queue AND l.lane = p_lane;
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

-- holds locks a lane and says whether the lease on it is still that of the token.
CREATE OR REPLACE FUNCTION inbox.holds(p_queue text, p_lane text, p_token bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	v_token bigint;
	v_until timestamptz;
BEGIN
	SELECT l.token, l.until INTO v_token, v_until FROM inbox.lane l WHERE l.queue = p_queue AND l.lane = p_lane FOR UPDATE;
	RETURN coalesce(v_token = p_token AND v_until > clock_timestamp(), false);
END $$;

-- finish settles an entry that the caller has locked: a signal is deleted, a fact is remembered without its body.
CREATE OR REPLACE FUNCTION inbox.finish(p_queue text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	UPDATE inbox.entry e SET state = 'done', body = '', failed_at = NULL, cause = '',
		forget_at = CASE WHEN e.window_ns < 0 THEN 'infinity' ELSE clock_timestamp() + e.window_ns / 1000 * interval '1 microsecond' END
		WHERE e.queue = p_queue AND e.key = p_key AND e.kind = 'fact' AND e.window_ns <> 0;
	IF NOT FOUND THEN
		DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = p_key;
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
		-- Two index scans, so that a lane of any size and a table of any size are cheap.
		FOR v_key IN SELECT e.key FROM inbox.entry e WHERE e.queue = p_queue AND e.key IN (
				SELECT p_key UNION
				SELECT o.key FROM inbox.entry o WHERE o.queue = p_queue AND o.lane = p_lane AND o.state = 'pending'
				AND o.store_id = p_store AND o.event = ANY (p_clears))
			ORDER BY e.key FOR UPDATE
		LOOP
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

-- fail_lease ends a lease whose entry was not handled.
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
		UPDATE inbox.entry e SET due = v_now, attempts = e.attempts - 1 WHERE e.queue = p_queue AND e.key = p_key;
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

-- replay makes dead entries pending.
CREATE OR REPLACE FUNCTION inbox.replay(p_queue text, p_keys text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	v_now  timestamptz;
	v_rows integer;
BEGIN
	PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = ANY (p_keys) AND e.state = 'dead' ORDER BY e.key FOR UPDATE;
	v_now := clock_timestamp();
	WITH replayed AS (
		UPDATE inbox.entry e SET state = 'pending', due = v_now, pending_since = v_now, attempts = 0, cause = '', unhandled = '', died_at = NULL
		WHERE e.queue = p_queue AND e.key = ANY (p_keys) AND e.state = 'dead'
		RETURNING e.lane
	), touched AS (
		INSERT INTO inbox.lane AS l (queue, lane, due)
		SELECT p_queue, r.lane, v_now FROM replayed r GROUP BY r.lane ORDER BY r.lane
		ON CONFLICT (queue, lane) DO UPDATE SET due = least(l.due, excluded.due)
	)
	SELECT count(*) INTO v_rows FROM replayed;
	RETURN v_rows;
END $$;

-- purge deletes dead entries.
CREATE OR REPLACE FUNCTION inbox.purge(p_queue text, p_keys text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	v_rows integer;
BEGIN
	PERFORM 1 FROM inbox.entry e WHERE e.queue = p_queue AND e.key = ANY (p_keys) AND e.state = 'dead' ORDER BY e.key FOR UPDATE;
	DELETE FROM inbox.entry e WHERE e.queue = p_queue AND e.key = ANY (p_keys) AND e.state = 'dead';
	GET DIAGNOSTICS v_rows = ROW_COUNT;
	RETURN v_rows;
END $$;
