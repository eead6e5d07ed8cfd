package postgres

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// statsSQL reads every row of the queue. Entries are due if their lane is free or not leased for them; only one entry
// of a lane is leased.
const statsSQL = `
SELECT count(*) FILTER (WHERE e.state = 'pending'),
	count(*) FILTER (WHERE e.state = 'pending' AND e.due <= statement_timestamp() AND (l.until IS NULL OR l.until <= statement_timestamp())),
	count(*) FILTER (WHERE e.state = 'pending' AND l.key = e.key AND l.until > statement_timestamp()),
	count(*) FILTER (WHERE e.state = 'done' AND e.forget_at > statement_timestamp()),
	count(*) FILTER (WHERE e.state = 'dead'),
	(coalesce(extract(epoch FROM statement_timestamp() - min(e.pending_since) FILTER (WHERE e.state = 'pending')), 0) * 1000000)::bigint,
	(coalesce(extract(epoch FROM statement_timestamp() - min(e.first_seen) FILTER (WHERE e.state <> 'done' AND e.protected)), 0) * 1000000)::bigint
FROM inbox.entry e LEFT JOIN inbox.lane l ON l.queue = e.queue AND l.lane = e.lane AND e.state = 'pending'
WHERE e.queue = $1`

// Stats counts the entries. It reads all of them, which takes some tenths of a second for a million. Call it every few
// seconds at most.
func (in *Inbox) Stats(ctx context.Context) (webhook.Stats, error) {
	var s webhook.Stats
	var oldest, protected int64
	ctx, cancel := bounded(ctx)
	defer cancel()
	err := in.read(ctx, []any{&s.Pending, &s.Due, &s.Leased, &s.Done, &s.Dead, &oldest, &protected}, in.sql.stats, in.options.Queue)
	if err != nil {
		return webhook.Stats{}, failed("stats", err)
	}
	s.Trimmed = int(in.graves.trimmed.Load())
	s.Oldest = time.Duration(oldest) * time.Microsecond
	s.OldestProtected = time.Duration(protected) * time.Microsecond
	return s, nil
}
