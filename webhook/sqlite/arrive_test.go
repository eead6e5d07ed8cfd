package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A backup is moved to the name of the file: that is reported once, and not at later starts.
func TestRestoredFileIsReported(t *testing.T) {
	t.Parallel()
	name, backup := filepath.Join(t.TempDir(), "inbox.db"), filepath.Join(t.TempDir(), "backup.db")
	opened := func() (reports []string) {
		t.Helper()
		in, err := Open(t.Context(), name, Options{OnError: func(err error) { reports = append(reports, err.Error()) }})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(backup); os.IsNotExist(err) {
			if _, err := in.db.ExecContext(t.Context(), "VACUUM INTO '"+backup+"'"); err != nil {
				t.Fatal(err)
			}
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		return reports
	}
	for range 2 {
		if reports := opened(); len(reports) > 0 {
			t.Errorf("the same file: reported %q", reports)
		}
	}
	for _, old := range []string{name + "-wal", name + "-shm"} {
		if err := os.Remove(old); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if err := os.Rename(backup, name); err != nil {
		t.Fatal(err)
	}
	if reports := opened(); len(reports) != 1 || !strings.Contains(reports[0], "run a Sweep") {
		t.Errorf("another file: reported %q, want one report with the steps", reports)
	}
	if err := os.WriteFile(backup, nil, 0o600); err != nil { // none is made
		t.Fatal(err)
	}
	if reports := opened(); len(reports) > 0 {
		t.Errorf("the other file again: reported %q", reports)
	}
}
