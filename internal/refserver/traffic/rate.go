package traffic

import (
	"math"
	"sync"
	"time"
)

// Rate is the size of a bucket and how many requests leave it per second.
type Rate struct{ Bucket, Leak int }

// StandardRate is the rate of a store on an ordinary plan.
func StandardRate() Rate { return Rate{Bucket: 40, Leak: 2} }

// Times is the rate of a plan that allows n times as much.
func (r Rate) Times(n int) Rate { return Rate{Bucket: r.Bucket * n, Leak: r.Leak * n} }

// Key names a bucket.
type Key struct{ App, Store int64 }

// Level is what the headers of an answer tell.
type Level struct {
	Limit, Remaining int
	// Reset is the time until the bucket is empty, not until there is room.
	Reset time.Duration
}

// Limiter holds the buckets. The zero value is ready and safe for concurrent use.
type Limiter struct {
	mu      sync.Mutex
	buckets map[Key]bucket
}

type bucket struct {
	level float64
	at    time.Time
}

// Take counts a request at the time now. It reports whether there was room.
func (l *Limiter) Take(k Key, r Rate, now time.Time) (Level, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buckets == nil {
		l.buckets = map[Key]bucket{}
	}
	b := l.buckets[k]
	if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.level = max(0, b.level-passed*float64(r.Leak))
		b.at = now
	}
	// Less than a thousandth of a request is rounding, not a request.
	ok := b.level+1 <= float64(r.Bucket)+1e-3
	if ok {
		b.level++
	}
	l.buckets[k] = b
	return b.status(r), ok
}

func (b bucket) status(r Rate) Level {
	s := Level{Limit: r.Bucket, Remaining: max(0, int(math.Floor(float64(r.Bucket)-b.level+1e-3)))}
	if r.Leak > 0 {
		s.Reset = time.Duration(b.level / float64(r.Leak) * float64(time.Second))
	}
	return s
}
