package tables

import (
	"context"
	"fmt"
	"time"
)

// Now is a column CURRENT_TIMESTAMP: the time of the database. Processes on several machines agree by it when a row
// ends. SQLite leaves out the part of a second, so a row ends up to a second early.
type Now struct{ time.Time }

// Scan implements sql.Scanner.
func (n *Now) Scan(column any) (err error) {
	switch now := column.(type) {
	case time.Time:
		n.Time = now
	case string:
		n.Time, err = time.Parse(time.DateTime, now)
	case []byte:
		n.Time, err = time.Parse(time.DateTime, string(now))
	default:
		err = fmt.Errorf("CURRENT_TIMESTAMP as %T: the driver must return a time or a text", now)
	}
	return err
}

// Clock returns the time of the database.
func Clock(ctx context.Context, db DB) (now time.Time, err error) {
	all, err := Query(ctx, db, "SELECT CURRENT_TIMESTAMP", nil, Value[Now])
	if err != nil {
		return now, err
	}
	return all[0].Time, nil
}
