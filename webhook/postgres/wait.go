package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// nextSQL says in how many microseconds the first entry is due whose lane is free then. Lanes that were due before the first
// without a lease all have one: it reads as many rows as there are leases, not as many as are pending.
const nextSQL = `
WITH free AS MATERIALIZED (
	SELECT l.due FROM inbox.lane l WHERE l.queue = $1 AND l.until IS NULL ORDER BY l.due LIMIT 1
), held AS (
	SELECT min(greatest(l.due, l.until)) AS due FROM inbox.lane l
	WHERE l.queue = $1 AND l.due < coalesce((SELECT f.due FROM free f), 'infinity')
)
SELECT coalesce((extract(epoch FROM least((SELECT f.due FROM free f), h.due) - statement_timestamp()) * 1000000)::bigint, $2) FROM held h`

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

// Wait returns when an entry may have become due, when d is over, or with the error of ctx. While the database
// cannot be asked it waits for d.
func (in *Inbox) Wait(ctx context.Context, d time.Duration) error {
	in.listen.Do(func() {
		in.running.Go(in.listenOn)
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	changed := in.wake.next() // before asking, so that nothing is missed
	timer := time.NewTimer(min(d, in.next(ctx, d)))
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-in.ctx.Done():
		return failed("wait", errClosed)
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// next returns in which time the first entry is due, at most d.
func (in *Inbox) next(ctx context.Context, d time.Duration) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var micros int64
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.next, in.options.Queue, d.Microseconds()).QueryRow(func(row pgx.Row) error { return row.Scan(&micros) })
	})
	if err != nil {
		return d // looked at again after the poll
	}
	return max(0, min(d, time.Duration(micros)*time.Microsecond))
}
