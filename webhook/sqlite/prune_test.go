package sqlite_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// TestPrune: facts came faster than they were forgotten, and the file grew.
func TestPrune(t *testing.T) {
	t.Parallel()
	path := file(t)
	synctest.Test(t, func(t *testing.T) {
		in := inbox(t, path, sqlite.Options{})
		accepted(t, in, "fact")
		if _, err := in.DB().Exec(`UPDATE inbox_entry SET state = 'done', forget_at = 1;
			WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 1199)
			INSERT INTO inbox_entry (key, lane, kind, event, store_id, body, keep, settle, clears, protected, unhandled, state, generation,
				due, since, attempts, arrivals, first_seen, last_seen, run_arrivals, again_seen, failed_at, cause, died_at, forget_at, sum)
			SELECT 'fact ' || n, lane, kind, event, store_id, body, keep, settle, clears, protected, unhandled, state, generation,
				due, since, attempts, arrivals, first_seen, last_seen, run_arrivals, again_seen, failed_at, cause, died_at, forget_at, sum FROM inbox_entry, n`); err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{1200, 700, 200, 0} { // 500 in a transaction, as soon as a few seconds are over
			accepted(t, in, fmt.Sprint("another ", i))
			var left int
			if err := in.DB().QueryRow("SELECT count(*) FROM inbox_entry WHERE state = 'done'").Scan(&left); err != nil || left != want {
				t.Errorf("%d facts are left after %d transactions, %v; want %d", left, i, err, want)
			}
			if i == 0 {
				time.Sleep(10 * time.Second)
			}
		}
	})
}
