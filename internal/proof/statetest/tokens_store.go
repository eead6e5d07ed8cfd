package statetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/oauthtest"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// tokenRules are the rules of oauth/sqlstore alone.
func tokenRules() []rule {
	return []rule{
		{"Tokens", func(t *testing.T, e Engine) {
			oauthtest.Tokens(t, func(t *testing.T, n int) []oauth.TokenStore { return handles[oauth.TokenStore](t, e, n) })
		}},
		{"States", func(t *testing.T, e Engine) {
			oauthtest.States(t, func(t *testing.T, n int) []oauth.StateStore { return handles[oauth.StateStore](t, e, n) })
		}},
		{"Plaintext", plaintextIsSealed}, {"Times", timesAreExact}, {"Keys", wrongKeys}, {"Damaged", damagedRecords}, {"NewInstall", newInstall}, {"Clock", clockOfStates},
		{"Misused", misused}, {"ByHand", byHand}, {"Stores", listsStores}, {"Retired", retiredRows}, {"Resealed", resealedOnRead}, {"ResealFails", resealFails},
		{"Reseal", reseal}, {"ResealRace", resealNeverOverwrites}, {"Rotation", rotation}, {"Sweep", sweepsStates}, {"Stolen", stolen},
		{"Handler", handlers}, {"HandlerAtOnce", handlersAtOnce}, {"HandlerNoKeys", noKeysSpendNothing}, {"LostConnection", closedDatabase},
	}
}

// key returns a key that is always the same for a number.
func key(n int) sqlstore.Key {
	sum := sha256.Sum256([]byte(fmt.Sprint("key ", n)))
	return must(sqlstore.NewKey(sum[:]))
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

// store returns a store over a new database.
func (e Engine) store(t testing.TB, keys ...sqlstore.Key) *sqlstore.Store {
	t.Helper()
	s := &sqlstore.Store{DB: e.opened(t, e.New(t)), Keys: keys}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// handles returns stores with connections of their own to one new database.
func handles[S any](t testing.TB, e Engine, n int) (all []S) {
	t.Helper()
	address := e.New(t)
	for range n {
		s := &sqlstore.Store{DB: e.opened(t, address), Keys: []sqlstore.Key{key(1)}}
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

// stolen looks for tokens in what a thief of the disk has.
func stolen(t *testing.T, e Engine) {
	address := e.New(t)
	s := &sqlstore.Store{DB: e.opened(t, address), Keys: []sqlstore.Key{key(1)}}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	const marked = "scope_that_is_no_secret"
	secrets := []string{}
	const first = client.ID(9_000_000) // tokens of no other test
	for id := first; id < first+20; id++ {
		in := made(id, 5)
		in.Scopes = oauth.ParseScopes(marked)
		swap(t, s, id, 0, in)
		swap(t, s, id, 5, made(id, 6))
		swap(t, s, id, 6, in)
		secrets = append(secrets, string(token(id, 5)), string(token(id, 6)))
	}
	loads(t, with(s, key(2), key(1)), first+3, 5)
	if _, err := s.Swap(t.Context(), first+4, 5, nil); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, data := range e.Files(t, address) {
		found = found || bytes.Contains(data, []byte(marked))
		for _, secret := range secrets {
			raw := []byte(secret)
			encoded := base64.RawStdEncoding.EncodeToString(raw[:len(raw)/3*3])
			for _, spelled := range []string{secret, hex.EncodeToString(raw), encoded} {
				if bytes.Contains(data, []byte(spelled)) {
					t.Fatalf("the files hold the token %q", secret)
				}
			}
		}
	}
	if !found {
		t.Error("the files do not hold a text that was stored: they are not those of the database")
	}
}
