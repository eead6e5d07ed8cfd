package hostile

import (
	"fmt"
	"runtime"
	"time"
)

// Spent is what a call cost.
type Spent struct {
	Time  time.Duration // on the clock, so that other work of the machine is in it
	Bytes uint64        // allocated in all, whether freed since or not, by this goroutine and every other
}

// String gives both, as "1.5ms and 4096 bytes".
func (s Spent) String() string {
	return fmt.Sprintf("%v and %d bytes", s.Time, s.Bytes)
}

// Max returns the greater of each figure.
func (s Spent) Max(other Spent) Spent {
	return Spent{Time: max(s.Time, other.Time), Bytes: max(s.Bytes, other.Bytes)}
}

// Cost runs f and returns what that cost.
func Cost(f func()) Spent {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return Spent{Time: took, Bytes: after.TotalAlloc - before.TotalAlloc}
}
