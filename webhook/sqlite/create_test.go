package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// The directory of a new file is synced once the file is there, so that a power cut does not take the name away: also
// where the path is a link. It is not synced for a file that exists, and a failure is one of Open.
func TestNewFilesKeepTheirName(t *testing.T) {
	t.Parallel()
	elsewhere, dir := t.TempDir(), t.TempDir()
	path, link := filepath.Join(dir, "inbox.db"), filepath.Join(dir, "link.db")
	if err := os.Symlink(filepath.Join(elsewhere, "target.db"), link); err != nil {
		t.Fatal(err)
	}
	var synced []string
	sync := func(directory string) error {
		for _, name := range []string{"inbox.db", "target.db"} {
			if info, err := os.Stat(filepath.Join(directory, name)); err == nil && info.Mode().Perm() == 0o600 {
				synced = append(synced, directory)
			}
		}
		return sqlite.SyncDirectory(directory)
	}
	for range 2 {
		for _, path := range []string{path, link} {
			if err := sqlite.Create(path, sync); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []string{dir, elsewhere}; !slices.Equal(synced, want) {
		t.Errorf("synced %q, want %q", synced, want)
	}
	broken := errors.New("the disk is gone")
	if err := sqlite.Create(filepath.Join(dir, "another.db"), func(string) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v, want the failure of the sync", err)
	}
	if err := sqlite.SyncDirectory(filepath.Join(dir, "nothing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that does not exist: got %v", err)
	}
}
