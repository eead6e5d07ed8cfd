package sqlstore

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"
)

const (
	contended = 10 * time.Second // how long a statement is retried
	pause     = 20 * time.Millisecond
)

// retry repeats a statement that the database rolled back because of another one. For the caller of Swap that is a lost
// race, not a failure, because an installation whose code is used must not end with it. Other errors are not retried,
// because their statement may have been applied.
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

// rolledBack reports whether an error means that the database rolled a statement back. PostgreSQL does so for
// serializable transactions and deadlocks, SQLite while another connection is writing. database/sql has no error for
// these.
func rolledBack(text string) bool {
	for _, part := range []string{"SQLSTATE 40001", "SQLSTATE 40P01", "database is locked", "database table is locked"} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
