package apptables

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/sqlstoretest"
)

func tokens() error { return sqlstoretest.Child(connect) }

func TestTokens(t *testing.T) {
	t.Parallel()
	sqlstoretest.Run(t, sqlstoretest.Database{New: newDatabase, Connect: connect, Files: filesOf})
}

// A lost race is no failure where transactions are serializable either.
func TestTokensSerializable(t *testing.T) {
	t.Parallel()
	sqlstoretest.Interfaces(t, sqlstoretest.Database{New: newDatabase, Connect: func(address string) (*sql.DB, error) {
		return connect(address + "&default_transaction_isolation=serializable")
	}})
}

// filesOf returns what somebody has who steals the disk of a database.
func filesOf(t testing.TB, address string) [][]byte {
	t.Helper()
	if _, err := opened(t, address).ExecContext(t.Context(), "CHECKPOINT"); err != nil {
		t.Fatal(err)
	}
	return files(t, cluster.Dir())
}

// files returns all files of a server, among them its tables, its log of writes and its log of messages.
func files(t testing.TB, dir string) (all [][]byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			var data []byte
			data, err = os.ReadFile(path)
			all = append(all, data)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the server removes files meanwhile
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
