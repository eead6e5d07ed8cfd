package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// countDeadSQL counts the dead entries that Options.MaxDead limits, up to a number.
	countDeadSQL = `
SELECT count(*) FROM (SELECT 1 FROM inbox.entry e WHERE e.queue = $1 AND e.state = 'dead' AND NOT e.protected LIMIT $2) AS dead`

	trimSQL = `
DELETE FROM inbox.entry e WHERE e.ctid IN (
	SELECT p.ctid FROM inbox.entry p WHERE p.queue = $1 AND p.state = 'dead' AND NOT p.protected
	ORDER BY p.unhandled = '', p.died_at LIMIT $2 FOR UPDATE SKIP LOCKED)`
)

// graves keeps the number of dead entries below a limit.
type graves struct {
	buried  atomic.Int64  // entries that this process has made dead since it last counted
	many    chan struct{} // has an element if they are a fiftieth of the limit
	trimmed atomic.Int64
}

// bury notes that entries became dead.
func (in *Inbox) bury(n int) {
	if n == 0 || in.graves.buried.Add(int64(n)) < int64(in.options.MaxDead/50) {
		return
	}
	select {
	case in.graves.many <- struct{}{}:
	default:
	}
}

// trim runs until the inbox is closed. It reports at most once a minute.
func (in *Inbox) trim() {
	tick := time.NewTicker(pruneEvery) // other processes add too
	defer tick.Stop()
	told, at := int64(0), time.Time{}
	for {
		select {
		case <-tick.C:
		case <-in.graves.many:
		case <-in.ctx.Done():
			return
		}
		in.graves.buried.Store(0)
		for more := true; more; {
			n, excess, err := in.trimSome(in.ctx, pruneMost)
			in.graves.trimmed.Add(int64(n))
			more = err == nil && n > 0 && n < excess // otherwise the next tick tries again
		}
		if all := in.graves.trimmed.Load(); all > told && time.Since(at) >= time.Minute {
			in.report(fmt.Errorf("%d dead entries were deleted, the oldest first: at most %d are kept (Options.MaxDead)", all-told, in.options.MaxDead))
			told, at = all, time.Now()
		}
	}
}

// trimSome deletes dead entries if there are too many, up to a limit. It returns their number, and how many had to be
// deleted: a twentieth more than necessary, so that they are rarely counted.
func (in *Inbox) trimSome(ctx context.Context, limit int) (n, excess int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	most, dead := in.options.MaxDead, 0
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.countDead, in.options.Queue, 2*min(most, 1<<40)+limit).QueryRow(func(row pgx.Row) error { return row.Scan(&dead) })
	})
	if err != nil || dead <= most {
		return 0, 0, err
	}
	excess = dead - most + most/20
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.trim, in.options.Queue, min(limit, excess)).Exec(func(tag pgconn.CommandTag) error {
			n = int(tag.RowsAffected())
			return nil
		})
	})
	return n, excess, err
}
