package inboxtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// event is one step of a world. It is written out for traces only.
type event struct {
	verb   string
	worker int // -1 if none acts
	value  uint8
}

func (e event) String() string {
	verb := e.verb
	if strings.Contains(verb, "%") {
		verb = fmt.Sprintf(verb, e.value)
	}
	if e.worker < 0 {
		return verb
	}
	return fmt.Sprintf("worker %c %s", 'A'+rune(e.worker), verb)
}

// steps calls next with each world that may follow w. The world is next's until it returns.
func (d design) steps(w world, next func(event, *world)) {
	n := new(world)
	if w.version < occurrences {
		*n = w
		n.version++
		n.unsaid++
		next(event{"the record changes to version %d", -1, n.version}, n)
	}
	if w.unsaid > 0 {
		*n = w
		d.store.accept(n)
		n.unsaid--
		next(event{"a delivery is accepted", -1, 0}, n)
		if n.left.lost > 0 {
			n.unsaid++
			n.left.lost--
			next(event{"a delivery is accepted, 2xx is lost", -1, 0}, n)
		}
	}
	for i := range w.workers {
		d.workerSteps(w, i, n, next)
	}
	if *n = w; d.store.reclaim(n) {
		next(event{"the lease of the crashed worker ends", -1, 0}, n)
	}
	if *n = w; w.left.crashes > 0 && d.store.restart(n) {
		n.left.crashes--
		next(event{"the server crashes, and has not kept its last transaction", -1, 0}, n)
	}
}

func (d design) workerSteps(w world, i int, n *world, next func(event, *world)) {
	*n = w
	k := &n.workers[i]
	switch k.phase {
	case idle:
		if d.store.lease(n, i) {
			next(event{"leases", i, 0}, n)
		}
	case hasLease:
		k.phase, k.read = hasRead, w.version
		next(event{"reads version %d", i, k.read}, n)
	case hasRead:
		d.guard(n, k)
		k.phase, k.read, k.token = hasApplied, 0, 0
		next(event{"writes; the copy is of version %d", i, n.copied}, n)
	case hasApplied:
		d.store.commit(n, i)
		if n.left.lost > 0 {
			n.left.lost--
			next(event{"commits in a group whose answer is lost", i, 0}, n)
			n.left.lost++
		}
		*k = worker{}
		next(event{"commits", i, 0}, n)
	}
	if *n = w; w.left.crashes > 0 && d.store.crash(n, i) {
		n.workers[i] = worker{}
		n.left.crashes--
		next(event{"crashes", i, 0}, n)
	}
	if *n = w; w.left.expired > 0 && d.store.expire(n, i) {
		n.left.expired--
		next(event{"goes on though its lease ends", i, 0}, n)
	}
}

// search is all worlds that a design can get to.
type search struct {
	design design
	states []bits
	parent []uint32 // the state it was reached from first, in as few steps as possible
	slots  []uint32 // a hash table of numbers of states, plus 1
}

// explore returns the number of states, and the shortest way to one where nothing is
// left to do and the copy is not of the last version; nil if there is none.
func explore(d design, f faults) (states int, lost []string) {
	s := &search{design: d, slots: make([]uint32, 1<<16)}
	begin := world{left: f}
	s.add(begin.pack(), 0)
	end := -1
	for at := 0; at < len(s.states); at++ {
		w := s.states[at].unpack()
		stuck := true
		d.steps(w, func(_ event, n *world) {
			stuck = false
			s.add(n.pack(), uint32(at))
		})
		if end < 0 && (stuck && !w.settled() || w.settled() && w.copied != w.version) {
			end = at
		}
	}
	if end < 0 {
		return len(s.states), nil
	}
	return len(s.states), s.trace(begin, end)
}

// add notes a state unless it is known.
func (s *search) add(b bits, from uint32) {
	if 2*len(s.states) >= len(s.slots) {
		s.slots = make([]uint32, 4*len(s.slots))
		for i, known := range s.states {
			s.slots[s.slot(known)] = uint32(i) + 1
		}
	}
	slot := s.slot(b)
	if s.slots[slot] == 0 {
		s.states = append(s.states, b)
		s.parent = append(s.parent, from)
		s.slots[slot] = uint32(len(s.states))
	}
}

// slot is where a state is, or where it would be.
func (s *search) slot(b bits) int {
	mask := len(s.slots) - 1
	h := uint64(b) * 0x9e3779b97f4a7c15
	for slot := int(h>>24) & mask; ; slot = (slot + 1) & mask {
		if n := s.slots[slot]; n == 0 || s.states[n-1] == b {
			return slot
		}
	}
}

// trace plays the way to a state again, so that workers keep their names.
func (s *search) trace(begin world, end int) []string {
	var way []bits
	for at := end; at != 0; at = int(s.parent[at]) {
		way = append(way, s.states[at])
	}
	slices.Reverse(way)
	var lines []string
	w := begin
	for _, want := range way {
		found := false
		s.design.steps(w, func(e event, n *world) {
			if !found && n.pack() == want {
				found, w = true, *n
				lines = append(lines, e.String())
			}
		})
	}
	return append(lines, fmt.Sprintf("nothing is left to do; the record is of version %d, the copy of version %d", w.version, w.copied))
}

// TestProofModel explores each design to the end. All that remember bodies, or only
// that something is running, lose updates without any fault. Generations lose none;
// where a lease can end under a worker that goes on, they need a guard on what it writes.
//
// Commits may be taken back by a crash of the server, and groups of them may break: written, and nobody hears of it.
// Neither leases nor arrivals may be taken back. A group that fails changes nothing, and its commits come one by one.
func TestProofModel(t *testing.T) {
	none := faults{}
	usual := faults{crashes: 2, lost: 2}
	some := faults{crashes: 2, lost: 1, expired: 1}
	all := faults{crashes: 2, lost: 2, expired: 2}
	some, all = tier.Size(some, some, all), tier.Size(all, all, faults{crashes: 3, lost: 3, expired: 3})
	for _, test := range []struct {
		design string
		faults faults
		loses  bool
	}{
		{"A", none, true}, {"A", all, true},
		{"B", none, true}, {"B", all, true},
		{"C", none, true}, {"C", all, true},
		{"D", none, true}, {"D", all, true},
		{"E", none, false}, {"E", usual, false}, {"E", all, true},
		{"F", none, false}, {"F", all, false},
		{"G", none, false}, {"G", all, false},
		{"H", none, false}, {"H", some, false}, {"I", some, true}, {"J", some, true},
	} {
		d := designs[test.design]
		states, lost := explore(d, test.faults)
		verdict := "no update is lost"
		if lost != nil {
			verdict = "LOST:\n\t" + strings.Join(lost, "\n\t")
		}
		t.Logf("%s (%s) with %d crashes, %d lost answers, %d leases that end early: %d states, %s", test.design, d.name,
			test.faults.crashes, test.faults.lost, test.faults.expired, states, verdict)
		if (lost != nil) != test.loses {
			t.Errorf("%s: an update is lost: %v, want %v", test.design, lost != nil, test.loses)
		}
	}
}
