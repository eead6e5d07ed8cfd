package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	deadSQL = `
SELECT e.lane, e.key, e.kind, e.event, e.store_id, e.body, e.window_ns, e.settle_ns, e.clears, e.protected, e.unhandled, e.trace,
	e.attempts, e.arrivals, e.cause, e.first_seen, e.last_seen, e.died_at
FROM inbox.entry e WHERE e.queue = $1 AND e.state = 'dead' AND e.key > $2 ORDER BY e.key LIMIT $3`

	replaySQL = `SELECT inbox.replay($1, $2)`
	purgeSQL  = `SELECT inbox.purge($1, $2)`
)

// Dead lists dead entries by key, compared byte by byte.
func (in *Inbox) Dead(ctx context.Context, after string, limit int) ([]webhook.DeadLetter, error) {
	if limit <= 0 {
		return nil, ctx.Err()
	}
	var letters []webhook.DeadLetter
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.dead, in.options.Queue, after, limit).Query(func(rows pgx.Rows) (err error) {
			letters, err = pgx.CollectRows(rows, readLetter)
			return err
		})
	})
	if err != nil {
		return nil, failed("list dead letters", err)
	}
	return letters, nil
}

func readLetter(row pgx.CollectableRow) (d webhook.DeadLetter, err error) {
	var lane string
	var e entryColumns
	targets := append([]any{&lane}, e.targets()...)
	err = row.Scan(append(targets, &d.Attempts, &d.Count, &d.Cause, &d.FirstSeen, &d.LastSeen, &d.DiedAt)...)
	if err == nil {
		d.Entry = e.entry(lane)
	}
	return d, err
}

// Replay makes dead entries pending.
func (in *Inbox) Replay(ctx context.Context, keys ...string) (int, error) {
	n, err := in.count(ctx, in.sql.replay, keys)
	if n > 0 {
		in.room.settled.Add(-int64(n))
		in.changed()
	}
	return n, failed("replay", err)
}

// Purge deletes dead entries.
func (in *Inbox) Purge(ctx context.Context, keys ...string) (int, error) {
	n, err := in.count(ctx, in.sql.purge, keys)
	return n, failed("purge", err)
}

// count runs a statement for keys that returns the number of affected entries.
func (in *Inbox) count(ctx context.Context, statement string, keys []string) (n int, err error) {
	known := make([]string, 0, len(keys)) // no entry has any other key
	for _, key := range keys {
		if storable(key) {
			known = append(known, key)
		}
	}
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(statement, in.options.Queue, known).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	})
	return n, err
}
