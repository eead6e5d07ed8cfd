package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// Code of the process reads the files and closes them, as a backup does. That ends the locks of SQLite, and another
// process that looks at the file then takes the log of writes away, since it believes to be the last.
func TestReadsItsOwnFile(t *testing.T) {
	t.Parallel()
	in, path := replaceable(t)
	var acknowledged []string
	refused := 0
	for i := range 20 {
		for _, part := range []string{"", "-wal", "-shm"} {
			_, err := os.ReadFile(path + part)
			done(t, err)
		}
		looksAt(t, path)
		key := fmt.Sprint("after ", i)
		switch _, err := in.Accept(t.Context(), delivery(key)); {
		case err == nil:
			acknowledged = append(acknowledged, key)
		case errors.Is(err, sqlite.ErrBroken):
			refused++
		default:
			t.Error(err)
		}
	}
	keys, err := found(t, path)
	done(t, err)
	for _, key := range acknowledged {
		if !keys[key] {
			t.Errorf("%s was acknowledged and is lost", key)
		}
	}
	// Linux has locks that do not end so.
	if runtime.GOOS == "linux" && refused > 0 {
		t.Errorf("%d of 20 were refused, want 0", refused)
	}
}

// looksAt has another process look at the file.
func looksAt(t *testing.T, path string) {
	t.Helper()
	proctest.Run(t, "visitor", childFile+"="+path)
}

// Two inboxes of one process have the same file, and one is closed: the other keeps its log of writes.
func TestClosedBesideAnother(t *testing.T) {
	t.Parallel()
	in, path := replaceable(t)
	for i := range 3 {
		beside, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		done(t, err)
		accepted(t, beside, fmt.Sprint("beside ", i))
		done(t, beside.Close())
		looksAt(t, path)
		accepted(t, in, fmt.Sprint("after ", i))
	}
	done(t, in.Close())
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the log is left when all are closed: %v", err)
	}
	if s, err := inbox(t, path, sqlite.Options{}).Stats(t.Context()); err != nil || s.Pending != 17 {
		t.Errorf("%d pending, %v; want 17", s.Pending, err)
	}
}
