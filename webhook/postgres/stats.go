package postgres

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// mostCounted is up to how many facts Stats counts. Of more it returns the estimate of the planner.
const mostCounted = 50_000

// statsSQL reads the pending and the dead entries by their indexes, and as many facts as it counts. Entries are due if
// their lane is free or not leased for them; only one entry of a lane is leased.
const statsSQL = `
SELECT p.pending, p.due, p.leased, inbox.remembered($1, $2), d.dead,
	(coalesce(extract(epoch FROM statement_timestamp() - p.oldest), 0) * 1000000)::bigint,
	(coalesce(extract(epoch FROM statement_timestamp() - least(p.protected, d.protected)), 0) * 1000000)::bigint,
	(coalesce(extract(epoch FROM statement_timestamp() - p.first), 0) * 1000000)::bigint
FROM (SELECT count(*) AS pending,
		count(*) FILTER (WHERE e.due <= statement_timestamp() AND (l.until IS NULL OR l.until <= statement_timestamp())) AS due,
		min(e.due) FILTER (WHERE e.due <= statement_timestamp() AND (l.until IS NULL OR l.until <= statement_timestamp())) AS first,
		count(*) FILTER (WHERE l.key = e.key AND l.until > statement_timestamp()) AS leased,
		min(e.pending_since) AS oldest, min(e.first_seen) FILTER (WHERE e.protected) AS protected
		FROM inbox.entry e LEFT JOIN inbox.lane l ON l.queue = e.queue AND l.lane = e.lane
		WHERE e.queue = $1 AND e.state = 'pending') p,
	(SELECT count(*) AS dead, min(e.first_seen) FILTER (WHERE e.protected) AS protected
		FROM inbox.entry e WHERE e.queue = $1 AND e.state = 'dead') d`

// Stats counts the entries. It reads the pending and dead ones, which takes some tenths of a second for a million. Done
// is exact up to 50,000. Above that it is the estimate of the planner, which autovacuum keeps within some percent.
func (in *Inbox) Stats(ctx context.Context) (webhook.Stats, error) {
	var s webhook.Stats
	var oldest, protected, lag int64
	ctx, cancel := bounded(ctx)
	defer cancel()
	err := in.read(ctx, []any{&s.Pending, &s.Due, &s.Leased, &s.Done, &s.Dead, &oldest, &protected, &lag}, in.sql.stats, in.options.Queue, mostCounted)
	if err != nil {
		return webhook.Stats{}, failed("stats", err)
	}
	s.Trimmed = int(in.graves.trimmed.Load())
	s.Lag = time.Duration(lag) * time.Microsecond
	s.Oldest = time.Duration(oldest) * time.Microsecond
	s.OldestProtected = time.Duration(protected) * time.Microsecond
	return s, nil
}

// Flow implements webhook.Flow. A run that ended by CommitTx or CommitSQL counts before the caller commits.
func (in *Inbox) Flow() (accepted, handled int64) { return in.accepted.Load(), in.handled.Load() }
