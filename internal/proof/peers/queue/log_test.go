package queue

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// writeAheadLog counts what a PostgreSQL writes ahead. It is nil for an engine that has none, or hides it.
type writeAheadLog struct{ pool *pgxpool.Pool }

// newLog returns nil if the server lacks the extension that reads its log, which is newer than PostgreSQL 14.
func newLog(b *testing.B, pool *pgxpool.Pool) *writeAheadLog {
	b.Helper()
	if _, err := pool.Exec(b.Context(), "CREATE EXTENSION IF NOT EXISTS pg_walinspect"); err != nil {
		b.Logf("records of the log are not counted: %v", err)
		return nil
	}
	return &writeAheadLog{pool}
}

// end returns the position up to which the log is on disk.
func (l *writeAheadLog) end(b *testing.B) (position string) {
	b.Helper()
	if l == nil {
		return ""
	}
	if err := l.pool.QueryRow(b.Context(), "SELECT pg_current_wal_flush_lsn()::text").Scan(&position); err != nil {
		b.Fatal(err)
	}
	return position
}

// records returns how many records lie between two positions.
func (l *writeAheadLog) records(b *testing.B, from, to string) (count float64) {
	b.Helper()
	const query = "SELECT sum(count)::float8 FROM pg_get_wal_stats($1::pg_lsn, $2::pg_lsn)"
	if err := l.pool.QueryRow(b.Context(), query, from, to).Scan(&count); err != nil {
		b.Fatal(err)
	}
	return count
}
