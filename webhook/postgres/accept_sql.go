package postgres

// acceptSQL stores arrivals with different keys. It locks entries in the order in which they are given, which is that
// of their keys, and then lanes in the order of their names. All other writers use this order too, or do not wait.
//
// A lane has the turn of its store unless another lane has it at an earlier time. That lane may be leased at the same
// time, so the stores are checked again afterwards: see notify.
//
// It returns only entries that were not stored. $17 is NULL if no arrival has a trace. The scan of turns
// begins at $18; NULL: at the beginning.
const acceptSQL = `
WITH met AS (
	INSERT INTO inbox.entry AS e (queue, key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled,
		state, generation, due, attempts, arrivals, first_seen, last_seen, pending_since, cause, died_at, outcome, trace)
	SELECT $1, a.key, a.lane, a.kind, a.event, a.store_id, a.body,
		a.window_ns, a.settle_ns, string_to_array(a.clears, E'\n'), a.protected, a.unhandled,
		CASE WHEN a.unhandled = '' THEN 'pending' ELSE 'dead' END,
		CASE WHEN a.kind = 'signal' THEN a.arrivals ELSE 1 END,
		statement_timestamp() + a.due * interval '1 microsecond',
		0, a.arrivals, statement_timestamp(), statement_timestamp(), statement_timestamp(), a.unhandled,
		CASE WHEN a.unhandled <> '' THEN statement_timestamp() END,
		CASE WHEN a.unhandled = '' THEN 'stored' ELSE 'shelved' END,
		nullif(a.trace, '')
	FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bytea[], $8::bigint[], $9::bigint[],
		$10::text[], $11::boolean[], $12::text[], $13::integer[], $14::bigint[], $17::text[])
		AS a (key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled, arrivals, due, trace)
	ON CONFLICT (queue, key) DO UPDATE SET
	(lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled,
		state, generation, due, attempts, unfinished, arrivals, first_seen, last_seen, pending_since,
		run_arrivals, again_seen, failed_at, cause, died_at, forget_at, outcome, trace) = (
	SELECT
		CASE WHEN m.absent OR m.revived THEN excluded.lane ELSE e.lane END,
		CASE WHEN m.renewed THEN excluded.kind ELSE e.kind END,
		CASE WHEN m.renewed THEN excluded.event ELSE e.event END,
		CASE WHEN m.renewed THEN excluded.store_id ELSE e.store_id END,
		CASE WHEN m.renewed THEN excluded.body ELSE e.body END,
		CASE WHEN m.renewed THEN excluded.window_ns ELSE e.window_ns END,
		CASE WHEN m.renewed THEN excluded.settle_ns ELSE e.settle_ns END,
		CASE WHEN m.renewed THEN excluded.clears ELSE e.clears END,
		CASE WHEN m.renewed THEN excluded.protected OR e.protected AND NOT m.absent ELSE e.protected END,
		CASE WHEN m.absent THEN excluded.unhandled WHEN m.renewed THEN '' ELSE e.unhandled END,
		CASE WHEN m.absent THEN excluded.state WHEN m.revived THEN 'pending' ELSE e.state END,
		CASE WHEN m.absent THEN excluded.generation WHEN m.renewed THEN e.generation + excluded.generation ELSE e.generation END,
		CASE WHEN m.absent THEN excluded.due
			WHEN m.revived THEN greatest(excluded.due, e.failed_at + $15 * interval '1 microsecond')
			WHEN m.renewed THEN least(e.due, greatest(excluded.due, e.failed_at + $15 * interval '1 microsecond'))
			ELSE e.due END,
		CASE WHEN m.absent OR m.revived THEN 0 ELSE e.attempts END,
		CASE WHEN m.absent OR m.revived THEN 0 ELSE e.unfinished END,
		CASE WHEN m.absent THEN excluded.arrivals ELSE e.arrivals + excluded.arrivals END,
		CASE WHEN m.absent THEN excluded.first_seen ELSE e.first_seen END,
		excluded.last_seen,
		CASE WHEN m.absent OR m.revived THEN excluded.pending_since ELSE e.pending_since END,
		CASE WHEN m.absent THEN 0 ELSE e.run_arrivals END,
		CASE WHEN m.absent THEN NULL ELSE coalesce(e.again_seen, excluded.last_seen) END,
		CASE WHEN m.absent THEN NULL ELSE e.failed_at END,
		CASE WHEN m.absent THEN excluded.cause WHEN m.revived THEN '' ELSE e.cause END,
		CASE WHEN m.absent THEN excluded.died_at WHEN m.revived THEN NULL ELSE e.died_at END,
		CASE WHEN m.absent THEN NULL ELSE e.forget_at END,
		CASE WHEN m.absent THEN excluded.outcome WHEN m.pending THEN 'joined' WHEN m.shelved THEN 'shelved'
			WHEN m.revived THEN 'revived' ELSE 'known' END,
		CASE WHEN m.renewed THEN excluded.trace ELSE e.trace END
	FROM (SELECT s.pending, s.absent, s.shelved, s.revived,
			s.absent OR s.revived OR s.pending AND s.handled AND (excluded.kind = 'signal' OR excluded.kind <> e.kind) AS renewed
		FROM (SELECT excluded.unhandled = '' AS handled, e.state = 'pending' AS pending,
			e.state = 'done' AND (excluded.unhandled = '' AND excluded.kind <> 'fact' OR e.forget_at <= statement_timestamp()) AS absent,
			e.state = 'dead' AND excluded.unhandled <> '' AS shelved,
			e.state = 'dead' AND excluded.unhandled = '' AND excluded.kind = 'signal' AS revived) s) m)
	RETURNING e.key, e.lane, e.store_id, e.state, e.due, e.outcome
), touching AS (
	SELECT m.lane, min(m.due) AS due, min(m.store_id) AS store_id,
		row_number() OVER (PARTITION BY min(m.store_id) ORDER BY min(m.due)) AS nth
	FROM met m
	WHERE m.state = 'pending' AND (m.outcome <> 'joined'
		OR m.due >= statement_timestamp() - $16::bigint * interval '1 microsecond') -- else it was due before
	GROUP BY m.lane
), touched AS (
	INSERT INTO inbox.lane AS l (queue, lane, due, store_id, turn)
	SELECT $1, t.lane, t.due, t.store_id,
		CASE WHEN t.nth = 1 AND NOT EXISTS (SELECT FROM inbox.lane o WHERE o.queue = $1
			AND (o.store_id, o.turn) >= (t.store_id, coalesce($18::timestamptz, '-infinity'))
			AND (o.store_id, o.turn) <= (t.store_id, greatest(t.due, statement_timestamp()))
			AND (o.until IS NULL OR o.until <= statement_timestamp()))
			THEN t.due END
	FROM touching t ORDER BY t.lane COLLATE "C"
	ON CONFLICT (queue, lane) DO UPDATE SET due = least(l.due, excluded.due), turn = least(l.turn, excluded.turn)
)
SELECT m.key, m.outcome FROM met m WHERE m.outcome <> 'stored'`

// presentSQL returns the keys that exist. Each is looked up alone, because for hundreds at once the server would read
// the whole queue.
const presentSQL = `
SELECT p.key FROM unnest($2::text[]) AS a (key), LATERAL (
	SELECT e.key FROM inbox.entry e WHERE e.queue = $1 AND e.key = a.key
	AND NOT (e.state = 'done' AND e.forget_at <= statement_timestamp()) LIMIT 1) AS p`

// countSQL counts pending entries up to a limit.
const countSQL = `
SELECT count(*) FROM (SELECT 1 FROM inbox.entry e WHERE e.queue = $1 AND e.state = 'pending' LIMIT $2) AS pending`
