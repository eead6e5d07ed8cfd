package callback

import (
	"sync"
	"time"
)

// logEvery is the shortest time between two lines of the log for one reason.
const logEvery = time.Minute

// Seldom bounds a log that strangers can write to: of each reason it lets the first line through, and then at most one
// a minute. Reasons must be few, because it keeps all of them. The zero value is ready, and safe for concurrent use.
type Seldom struct {
	mu    sync.Mutex
	lines map[string]*seldomLine
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
	l := s.lines[reason]
	switch {
	case l == nil:
		if s.lines == nil {
			s.lines = make(map[string]*seldomLine)
		}
		s.lines[reason] = &seldomLine{last: now}
		return 0, true
	case now.Sub(l.last) < logEvery:
		l.since++
		return 0, false
	}
	since, l.since, l.last = l.since, 0, now
	return since, true
}
