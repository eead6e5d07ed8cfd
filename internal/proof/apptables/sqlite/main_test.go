package apptables

import (
	"database/sql"
	"flag"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/proof/statetest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	proctest.Main(roles())
	goleak.VerifyTestMain(m)
}

// roles are what children of these tests do.
func roles() map[string]func() error {
	return map[string]func() error{
		statetest.Role: statetest.Child(statetest.Engine{Connect: connect}),
	}
}

// newDatabase returns the address of a database that is gone after the test. Each process opens it by connect.
func newDatabase(t testing.TB) string { return filepath.Join(t.TempDir(), "app.db") }

// connect opens a database as an app does.
func connect(address string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+address+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_txlock=immediate")
}

// opened connects to a database until the end of the test.
func opened(t testing.TB, address string) *sql.DB {
	t.Helper()
	db, err := connect(address)
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
