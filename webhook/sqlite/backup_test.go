package sqlite_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// A backup does not know the tokens that were given after it. An inbox that continues from it gives greater ones.
func TestTokensOfABackup(t *testing.T) {
	t.Parallel()
	backup := file(t)
	in := inbox(t, file(t), sqlite.Options{})
	lease := func(in *sqlite.Inbox, key string) (l webhook.Lease) {
		t.Helper()
		accepted(t, in, key)
		l = leased(t, in)
		if _, err := in.Commit(t.Context(), l); err != nil {
			t.Fatal(err)
		}
		return l
	}
	lease(in, "a")
	if _, err := in.DB().ExecContext(t.Context(), "VACUUM INTO '"+backup+"'"); err != nil {
		t.Fatal(err)
	}
	var last webhook.Lease
	for _, key := range []string{"b", "c", "d"} {
		last = lease(in, key)
	}
	if l := lease(inbox(t, backup, sqlite.Options{}), "e"); l.Token <= last.Token {
		t.Errorf("token %d after %d", l.Token, last.Token)
	}
}
