package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// mostEnded is the number of entries of a store that are deleted in a transaction, so that other calls do not wait
// long.
const mostEnded = 100

const (
	deadOfSQL = `
SELECT e.lane, e.key, e.kind, e.event, e.store_id, e.body, e.window_ns, e.settle_ns, e.clears, e.protected, e.unhandled, e.trace,
	e.attempts, e.arrivals, e.cause, e.first_seen, e.last_seen, e.died_at
FROM inbox.entry e WHERE e.queue = $1 AND e.state = 'dead' AND e.store_id = $2 AND e.key > $3 AND NOT e.protected ORDER BY e.key LIMIT $4`

	purgeDiedSQL = `SELECT inbox.purge_died($1, $2, $3)`
	dropStoreSQL = `SELECT o_dropped, o_seen, coalesce(o_last, '') FROM inbox.drop_store($1, $2, $3, $4, $5, $6)`
)

// PurgeStore deletes dead entries of a store. PostgreSQL erases deleted rows only in a vacuum.
func (in *Inbox) PurgeStore(ctx context.Context, store value.ID, match func(webhook.DeadLetter) bool) (purged int, err error) {
	for after := ""; ; {
		letters, err := in.deadOf(ctx, store, after)
		if err != nil || len(letters) == 0 {
			return purged, failed("purge a store", err)
		}
		after = letters[len(letters)-1].Key
		var keys []string
		var died []time.Time
		for _, l := range letters {
			if match == nil || match(l) {
				keys, died = append(keys, l.Key), append(died, l.DiedAt)
			}
		}
		if len(keys) == 0 {
			continue
		}
		var n int
		err = in.run(ctx, func(b *pgx.Batch) {
			b.Queue(in.sql.purgeDied, in.options.Queue, keys, died).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
		})
		if err != nil {
			return purged, failed("purge a store", err)
		}
		purged += n
	}
}

// deadOf lists dead entries of a store, except privacy requests.
func (in *Inbox) deadOf(ctx context.Context, store value.ID, after string) (letters []webhook.DeadLetter, err error) {
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.deadOf, in.options.Queue, int64(store), after, mostEnded).Query(func(rows pgx.Rows) (err error) {
			letters, err = pgx.CollectRows(rows, readLetter)
			return err
		})
	})
	return letters, err
}

// DropStore deletes pending entries of a store.
func (in *Inbox) DropStore(ctx context.Context, store value.ID, prefix string, before time.Time) (dropped int, err error) {
	if !storable(prefix) {
		return 0, nil // no key has this prefix
	}
	defer func() {
		if dropped > 0 {
			in.room.settled.Add(int64(dropped))
			in.arrived.add(int64(store)) // the lane that had its turn may be gone
			in.changed()
		}
	}()
	for after, seen := prefix, mostEnded; seen == mostEnded; {
		var n int
		err := in.run(ctx, func(b *pgx.Batch) {
			b.Queue(in.sql.dropStore, in.options.Queue, int64(store), after, following(prefix), before, mostEnded).
				QueryRow(func(row pgx.Row) error { return row.Scan(&n, &seen, &after) })
		})
		if err != nil {
			return dropped, failed("drop a store", err)
		}
		dropped += n
	}
	return dropped, nil
}

// following returns a text that sorts after all texts with a prefix, compared byte by byte.
func following(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0x7f {
			return prefix[:i] + string(rune(prefix[i]+1))
		}
	}
	return "\U0010FFFF"
}
