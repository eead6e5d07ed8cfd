package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// pruneEvery is how often each process deletes facts whose window is over.
	pruneEvery = time.Minute
	pruneMost  = 1000 // in one transaction
)

// pruneSQL deletes facts of every queue of the schema. They already count as absent.
const pruneSQL = `
DELETE FROM inbox.entry e WHERE e.ctid IN (
	SELECT p.ctid FROM inbox.entry p WHERE p.state = 'done' AND p.forget_at <= statement_timestamp()
	ORDER BY p.forget_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

// prune runs until the inbox is closed.
func (in *Inbox) prune() {
	tick := time.NewTicker(pruneEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-in.ctx.Done():
			return
		}
		for {
			n, err := in.pruneSome(in.ctx, pruneMost)
			if err != nil || n < pruneMost { // the next tick tries again
				break
			}
		}
	}
}

func (in *Inbox) pruneSome(ctx context.Context, limit int) (n int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.prune, limit).Exec(func(tag pgconn.CommandTag) error {
			n = int(tag.RowsAffected())
			return nil
		})
	})
	return n, err
}
