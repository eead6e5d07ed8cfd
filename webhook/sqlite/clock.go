package sqlite

import (
	"sync/atomic"
	"time"
)

// clock is the clock of an inbox. It starts with the clock of the machine and then continues monotonically. So setting
// the time of the machine neither ends leases nor makes them endless. Each write stores the time. A process that reads
// a later time than its own continues from that. So for all processes of a file, the clock only moves forward.
type clock struct {
	began time.Time
	ahead *atomic.Int64 // of began, in nanoseconds
}

func startClock() clock { return clock{time.Now(), new(atomic.Int64)} }

// now returns nanoseconds since 1970.
func (c clock) now() int64 {
	return c.began.UnixNano() + int64(time.Since(c.began)) + c.ahead.Load()
}

// after returns a time later than the given one.
func (c clock) after(last int64) int64 {
	for {
		ahead := c.ahead.Load()
		if now := c.now(); now > last {
			return now
		}
		behind := last + 1 - (c.began.UnixNano() + int64(time.Since(c.began)))
		c.ahead.CompareAndSwap(ahead, max(ahead, behind))
	}
}

// instant returns the time of a column; 0 is the zero time.
func instant(at int64) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return time.Unix(0, at)
}

// later returns at + d, or the last time that fits a column.
func later(at int64, d time.Duration) int64 {
	const last = 1<<63 - 1
	if int64(d) > last-at {
		return last
	}
	return at + int64(d)
}
