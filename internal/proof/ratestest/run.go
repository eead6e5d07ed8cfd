package ratestest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// Run tests the cache of an empty database that open connects to, each time as another replica.
func Run(t *testing.T, open func() *sql.DB) {
	one, two := &sqlrates.Cache{DB: open()}, &sqlrates.Cache{DB: open()}
	if _, err := one.Get(t.Context(), "k"); !errors.Is(err, sqlrates.ErrNoTables) {
		t.Errorf("Get without tables: %v, want ErrNoTables", err)
	}
	if err := errors.Join(one.Migrate(t.Context()), two.Migrate(t.Context())); err != nil {
		t.Fatal(err)
	}
	get := func(c *sqlrates.Cache, key string) string {
		t.Helper()
		value, err := c.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return string(value)
	}
	put := func(c *sqlrates.Cache, key, value string, keep time.Duration) {
		t.Helper()
		if err := c.Put(t.Context(), key, []byte(value), keep); err != nil {
			t.Fatal(err)
		}
	}
	if value, err := one.Get(t.Context(), "k"); value != nil || err != nil {
		t.Errorf("got %q, %v, want nothing", value, err)
	}
	put(one, "k", `{"name":"ñ ' \\ \u0000 ;"}`, time.Hour)
	if got := get(two, "k"); got != `{"name":"ñ ' \\ \u0000 ;"}` {
		t.Errorf("the other replica got %s", got)
	}
	put(two, "k", `{"n":2}`, time.Hour)
	if got := get(one, "k"); got != `{"n":2}` {
		t.Errorf("got %s after another was put", got)
	}
	put(two, "k", `{"n":3}`, -time.Hour)
	if got := get(one, "k"); got != "" {
		t.Errorf("got %s although its time has passed", got)
	}
	sweeps(t, one, get, put)
	race(t, open)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := one.Get(ended, "k"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get after the context has ended: %v", err)
	}
}

// sweeps tests that rows whose time has passed are deleted, and no others.
func sweeps(t *testing.T, c *sqlrates.Cache, get func(*sqlrates.Cache, string) string, put func(*sqlrates.Cache, string, string, time.Duration)) {
	for i := range 100 {
		put(c, fmt.Sprint("old ", i), "{}", -time.Minute)
		put(c, fmt.Sprint("new ", i), "{}", time.Minute)
	}
	var rows int
	if err := c.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM commerce_rate").Scan(&rows); err != nil || rows < 100 || rows > 120 {
		t.Errorf("%d rows, %v, want the hundred that hold and few others", rows, err)
	}
	for i := range 100 {
		if get(c, fmt.Sprint("new ", i)) == "" {
			t.Errorf("%d is gone before its time", i)
		}
	}
}

// race tests that replicas which put and sweep at the same time fail no call.
func race(t *testing.T, open func() *sql.DB) {
	var all sync.WaitGroup
	for range 4 {
		c := &sqlrates.Cache{DB: open()}
		all.Go(func() {
			for i := range 100 {
				if err := c.Put(t.Context(), fmt.Sprint("race ", i%7), []byte("{}"), -time.Minute); err != nil {
					t.Errorf("Put: %v", err)
				}
				if _, err := c.Get(t.Context(), fmt.Sprint("race ", i%5)); err != nil {
					t.Errorf("Get: %v", err)
				}
			}
		})
	}
	all.Wait()
}
