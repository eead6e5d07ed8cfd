//go:build unix

package bench

import (
	"syscall"
	"time"
)

// ProcessorTime returns what the process has used of all processors.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
