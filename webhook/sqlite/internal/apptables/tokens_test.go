package apptables

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/sqlstoretest"
)

func tokens() error { return sqlstoretest.Child(connect) }

func TestTokens(t *testing.T) {
	sqlstoretest.Run(t, sqlstoretest.Database{New: newDatabase, Connect: connect, Files: filesOf})
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
