package traffic

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Fault is one thing that goes wrong.
type Fault struct {
	// Op is the id of the operation; "*" is every operation.
	Op string
	// Count is how many requests are hit; 0 is all of them.
	Count int
	// Skip lets that many requests pass first.
	Skip int

	// Delay holds the request back, by the server's clock, before anything else.
	Delay time.Duration
	// Status answers in the place of the operation, with Header and Body as given;
	// no Body is the platform's own for that status.
	Status int
	Header http.Header
	Body   string
	// Reset cuts the connection instead of answering.
	Reset bool
	// Truncate announces the whole answer and sends half of it.
	Truncate bool
	// After lets the operation do its work first: what Status or Reset hides from
	// the caller has happened all the same.
	After bool
}

// Armed is a rule and what became of it.
type Armed struct {
	ID    int
	Fault Fault
	// Hits counts the requests that the rule has gone wrong for.
	Hits int
	// Done is set once Count is reached.
	Done bool
}

// Faults holds the rules. It is safe for concurrent use.
type Faults struct {
	known func(op string) bool

	mu    sync.Mutex
	seen  []int
	rules []Armed
}

// NewFaults returns a set without rules; known says which operations exist.
func NewFaults(known func(op string) bool) *Faults { return &Faults{known: known} }

// Arm adds a rule and returns its id. A rule about an operation that does not
// exist would never do anything, so it is refused, as is a number that means nothing.
func (s *Faults) Arm(r Fault) (int, error) {
	switch {
	case r.Op != "*" && !s.known(r.Op):
		return 0, fmt.Errorf("fault: no operation %q", r.Op)
	case r.Status != 0 && (r.Status < 200 || r.Status > 599):
		return 0, fmt.Errorf("fault: status %d: must be 0 or 200 to 599", r.Status)
	case r.Count < 0:
		return 0, fmt.Errorf("fault: count %d: must be 0 or more", r.Count)
	case r.Skip < 0:
		return 0, fmt.Errorf("fault: skip %d: must be 0 or more", r.Skip)
	case r.Delay < 0:
		return 0, fmt.Errorf("fault: delay %s: must be 0 or more", r.Delay)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, Armed{ID: len(s.rules) + 1, Fault: r})
	s.seen = append(s.seen, 0)
	return len(s.rules), nil
}

// Disarm ends a rule. It reports whether the rule was still at work.
func (s *Faults) Disarm(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 1 || id > len(s.rules) || s.rules[id-1].Done {
		return false
	}
	s.rules[id-1].Done = true
	return true
}

// Rules returns every rule there ever was, with its hits.
func (s *Faults) Rules() []Armed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Armed(nil), s.rules...)
}

// Take returns the rule that a request to the operation is hit by: the oldest
// that is not used up.
func (s *Faults) Take(op string) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.rules {
		a := &s.rules[i]
		if a.Done || (a.Fault.Op != "*" && a.Fault.Op != op) {
			continue
		}
		if s.seen[i]++; s.seen[i] <= a.Fault.Skip {
			continue
		}
		a.Hits++
		a.Done = a.Fault.Count > 0 && a.Hits >= a.Fault.Count
		return a.Fault, true
	}
	return Fault{}, false
}
