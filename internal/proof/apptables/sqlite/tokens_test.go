package apptables

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/sqlstoretest"
)

func tokens() error { return sqlstoretest.Child(connect) }

func TestTokens(t *testing.T) {
	t.Parallel()
	sqlstoretest.Run(t, sqlstoretest.Database{New: newDatabase, Connect: connect, Files: filesOf})
}

// Connections that do not wait for each other fail no call.
func TestTokensWithoutBusyTimeout(t *testing.T) {
	t.Parallel()
	sqlstoretest.Interfaces(t, sqlstoretest.Database{New: newDatabase, Connect: func(address string) (*sql.DB, error) {
		return sql.Open("sqlite", "file:"+address+"?_pragma=journal_mode(wal)")
	}})
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
