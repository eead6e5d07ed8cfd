package sqlite_test

import (
	"errors"
	"os"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// A byte of the log is lost between two writes of a transaction, or of two processes, and the log goes on after it:
// what is in its end is not found again.
func TestHoleInLog(t *testing.T) {
	t.Parallel()
	in, path := replaceable(t)
	other, err := sqlite.Open(t.Context(), path, sqlite.Options{}) // which begins the log again
	done(t, err)
	defer other.Close()
	accepted(t, in, "before")
	log := path + "-wal"
	begun, err := os.Stat(log)
	done(t, err)
	for _, key := range []string{"a", "b", "c"} {
		accepted(t, other, key)
	}
	grown, err := os.Stat(log)
	done(t, err)
	if grown.Size() <= begun.Size() {
		t.Fatalf("the log has %d bytes, and had %d", grown.Size(), begun.Size())
	}
	file, err := os.OpenFile(log, os.O_RDWR, 0)
	done(t, err)
	defer file.Close()
	at := begun.Size() + 24 // in the first page that was written since
	was := make([]byte, 1)
	_, err = file.ReadAt(was, at)
	done(t, err)
	_, err = file.WriteAt([]byte{^was[0]}, at)
	done(t, err)
	if _, err := in.Accept(t.Context(), delivery("after")); !errors.Is(err, sqlite.ErrBroken) {
		t.Errorf("Accept: %v, want ErrBroken", err)
	}
}
