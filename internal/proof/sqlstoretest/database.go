package sqlstoretest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/oauthtest"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// Database is what is tested. Child must be the role "tokens" of the test binary.
type Database struct {
	New     func(t testing.TB) string                   // the address of a new, empty database
	Connect func(address string) (*sql.DB, error)       // opens it, as an app does
	Files   func(t testing.TB, address string) [][]byte // what somebody has who steals its disk
}

// Run tests each rule.
func Run(t *testing.T, d Database) {
	Interfaces(t, d)
	for name, test := range map[string]func(t *testing.T, d Database){
		"Plaintext":      plaintextIsSealed,
		"Times":          timesAreExact,
		"Keys":           wrongKeys,
		"Damaged":        damagedRecords,
		"Misused":        misused,
		"ByHand":         byHand,
		"Stores":         stores,
		"Resealed":       resealedOnRead,
		"ResealFails":    resealFails,
		"Reseal":         reseal,
		"ResealRace":     resealNeverOverwrites,
		"Rotation":       rotation,
		"Sweep":          sweep,
		"Stolen":         stolen,
		"Processes":      processes,
		"Killed":         killed,
		"Handler":        replicas,
		"HandlerAtOnce":  replicasAtOnce,
		"HandlerNoKeys":  noKeysSpendNothing,
		"LostConnection": closedDatabase,
	} {
		t.Run(name, func(t *testing.T) { test(t, d) })
	}
}

// Interfaces tests the rules of oauth.TokenStore and oauth.StateStore.
func Interfaces(t *testing.T, d Database) {
	t.Run("Tokens", func(t *testing.T) {
		oauthtest.Tokens(t, func(t *testing.T, n int) []oauth.TokenStore { return handles[oauth.TokenStore](t, d, n) })
	})
	t.Run("States", func(t *testing.T) {
		oauthtest.States(t, func(t *testing.T, n int) []oauth.StateStore { return handles[oauth.StateStore](t, d, n) })
	})
}

// key returns a key that is always the same for a number.
func key(n int) sqlstore.Key {
	sum := sha256.Sum256([]byte(fmt.Sprint("key ", n)))
	k, err := sqlstore.NewKey(sum[:])
	if err != nil {
		panic(err)
	}
	return k
}

// opened connects to a database until the end of the test.
func (d Database) opened(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := d.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// store returns a store over a new database.
func (d Database) store(t testing.TB, keys ...sqlstore.Key) *sqlstore.Store {
	t.Helper()
	s := &sqlstore.Store{DB: d.opened(t, d.New(t)), Keys: keys}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// handles returns stores with connections of their own to one new database.
func handles[S any](t testing.TB, d Database, n int) (all []S) {
	t.Helper()
	address := d.New(t)
	for range n {
		s := &sqlstore.Store{DB: d.opened(t, address), Keys: []sqlstore.Key{key(1)}}
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		all = append(all, any(s).(S))
	}
	return all
}

// with returns another store over the same database.
func with(s *sqlstore.Store, keys ...sqlstore.Key) *sqlstore.Store {
	return &sqlstore.Store{DB: s.DB, Keys: keys}
}

// made returns an install whose fields follow from store and generation.
func made(id client.ID, generation int64) *oauth.Install {
	return &oauth.Install{
		StoreID: id, Generation: generation, Token: token(id, generation),
		Scopes:      oauth.ParseScopes("read_products,write_orders"),
		InstalledAt: time.Unix(1_700_000_000, 123_456_000).UTC(),
	}
}

// token returns a token that is found if it is anywhere.
func token(id client.ID, generation int64) client.Secret {
	return client.Secret(fmt.Sprintf("canary-token-of-%d-%d", id, generation))
}

func swap(t testing.TB, s oauth.TokenStore, id client.ID, old int64, next *oauth.Install) {
	t.Helper()
	if ok, err := s.Swap(t.Context(), id, old, next); err != nil || !ok {
		t.Fatalf("Swap of store %d from %d: got %v, %v; want true", id, old, ok, err)
	}
}

func loads(t testing.TB, s oauth.TokenStore, id client.ID, generation int64) {
	t.Helper()
	if in, err := s.Load(t.Context(), id); err != nil || in.Generation != generation || in.Token != token(id, generation) {
		t.Fatalf("Load of store %d: got %+v, %v; want generation %d with its token", id, in, err, generation)
	}
}

func exec(t testing.TB, s *sqlstore.Store, statement string, args ...any) {
	t.Helper()
	if _, err := s.DB.ExecContext(context.WithoutCancel(t.Context()), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// sealedBy returns how many tokens are sealed with each key.
func sealedBy(t testing.TB, s *sqlstore.Store) map[string]int {
	t.Helper()
	rows, err := s.DB.QueryContext(t.Context(), "SELECT sealed_by, count(*) FROM commerce_install GROUP BY sealed_by")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	all := map[string]int{}
	for rows.Next() {
		var by string
		var n int
		if err := rows.Scan(&by, &n); err != nil {
			t.Fatal(err)
		}
		all[by] = n
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
