package apptables

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/internal/proof/statetest"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

var engine = statetest.Engine{
	New: newDatabase, Connect: connect, Files: filesOf, Inbox: newInbox, Ways: []statetest.Way{{Name: "without a busy timeout", New: newDatabase, Connect: connectHasty}},
}

// connectHasty opens a database so that connections do not wait for each other.
func connectHasty(address string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+address+"?_pragma=journal_mode(wal)")
}

func TestProofState(t *testing.T) {
	t.Parallel()
	statetest.Run(t, engine)
}

func TestRules(t *testing.T) {
	t.Parallel()
	statetest.Rules(t, engine)
}

// filesOf returns what somebody has who steals the disk of a database.
func filesOf(t testing.TB, address string) (all [][]byte) {
	t.Helper()
	for _, end := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(address + end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// newInbox opens an inbox in an empty database.
func newInbox(t testing.TB) multistore.Database {
	t.Helper()
	inbox, err := sqlite.Open(t.Context(), newDatabase(t), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return inbox
}
