package callback

import (
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/lru"
)

const (
	// logEvery is the shortest time between two lines of the log for one reason.
	logEvery = time.Minute
	// mostReasons is how many reasons are remembered. The least recent ones are forgotten.
	mostReasons = 1024
)

// Seldom bounds a log that strangers can write to: of each reason it lets the first line through, and then at most one
// a minute. The zero value is ready, and safe for concurrent use.
type Seldom struct {
	mu    sync.Mutex
	lines lru.Map[string, *seldomLine]
}

// seldomLine is what was logged for a reason.
type seldomLine struct {
	last  time.Time
	since int // that were not logged
}

// Due reports whether a line is due for a reason, and how many were left out since the last one.
func (s *Seldom) Due(reason string) (since int, due bool) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.lines.Get(reason)
	switch {
	case !ok:
		s.lines.Put(reason, &seldomLine{last: now})
		for oldest := range s.lines.All() {
			if s.lines.Len() <= mostReasons {
				break
			}
			s.lines.Remove(oldest)
		}
		return 0, true
	case now.Sub(l.last) < logEvery:
		l.since++
		return 0, false
	}
	since, l.since, l.last = l.since, 0, now
	return since, true
}
