package sqlite

import (
	"context"
	"database/sql"
	"math"
	"time"
)

// Mark returns the time stored under a name, or the zero time.
func (in *Inbox) Mark(ctx context.Context, name string) (time.Time, error) {
	if _, err := in.sound(); err != nil {
		return time.Time{}, failed("read mark", err)
	}
	var at sql.NullString
	if err := in.db.QueryRowContext(ctx, markSQL, name).Scan(&at); err != nil {
		return time.Time{}, failed("read mark", err)
	}
	if !at.Valid {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, at.String)
	return t, failed("read mark", err)
}

// A mark is stored twice. If a disk has set one back, the earlier one is right, and the sweep reads a part again.
const markSQL = "SELECT min(at) FROM (SELECT at FROM inbox_mark WHERE name = ?1 UNION ALL SELECT at FROM inbox_mark_copy WHERE name = ?1)"

// SetMark stores a time under a name.
func (in *Inbox) SetMark(ctx context.Context, name string, at time.Time) error {
	return in.write(ctx, "set mark", func(t *transaction) error {
		return t.exec("INSERT INTO inbox_mark (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
			name, at.UTC().Format(time.RFC3339Nano))
	})
}

// RaiseToken makes each later token greater than above.
func (in *Inbox) RaiseToken(ctx context.Context, above uint64) error {
	return in.write(ctx, "raise token", func(t *transaction) error {
		t.token = max(t.token, int64(min(above, math.MaxInt64-1)))
		return nil
	})
}

func age(now int64, since sql.NullInt64) time.Duration {
	if !since.Valid {
		return 0
	}
	return time.Duration(max(now-since.Int64, 0))
}
