package restores

import (
	"os"
	"path/filepath"
	"testing"

	"modernc.org/sqlite"

	inboxes "github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// openFile opens the file of an app.
func openFile(t *testing.T, name string, o *outside) *app {
	t.Helper()
	var r reports
	in, err := inboxes.Open(t.Context(), name, inboxes.Options{OnError: r.add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	return newApp(t, in, &r, o)
}

func opensFile(name string) func(t *testing.T, o *outside) *app {
	return func(t *testing.T, o *outside) *app { return openFile(t, name, o) }
}

func vacuumed(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	name := filepath.Join(t.TempDir(), "backup.db")
	if _, err := a.db.ExecContext(a, "VACUUM INTO '"+name+"'"); err != nil {
		t.Fatal(err)
	}
	return opensFile(name)
}

// backedUp uses the backup API of SQLite.
func backedUp(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	name := filepath.Join(t.TempDir(), "backup.db")
	c, err := a.db.Conn(a)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	err = c.Raw(func(driver any) error {
		b, err := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		}).NewBackup(name)
		if err != nil {
			return err
		}
		for more := true; more; {
			if more, err = b.Step(-1); err != nil {
				return err
			}
		}
		return b.Finish()
	})
	if err != nil {
		t.Fatal(err)
	}
	return opensFile(name)
}

// overwritten copies a backup into the file of the app, whose process has ended. No restore of SQLite leaves less of a
// trace.
func overwritten(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	return back(t, a, copyFile)
}

// renamed moves a backup to the file of the app.
func renamed(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	return back(t, a, func(t *testing.T, from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	})
}

func back(t *testing.T, a *app, put func(t *testing.T, from, to string)) func(t *testing.T, o *outside) *app {
	t.Helper()
	backup := filepath.Join(t.TempDir(), "backup.db")
	if _, err := a.db.ExecContext(a, "VACUUM INTO '"+backup+"'"); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, o *outside) *app {
		name := fileOf(t, a)
		end(t, a)
		for _, old := range []string{name + "-wal", name + "-shm"} {
			if err := os.Remove(old); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		put(t, backup, name)
		return openFile(t, name, o)
	}
}

// copiedFiles copies the file and its log after the process has ended.
func copiedFiles(t *testing.T, a *app) func(t *testing.T, o *outside) *app {
	return func(t *testing.T, o *outside) *app {
		from, to := fileOf(t, a), filepath.Join(t.TempDir(), "copy.db")
		end(t, a)
		copyFile(t, from, to)
		if _, err := os.Stat(from + "-wal"); err == nil {
			copyFile(t, from+"-wal", to+"-wal")
		}
		return openFile(t, to, o)
	}
}

func fileOf(t *testing.T, a *app) (name string) {
	t.Helper()
	if err := a.db.QueryRowContext(a, "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&name); err != nil {
		t.Fatal(err)
	}
	return name
}

func end(t *testing.T, a *app) {
	t.Helper()
	if err := a.inbox.Close(); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestProofRestoresSQLite(t *testing.T) {
	for _, s := range []story{
		{name: "VACUUM INTO", take: vacuumed, reports: true},
		{name: "backup API", take: backedUp, reports: true},
		{name: "moved to the file", take: renamed, reports: true},
		{name: "copied into the file", take: overwritten, traceless: true},
		{name: "copied files", take: copiedFiles, latest: true, reports: true},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.run(t, openFile(t, filepath.Join(t.TempDir(), "app.db"), newOutside(t)))
		})
	}
}
