package tables

import (
	"context"
	"fmt"
	"time"
)

// Clock returns the time of the database, by which processes on several machines agree when a claim ends. SQLite leaves
// out the part of a second, so a claim lasts up to a second less.
func Clock(ctx context.Context, db DB) (time.Time, error) {
	var now any
	if err := db.QueryRowContext(ctx, "SELECT CURRENT_TIMESTAMP").Scan(&now); err != nil {
		return time.Time{}, err
	}
	switch now := now.(type) {
	case time.Time:
		return now, nil
	case string:
		return time.Parse(time.DateTime, now)
	case []byte:
		return time.Parse(time.DateTime, string(now))
	}
	return time.Time{}, fmt.Errorf("CURRENT_TIMESTAMP as %T: the driver must return a time or a text", now)
}
