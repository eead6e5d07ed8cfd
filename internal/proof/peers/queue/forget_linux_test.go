package queue

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// forget has the system write files to the disk and drop them from its cache, and reports whether it can.
func forget(b *testing.B, paths ...string) bool {
	b.Helper()
	for _, path := range paths {
		file, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			b.Fatal(err)
		}
		err = errors.Join(file.Sync(), unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED), file.Close())
		if err != nil {
			b.Fatal(err)
		}
	}
	return true
}
