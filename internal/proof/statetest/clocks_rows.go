package statetest

import (
	"database/sql"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
)

// wrong calls f with other connections to a database, in a process whose clock is decades slow, and then in
// one whose clock is years fast.
func wrong(t *testing.T, e Engine, address string, f func(t *testing.T, db *sql.DB, name string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, e.opened(t, address), "slow ") })
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(100 * 365 * 24 * time.Hour) // a bubble begins in the year 2000
		f(t, e.opened(t, address), "fast ")
	})
}

func clockOfRates(t *testing.T, e Engine) {
	address := e.New(t)
	right := &sqlrates.Cache{DB: e.opened(t, address)}
	succeed(t, right.Migrate(t.Context()))
	check := func(t *testing.T, c *sqlrates.Cache, who string) {
		t.Helper()
		for key, want := range map[string]bool{who + "ended": false, who + "lasts": true} {
			if value, err := c.Get(t.Context(), key); err != nil || (value != nil) != want {
				t.Errorf("the row %q: got %q, %v; want it: %t", key, value, err, want)
			}
		}
	}
	put := func(t *testing.T, c *sqlrates.Cache, who string) {
		t.Helper()
		succeed(t, c.Put(t.Context(), who+"ended", []byte("{}"), -time.Minute),
			c.Put(t.Context(), who+"lasts", []byte("{}"), time.Minute))
	}
	put(t, right, "right ")
	wrong(t, e, address, func(t *testing.T, db *sql.DB, name string) {
		c := &sqlrates.Cache{DB: db}
		check(t, c, "right ")
		put(t, c, name)
	})
	check(t, right, "slow ")
	check(t, right, "fast ")
	// The clock of the database is set back by two hours, so a row of a minute would last for two hours.
	const back = "UPDATE commerce_rate SET stored = stored + 7200000000, ends = ends + 7200000000"
	exec(t, right.DB, back)
	if value, err := right.Get(t.Context(), "fast lasts"); value != nil || err != nil {
		t.Errorf("a row that was stored in the future: got %q, %v; want none", value, err)
	}
}

func clockOfStates(t *testing.T, e Engine) {
	address := e.New(t)
	right := &sqlstore.Store{DB: e.opened(t, address), Plaintext: true}
	succeed(t, right.Migrate(t.Context()))
	const lifetime = 10 * time.Minute
	begin := func(t *testing.T, s *sqlstore.Store, key string) {
		t.Helper()
		succeed(t, s.Put(t.Context(), key, oauth.Pending{Expires: time.Now().Add(lifetime)}))
	}
	take := func(t *testing.T, s *sqlstore.Store, key string) {
		t.Helper()
		p, ok, err := s.Take(t.Context(), key)
		if left := time.Until(p.Expires); !ok || err != nil || (left-lifetime).Abs() > time.Minute {
			t.Errorf("the state %q: got %t, %v, and it expires in %v; want %v", key, ok, err, left, lifetime)
		}
	}
	sweep := func(t *testing.T, s *sqlstore.Store, name string) {
		for n := range 40 { // some of these calls delete states that have expired
			begin(t, s, fmt.Sprint(name, n))
		}
	}
	begin(t, right, "right for slow ")
	begin(t, right, "right for fast ")
	wrong(t, e, address, func(t *testing.T, db *sql.DB, name string) {
		s := &sqlstore.Store{DB: db, Plaintext: true}
		sweep(t, s, name)
		take(t, s, "right for "+name)
		begin(t, s, name)
	})
	sweep(t, right, "right ")
	take(t, right, "slow ")
	take(t, right, "fast ")
}

// clockOfLedger deletes operations of the last hour, and finds none that is older.
func clockOfLedger(t *testing.T, e Engine) {
	address := e.New(t)
	right := &sqlledger.Ledger{DB: e.opened(t, address)}
	succeed(t, right.Migrate(t.Context()))
	wrong(t, e, address, func(t *testing.T, db *sql.DB, name string) {
		l := &sqlledger.Ledger{DB: db}
		e, _, err := l.Begin(t.Context(), payments.Entry{
			Key: name, State: payments.StateBegun, Call: payments.CallRefund,
			BegunAt: time.Now(), ChangedAt: time.Now(),
			About: payments.About{StoreID: 7, OrderID: 8, TransactionID: uuid.Max},
		})
		succeed(t, err)
		e.State = payments.StateReported
		_, err = l.Swap(t.Context(), e)
		succeed(t, err)
	})
	if n, err := right.Prune(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("deleted %d, %v; want none", n, err)
	}
}

func clockOfJournal(t *testing.T, e Engine) {
	address := e.New(t)
	right := &sqljournal.Journal[client.Category]{DB: e.opened(t, address), Name: "categories"}
	succeed(t, right.Migrate(t.Context()))
	wrong(t, e, address, func(t *testing.T, db *sql.DB, name string) {
		j := &sqljournal.Journal[client.Category]{DB: db, Name: "categories"}
		for _, key := range []string{"ended", "begun"} {
			in := client.Intent{ID: ulid.Make(), StoreID: 7, Path: "/categories", Key: name + key, Since: time.Now()}
			succeed(t, j.Begin(t.Context(), in))
			if key == "ended" {
				succeed(t, j.End(t.Context(), in, &client.Category{ID: 1}))
			}
		}
	})
	if n, err := right.Prune(t.Context(), time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("deleted %d, %v; want none", n, err)
	}
	for in, err := range right.Open(t.Context()) {
		t.Errorf("%v, %v is open to others, want its claim to last", in, err)
	}
}
