package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	markSQL    = `SELECT m.at, m.nanos FROM inbox.mark m WHERE m.queue = $1 AND m.name = $2`
	setMarkSQL = `
INSERT INTO inbox.mark AS m (queue, name, at, nanos) VALUES ($1, $2, $3, $4)
ON CONFLICT (queue, name) DO UPDATE SET at = excluded.at, nanos = excluded.nanos`
)

// Mark returns the time stored under a name, or the zero time.
func (in *Inbox) Mark(ctx context.Context, name string) (time.Time, error) {
	var at time.Time
	var nanos int
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.mark, in.options.Queue, name).QueryRow(func(row pgx.Row) error { return row.Scan(&at, &nanos) })
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, failed("read mark", err)
	}
	return at.UTC().Add(time.Duration(nanos)), nil
}

// SetMark stores a time under a name.
func (in *Inbox) SetMark(ctx context.Context, name string, t time.Time) error {
	t = t.UTC()
	nanos := t.Nanosecond() % 1000
	err := in.run(ctx, func(b *pgx.Batch) {
		b.Queue(in.sql.setMark, in.options.Queue, name, t.Add(-time.Duration(nanos)), nanos)
	})
	return failed("set mark", err)
}
