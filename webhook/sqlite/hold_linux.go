package sqlite

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// openHeld opens the file beside SQLite, to read it, and keeps the lock by which SQLite keeps other processes from
// taking the log of writes away. The lock of SQLite itself ends when any code of this process reads the file and closes
// it. This one belongs to the open file. A file system without such locks has the lock of SQLite only.
func openHeld(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err == nil {
		_ = lock(f, unix.F_RDLCK)
	}
	return f, err
}

// letGo ends the lock. The file must be closed after SQLite has closed its own: to close it ends their locks.
func letGo(f *os.File) { _ = lock(f, unix.F_UNLCK) }

// lock sets a lock on the bytes that SQLite locks while a connection is open.
func lock(f *os.File, kind int16) error {
	const firstShared, shared = 0x40000002, 510
	return unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: firstShared, Len: shared})
}
