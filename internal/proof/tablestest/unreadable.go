package tablestest

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// unreadable tests that a row which cannot be read costs only itself, and is named.
func unreadable(t *testing.T, open func(t *testing.T) *sql.DB) {
	for _, f := range faces() {
		t.Run(f.name, func(t *testing.T) {
			db := open(t)
			r := f.opened(t, db, 0)
			for n := 1; n <= 3; n++ {
				if err := r.put(t.Context(), n); err != nil {
					t.Fatal(err)
				}
			}
			if all, err := r.list(t.Context()); err != nil || fmt.Sprint(all) != "[1 2 3]" {
				t.Fatalf("got %v, %v; want [1 2 3]", all, err)
			}
			if _, err := db.ExecContext(t.Context(), f.spoil); err != nil {
				t.Logf("the engine refuses the damage: %v", err)
				return
			}
			all, err := r.list(t.Context())
			if err == nil || !strings.Contains(err.Error(), "2") || fmt.Sprint(all) != "[1 3]" {
				t.Errorf("got %v, %v; want [1 3] and an error that names row 2", all, err)
			}
		})
	}
	t.Run("NewInstall", func(t *testing.T) { newInstall(t, open(t)) })
}

// newInstall tests that a new token is stored although the former record cannot be read. The exchange has ended the
// former token, so the new one is the only one that there is.
func newInstall(t *testing.T, db *sql.DB) {
	lost, found := &sqlstore.Store{DB: db, Plaintext: true}, &sqlstore.Store{DB: db}
	keys, err := sqlstore.ParseKeys("QmFzZTY0IG9mIDMyIGJ5dGVzIGZvciB0ZXN0cyEAAQI=")
	if err != nil {
		t.Fatal(err)
	}
	found.Keys = keys
	if err := lost.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, damage := range []string{"", "token = '!'", "scopes = '{'", "installed_at = 'x'"} {
		store := made(7, int64(10*i+1))
		if _, err := db.ExecContext(t.Context(), "DELETE FROM commerce_install"); err != nil {
			t.Fatal(err)
		}
		swapped, err := lost.Swap(t.Context(), 7, 0, store)
		if !swapped || err != nil {
			t.Fatal(swapped, err)
		}
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
		swapped, err = found.Swap(t.Context(), 7, held.Generation, made(7, 99))
		if in, failed := found.Load(t.Context(), 7); !swapped || err != nil || failed != nil || in.Generation != 99 {
			t.Errorf("%s: swapped %t, %v; loaded %v, %v", damage, swapped, err, in, failed)
		}
	}
}
