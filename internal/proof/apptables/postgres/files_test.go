package apptables

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

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
