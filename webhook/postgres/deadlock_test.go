package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// A transaction that the server has taken back, because it and another one waited for each other, is repeated.
func TestDeadlockRepeated(t *testing.T) {
	t.Parallel()
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	other := newPool(t, database.URL(), 1)
	const lock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
	first, second := newQueue(t), newQueue(t)
	attempts, ended := 0, make(chan error, 1)
	err := pgx.BeginFunc(t.Context(), other, func(tx pgx.Tx) error {
		// The server looks for the deadlock in the session of the inbox.
		for _, statement := range []string{"SET LOCAL deadlock_timeout = '30s'", lock} {
			var arguments []any
			if statement == lock {
				arguments = []any{first}
			}
			if _, err := tx.Exec(t.Context(), statement, arguments...); err != nil {
				return err
			}
		}
		go func() {
			ended <- in.run(t.Context(), func(b *pgx.Batch) {
				attempts++
				b.Queue(lock, second)
				b.Queue(lock, first)
			})
		}()
		until(t, "the inbox waits", func() bool {
			var waits bool
			const query = `SELECT EXISTS (SELECT FROM pg_locks
				WHERE locktype = 'advisory' AND NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))`
			if err := tx.QueryRow(t.Context(), query).Scan(&waits); err != nil {
				t.Fatal(err)
			}
			return waits
		})
		_, err := tx.Exec(t.Context(), lock, second)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || attempts != 2 {
		t.Errorf("%d attempts, %v; want 2 and none", attempts, err)
	}
}
