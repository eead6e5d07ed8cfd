package statetest

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// refused fails the test unless an error matches, says what it should, is not ErrNotInstalled, and holds no token.
func refused(t testing.TB, err, want error, says ...string) {
	t.Helper()
	if err == nil || want != nil && !errors.Is(err, want) || errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("got %v, want %v", err, want)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
	if strings.Contains(err.Error(), "canary") {
		t.Errorf("%q holds a token", err)
	}
}

func timesAreExact(t *testing.T, e Engine) {
	s := e.store(t, key(1))
	for i, at := range []time.Time{
		{}, time.Unix(1, 0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		time.Date(2199, 1, 2, 3, 4, 5, 678_901_999, time.FixedZone("", 3600)),
	} {
		id := client.ID(i + 1)
		in := made(id, 5)
		in.InstalledAt = at
		swap(t, s, id, 0, in)
		got, err := s.Load(t.Context(), id)
		if want := at.Truncate(time.Microsecond).UTC(); err != nil || got.InstalledAt != want {
			t.Errorf("got %v, %v; want %v", got.InstalledAt, err, want)
		}
		if at.Year() < 2026 {
			continue // a state that expired so long ago is deleted as soon as it is put
		}
		if err := s.Put(t.Context(), "a", oauth.Pending{Expires: at}); err != nil {
			t.Error(err)
		}
		if p, ok, err := s.Take(t.Context(), "a"); err != nil || !ok || !p.Expires.Equal(at.Truncate(time.Microsecond)) {
			t.Errorf("got %v, %v, %v; want %v", p.Expires, ok, err, at)
		}
	}
}

func wrongKeys(t *testing.T, e Engine) {
	s := e.store(t, key(1))
	swap(t, s, 7, 0, made(7, 5))
	other := with(s, key(2))
	_, err := other.Load(t.Context(), 7)
	refused(t, err, sqlstore.ErrUnknownKey, "store 7", key(1).ID(), "add that key",
		"have the merchant install the app again")
	refused(t, other.Check(t.Context()), sqlstore.ErrUnknownKey, "1 stores, the first of them 7", key(1).ID())
	if n, err := other.Reseal(t.Context()); n != 0 || !errors.Is(err, sqlstore.ErrUnknownKey) {
		t.Errorf("Reseal: got %d, %v; want ErrUnknownKey", n, err)
	}
	if known, err := other.Known(t.Context(), 7); err != nil || !known {
		t.Errorf("Known: got %v, %v; want true: the app is installed", known, err)
	}
	for _, s := range []*sqlstore.Store{s, with(s, key(1), key(2)), with(s, key(1))} {
		loads(t, s, 7, 5)
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	none := with(s)
	_, err = none.Load(t.Context(), 7)
	refused(t, err, sqlstore.ErrNoKeys, "set Keys or KeySet")
	_, err = none.Swap(t.Context(), 7, 5, nil)
	refused(t, err, sqlstore.ErrNoKeys)
	refused(t, none.Put(t.Context(), "a", oauth.Pending{}), sqlstore.ErrNoKeys)
	_, _, err = none.Take(t.Context(), "a")
	refused(t, err, sqlstore.ErrNoKeys)
	_, err = none.Known(t.Context(), 7)
	refused(t, err, sqlstore.ErrNoKeys)
	for _, err := range none.Stores(t.Context()) {
		refused(t, err, sqlstore.ErrNoKeys)
	}
	_, err = (&sqlstore.Store{DB: s.DB, KeySet: &sqlstore.KeySet{}}).Load(t.Context(), 7)
	refused(t, err, sqlstore.ErrNoKeys)
	_, err = (&sqlstore.Store{DB: s.DB, Plaintext: true}).Load(t.Context(), 7)
	refused(t, err, sqlstore.ErrUnknownKey, "store 7")
	_, err = (&sqlstore.Store{DB: s.DB, Keys: []sqlstore.Key{key(1)}, KeySet: &sqlstore.KeySet{}}).Load(t.Context(), 7)
	refused(t, err, nil, "both Keys and a KeySet")
	loads(t, s, 7, 5)
}

// damagedRecords changes each column as somebody could who writes to the database.
func damagedRecords(t *testing.T, e Engine) {
	s := e.store(t, key(1), key(2))
	for _, change := range []string{
		"token = 'no base64!'", "token = ''", "token = 'AAAA'", "token = substr(token, 1, 40)", "scopes = '{'",
		"token = (SELECT token FROM commerce_install WHERE store_id = 8)", "generation = 6", "store_id = 10",
		"sealed_by = (SELECT sealed_by FROM commerce_install WHERE store_id = 9)",
	} {
		exec(t, s.DB, "DELETE FROM commerce_install")
		swap(t, s, 7, 0, made(7, 5))
		swap(t, s, 8, 0, made(8, 5))
		swap(t, with(s, key(2)), 9, 0, made(9, 5))
		exec(t, s.DB, "UPDATE commerce_install SET "+change+" WHERE store_id = 7")
		id := client.ID(7)
		if strings.HasPrefix(change, "store_id") {
			id = 10
		}
		in, err := s.Load(t.Context(), id)
		if in.Token != "" {
			t.Errorf("%s: got a token", change)
		}
		refused(t, err, sqlstore.ErrDamaged, fmt.Sprintf("store %d", id), "restore the row from a backup",
			"have the merchant install the app again")
		loads(t, s, 8, 5)
	}
	exec(t, s.DB, "UPDATE commerce_install SET sealed_by = 'x', token = 'canary' WHERE store_id = 8")
	_, err := s.Load(t.Context(), 8)
	refused(t, err, sqlstore.ErrUnknownKey, "store 8", `"x"`)
}

func misused(t *testing.T, e Engine) {
	s := e.store(t, key(1))
	other, never := made(8, 5), made(7, 0)
	for _, tt := range []struct {
		next *oauth.Install
		says string
	}{{other, "next.StoreID 8: must be the store 7"}, {never, "next.Generation 0: must be another number"}} {
		_, err := s.Swap(t.Context(), 7, 0, tt.next)
		refused(t, err, nil, "swap store 7", tt.says)
	}
	_, err := (&sqlstore.Store{Keys: s.Keys}).Load(t.Context(), 7)
	refused(t, err, nil, "no DB")
	refused(t, (&sqlstore.Store{}).Migrate(t.Context()), nil, "no DB")
	_, err = (&sqlstore.Store{DB: s.DB, Keys: s.Keys, Prefix: "bad; "}).Load(t.Context(), 7)
	refused(t, err, nil, "Prefix")
	_, err = (&sqlstore.Store{DB: s.DB, Keys: s.Keys, Prefix: "absent_"}).Load(t.Context(), 7)
	refused(t, err, sqlstore.ErrNoTables)
	exec(t, s.DB, "UPDATE commerce_version SET version = 9, compatible_from = 9")
	_, err = with(s, key(1)).Load(t.Context(), 7)
	refused(t, err, sqlstore.ErrNewerSchema)
}

// byHand has tables that Schema describes, under names of the app, next to those of another app.
func byHand(t *testing.T, e Engine) {
	s := &sqlstore.Store{DB: e.opened(t, e.New(t)), Keys: []sqlstore.Key{key(1)}, Prefix: "mine_"}
	exec(t, s.DB, s.Schema())
	other := with(s, key(1))
	if err := errors.Join(other.Migrate(t.Context()), s.Migrate(t.Context()), s.Check(t.Context())); err != nil {
		t.Fatal(err)
	}
	swap(t, s, 7, 0, made(7, 5))
	loads(t, s, 7, 5)
	if _, err := other.Load(t.Context(), 7); !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("the other app: got %v, want ErrNotInstalled", err)
	}
}

// closedDatabase loses its connections. No failure may mean that a store has not installed the app.
func closedDatabase(t *testing.T, e Engine) {
	s := e.store(t, key(1))
	swap(t, s, 7, 0, made(7, 5))
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Load(t.Context(), 7)
	refused(t, err, nil, "load store 7")
	ok, err := s.Swap(t.Context(), 7, 5, made(7, 6))
	refused(t, err, nil, "swap store 7")
	known, err := s.Known(t.Context(), 7)
	refused(t, err, nil, "look up store 7")
	refused(t, s.Put(t.Context(), "a", oauth.Pending{}), nil, "put state")
	_, taken, err := s.Take(t.Context(), "a")
	refused(t, err, nil, "take state")
	refused(t, s.Check(t.Context()), nil, "check")
	_, err = s.Reseal(t.Context())
	refused(t, err, nil, "reseal")
	if ok || known || taken || errors.Is(err, sql.ErrNoRows) {
		t.Error("a failed call answered true")
	}
}
