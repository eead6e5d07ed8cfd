package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// nextSQL returns the microseconds until the first store has its turn, or until the lease of a lane with a turn ends.
// Turns before the first free one belong to leases, so it reads as many rows as there are leases, not as many as there
// are pending entries.
const nextSQL = `
WITH free AS MATERIALIZED (
	SELECT l.turn FROM inbox.lane l WHERE l.queue = $1 AND l.turn >= coalesce($4::timestamptz, '-infinity')
	AND l.until IS NULL AND l.store_id <> ALL ($3) ORDER BY l.turn LIMIT 1
), held AS (
	SELECT min(greatest(l.turn, l.until)) AS turn FROM inbox.lane l
	WHERE l.queue = $1 AND l.turn >= coalesce($4::timestamptz, '-infinity')
	AND l.turn < coalesce((SELECT f.turn FROM free f), 'infinity') AND l.until IS NOT NULL
)
SELECT coalesce((extract(epoch FROM least((SELECT f.turn FROM free f), h.turn) - statement_timestamp()) * 1000000)::bigint, $2)
FROM held h`

// wake notifies waiting calls of changes.
type wake struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next change; nil while no call waits
}

func (w *wake) next() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = make(chan struct{})
	}
	return w.changed
}

func (w *wake) all() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed != nil {
		close(w.changed)
		w.changed = nil
	}
}

// changed wakes waiting calls, here and in other processes.
func (in *Inbox) changed() {
	in.wake.all()
	select {
	case in.notifier <- struct{}{}:
	default:
	}
}

// askAfter is how long Wait does not query the server for the next due time. While deliveries arrive, it is woken
// sooner.
const askAfter = 2 * time.Millisecond

// Wait returns when an entry may have become due, when d or a second is over, or with the error of ctx. So entries of
// other processes are found within a second if no connection can listen, for example because of a pooler.
func (in *Inbox) Wait(ctx context.Context, q webhook.LeaseQuery, d time.Duration) error {
	in.listen.Do(func() {
		in.running.Go(in.listenOn)
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	changed := in.wake.next() // before the query, so that no change is missed
	ask, over := time.NewTimer(askAfter), time.NewTimer(min(lookThroughEvery, d))
	defer ask.Stop()
	defer over.Stop()
	due := make(chan time.Duration, 1)
	for {
		select {
		case <-ask.C:
			// The query runs in its own goroutine: a query whose context ends costs the pool a connection.
			if in.ctx.Err() == nil {
				in.running.Go(func() { due <- in.next(in.ctx, q, d) })
			}
		case after := <-due:
			over.Reset(min(lookThroughEvery, after))
		case <-changed:
			return nil
		case <-over.C:
			return nil
		case <-in.ctx.Done():
			return failed("wait", errClosed)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// next returns the time until the first store has its turn, at most d.
func (in *Inbox) next(ctx context.Context, q webhook.LeaseQuery, d time.Duration) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var micros int64
	turn, _ := in.from()
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.next, in.options.Queue, d.Microseconds(), without(q), turn).QueryRow(func(row pgx.Row) error {
			return row.Scan(&micros)
		})
	})
	if err != nil {
		return d // checked again after the poll
	}
	return max(0, min(d, time.Duration(micros)*time.Microsecond))
}
