package statetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// caches tests what a cache returns to other replicas.
func caches(t *testing.T, e Engine) {
	address := e.New(t)
	one, two := &sqlrates.Cache{DB: e.opened(t, address)}, &sqlrates.Cache{DB: e.opened(t, address)}
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
	sweepsRates(t, one, get, put)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := one.Get(ended, "k"); !errors.Is(err, context.Canceled) {
		t.Errorf("Get after the context has ended: %v", err)
	}
}

// sweepsRates tests that rows whose time has passed are deleted, and no others.
func sweepsRates(t *testing.T, c *sqlrates.Cache, get func(*sqlrates.Cache, string) string, put func(*sqlrates.Cache, string, string, time.Duration)) {
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
