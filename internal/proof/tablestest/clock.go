package tablestest

import (
	"database/sql"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// Clock tests that the clock of the database decides what has ended. The clock of a process in a bubble is years slow.
func Clock(t *testing.T, open func(t *testing.T) *sql.DB) {
	t.Run("Rates", func(t *testing.T) {
		right := &sqlrates.Cache{DB: open(t)}
		if err := right.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		check := func(t *testing.T, who string, c *sqlrates.Cache, key string, want bool) {
			if value, err := c.Get(t.Context(), key); err != nil || (value != nil) != want {
				t.Errorf("%s reads the row %q: got %q, %v; want it: %t", who, key, value, err, want)
			}
		}
		put := func(t *testing.T, c *sqlrates.Cache, key string, keep time.Duration) {
			if err := c.Put(t.Context(), key, []byte("{}"), keep); err != nil {
				t.Fatal(err)
			}
		}
		put(t, right, "ended", -time.Minute)
		put(t, right, "lasts", time.Minute)
		bubble(t, open, func(t *testing.T, db *sql.DB) {
			slow := &sqlrates.Cache{DB: db}
			check(t, "a slow process", slow, "ended", false)
			check(t, "a slow process", slow, "lasts", true)
			put(t, slow, "lasts too", time.Minute)
			put(t, slow, "ended too", -time.Minute)
		})
		check(t, "a process", right, "lasts too", true)
		check(t, "a process", right, "ended too", false)
	})
}

// bubble calls f with another connection to the database of a test, in a process whose clock is wrong.
func bubble(t *testing.T, open func(t *testing.T) *sql.DB, f func(t *testing.T, db *sql.DB)) {
	synctest.Test(t, func(t *testing.T) { f(t, open(t)) })
}
