package sqlstore

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"
)

const (
	contended = 10 * time.Second // how long a statement is tried that others prevent
	pause     = 20 * time.Millisecond
)

// retry repeats a statement that the database rolled back because of another one. To the caller of Swap that is no
// failure but a lost race: an installation whose code is spent must not end with it. No other error is repeated,
// because its statement may have been applied.
func retry(ctx context.Context, statement func() error) error {
	for began := time.Now(); ; {
		err := statement()
		if err == nil || !rolledBack(err.Error()) || time.Since(began) > contended {
			return err
		}
		select {
		case <-time.After(rand.N(pause)):
		case <-ctx.Done():
			return err
		}
	}
}

// rolledBack reports whether an error is one of PostgreSQL, whose transactions are serializable or have met in a
// deadlock, or of SQLite, whose other connection is writing. database/sql has no error for these.
func rolledBack(text string) bool {
	for _, part := range []string{"SQLSTATE 40001", "SQLSTATE 40P01", "database is locked", "database table is locked"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
