package statetest

import (
	"errors"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// newInstall tests that a new token is stored although the former record cannot be read. The exchange has ended the
// former token, so the new one is the only one that there is.
func newInstall(t *testing.T, e Engine) {
	db := e.opened(t, e.New(t))
	lost := &sqlstore.Store{DB: db, Plaintext: true}
	found := with(lost, key(1))
	if err := lost.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, damage := range []string{"", "token = '!'", "scopes = '{'", "installed_at = 'x'"} {
		store := made(7, int64(10*i+1))
		exec(t, db, "DELETE FROM commerce_install")
		swap(t, lost, 7, 0, store)
		if damage != "" {
			if _, err := db.ExecContext(t.Context(), "UPDATE commerce_install SET "+damage); err != nil {
				t.Logf("the engine refuses the damage: %v", err)
				continue
			}
		}
		held, err := found.Load(t.Context(), 7)
		if !errors.Is(err, oauth.ErrUnreadable) || held.Generation != store.Generation || held.Token != "" {
			t.Fatalf("%s: got %v, %v; want the generation and ErrUnreadable", damage, held, err)
		}
		swap(t, found, 7, held.Generation, made(7, 99))
		loads(t, found, 7, 99)
	}
}
