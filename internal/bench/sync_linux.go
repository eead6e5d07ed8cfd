package bench

import (
	"os"
	"syscall"
)

// datasync waits until what was written is on the disk; when it was written need not be.
func datasync(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }
