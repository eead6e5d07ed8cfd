package traffic

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Fault is one thing that goes wrong.
type Fault struct {
	// Op is the id of the operation; "*" is every operation of the API, and not Token.
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
	// After lets the operation do its work first. The change has then happened, although Status or Reset hides it from
	// the caller.
	After bool
}

// Token is the id of the token request, which is not an operation of the API.
const Token = "oauth.token"

// Armed is a rule and what became of it.
type Armed struct {
	ID    int
	Fault Fault
	// Hits counts the requests that the rule has gone wrong for.
	Hits int
	// Done is set once Count is reached, or the rule was disarmed.
	Done bool
}

// The bounds of Faults. Each armed rule costs every request a little.
const (
	MostArmed = 1000
	mostEnded = 1000
)

// Faults holds the rules. It is safe for concurrent use.
type Faults struct {
	known func(op string) bool

	mu    sync.Mutex
	last  int     // the id of the newest rule
	armed []*rule // by id
	ended []Armed // the last mostEnded, in the order in which they ended
}

// rule is one that is armed, with the number of requests that it was asked for.
type rule struct {
	Armed
	seen int
}

// NewFaults returns a set without rules; known says which operations exist.
func NewFaults(known func(op string) bool) *Faults { return &Faults{known: known} }

// Arm adds a rule and returns it. A rule about an operation that does not exist would never do anything, so it is
// refused, as is a number that means nothing, and a rule above MostArmed.
func (s *Faults) Arm(r Fault) (Armed, error) {
	switch {
	case r.Op != "*" && !s.known(r.Op):
		return Armed{}, fmt.Errorf("fault: no operation %q", r.Op)
	case r.Status != 0 && (r.Status < 200 || r.Status > 599):
		return Armed{}, fmt.Errorf("fault: status %d: must be 200 to 599", r.Status)
	case r.Count < 0:
		return Armed{}, fmt.Errorf("fault: count %d: must be 0 or more", r.Count)
	case r.Skip < 0:
		return Armed{}, fmt.Errorf("fault: skip %d: must be 0 or more", r.Skip)
	case r.Delay < 0:
		return Armed{}, fmt.Errorf("fault: delay %s: must be 0 or more", r.Delay)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.armed) >= MostArmed {
		return Armed{}, fmt.Errorf("fault: %d are armed, which is the most: end some of them first", MostArmed)
	}
	s.last++
	added := &rule{Armed: Armed{ID: s.last, Fault: r}}
	s.armed = append(s.armed, added)
	return added.Armed, nil
}

// Disarm ends a rule. It reports whether the rule was still armed.
func (s *Faults) Disarm(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.armed, func(a *rule) bool { return a.ID == id })
	if i >= 0 {
		s.end(i)
	}
	return i >= 0
}

// DisarmAll ends all rules, and returns their number.
func (s *Faults) DisarmAll() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.armed)
	for range n {
		s.end(0)
	}
	return n
}

// end ends an armed rule. The lock is held.
func (s *Faults) end(i int) {
	s.armed[i].Done = true
	s.ended = append(s.ended, s.armed[i].Armed)
	s.ended = s.ended[max(0, len(s.ended)-mostEnded):]
	s.armed = slices.Delete(s.armed, i, i+1)
}

// Rules returns the rules that are armed and the last 1,000 that have ended, by id, with their hits.
func (s *Faults) Rules() []Armed {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.ended)
	for _, a := range s.armed {
		all = append(all, a.Armed)
	}
	slices.SortFunc(all, func(a, b Armed) int { return a.ID - b.ID })
	return all
}

// Take returns the rule that a request to the operation is hit by: the oldest
// that is not used up.
func (s *Faults) Take(op string) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.armed {
		if a.Fault.Op != op && (a.Fault.Op != "*" || op == Token) {
			continue
		}
		if a.seen++; a.seen <= a.Fault.Skip {
			continue
		}
		if a.Hits++; a.Fault.Count > 0 && a.Hits >= a.Fault.Count {
			s.end(i)
		}
		return a.Fault, true
	}
	return Fault{}, false
}
