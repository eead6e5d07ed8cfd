package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Mark returns the time kept under a name, or the zero time.
func (in *Inbox) Mark(ctx context.Context, name string) (time.Time, error) {
	if _, err := in.sound(); err != nil {
		return time.Time{}, failed("read mark", err)
	}
	var at string
	err := in.db.QueryRowContext(ctx, "SELECT at FROM inbox_mark WHERE name = ?", name).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, failed("read mark", err)
	}
	t, err := time.Parse(time.RFC3339Nano, at)
	return t, failed("read mark", err)
}

// SetMark keeps a time under a name.
func (in *Inbox) SetMark(ctx context.Context, name string, at time.Time) error {
	return in.write(ctx, "set mark", func(t *transaction) error {
		return t.exec("INSERT INTO inbox_mark (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
			name, at.UTC().Format(time.RFC3339Nano))
	})
}

func age(now int64, since sql.NullInt64) time.Duration {
	if !since.Valid {
		return 0
	}
	return time.Duration(max(now-since.Int64, 0))
}
