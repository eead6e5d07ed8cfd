package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/webhook"
)

// ReplayListed makes dead entries pending if they have not changed since they were listed.
func (in *Inbox) ReplayListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	n, err := in.countListed(ctx, in.sql.replayListed, listed)
	if n > 0 {
		in.room.settled.Add(-int64(n))
		in.changed()
	}
	return n, failed("replay", err)
}

// PurgeListed deletes dead entries if they have not changed since they were listed.
func (in *Inbox) PurgeListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	n, err := in.countListed(ctx, in.sql.purgeDied, listed)
	return n, failed("purge", err)
}

// countListed runs a statement for listed entries that returns the number of affected ones.
func (in *Inbox) countListed(ctx context.Context, statement string, listed []webhook.StoredEntry) (n int, err error) {
	keys, died := make([]string, 0, len(listed)), make([]time.Time, 0, len(listed))
	for _, e := range listed {
		if storable(e.Key) {
			keys, died = append(keys, e.Key), append(died, e.DiedAt)
		}
	}
	err = in.run(ctx, func(b *pgx.Batch) {
		b.Queue(statement, in.options.Queue, keys, died).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	})
	return n, err
}
