package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// nextSQL says in how many microseconds the first store has its turn, or a lease of a lane ends that bears one. Turns
// before the first that nobody holds are those of leases: it reads as many rows as there are leases, not as many as are
// pending.
const nextSQL = `
WITH free AS MATERIALIZED (
	SELECT l.turn FROM inbox.lane l WHERE l.queue = $1 AND l.turn IS NOT NULL AND l.until IS NULL
	AND l.store_id <> ALL ($3) ORDER BY l.turn LIMIT 1
), held AS (
	SELECT min(greatest(l.turn, l.until)) AS turn FROM inbox.lane l
	WHERE l.queue = $1 AND l.turn < coalesce((SELECT f.turn FROM free f), 'infinity') AND l.until IS NOT NULL
)
SELECT coalesce((extract(epoch FROM least((SELECT f.turn FROM free f), h.turn) - statement_timestamp()) * 1000000)::bigint, $2)
FROM held h`

// wake tells those who wait that something changed.
type wake struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next change; nil while nobody waits
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

// changed wakes those who wait, here and in other processes.
func (in *Inbox) changed() {
	in.wake.all()
	select {
	case in.notifier <- struct{}{}:
	default:
	}
}

// askAfter is how long Wait does not ask the server when the next entry is due: while deliveries come, it is woken
// sooner.
const askAfter = 2 * time.Millisecond

// Wait returns when an entry may have become due, when d or a second is over, or with the error of ctx. So entries of
// other processes are found within a second where no connection can listen, because of a pooler say.
func (in *Inbox) Wait(ctx context.Context, q webhook.LeaseQuery, d time.Duration) error {
	in.listen.Do(func() {
		in.running.Go(in.listenOn)
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	changed := in.wake.next() // before asking, so that nothing is missed
	ask, over := time.NewTimer(askAfter), time.NewTimer(min(lookThroughEvery, d))
	defer ask.Stop()
	defer over.Stop()
	due := make(chan time.Duration, 1)
	for {
		select {
		case <-ask.C:
			// Beside the wait: a query whose context ends costs the pool a connection.
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

// next returns in which time the first store has its turn, at most d.
func (in *Inbox) next(ctx context.Context, q webhook.LeaseQuery, d time.Duration) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var micros int64
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.next, in.options.Queue, d.Microseconds(), without(q)).QueryRow(func(row pgx.Row) error { return row.Scan(&micros) })
	})
	if err != nil {
		return d // looked at again after the poll
	}
	return max(0, min(d, time.Duration(micros)*time.Microsecond))
}
