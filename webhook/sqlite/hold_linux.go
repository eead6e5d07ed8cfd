package sqlite

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// openHeld opens the file in addition to SQLite, to read it. It holds the lock with which SQLite prevents other
// processes from deleting the write-ahead log. The lock of SQLite itself ends when any code of this process reads the
// file and closes it. This lock belongs to the open file. On a file system without such locks there is only the lock of
// SQLite.
func openHeld(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err == nil {
		_ = lock(f, unix.F_RDLCK)
	}
	return f, err
}

// letGo releases the lock. The file must be closed after SQLite has closed its own, because closing it ends their
// locks.
func letGo(f *os.File) { _ = lock(f, unix.F_UNLCK) }

// lock sets a lock on the bytes that SQLite locks while a connection is open.
func lock(f *os.File, kind int16) error {
	const firstShared, shared = 0x40000002, 510
	return unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: firstShared, Len: shared})
}
