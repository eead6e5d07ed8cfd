package inboxtest_test

import (
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// An entry of a model of fairness. Only what a design may look at is in it.
type queued struct {
	store int
	seq   int  // of its arrival
	since int  // when it became due
	tag   int  // given to it by a design at its arrival
	rests bool // it is not due yet
}

// order is a way to choose the next entry of those that are due.
type order struct {
	name string
	tag  func(m *fairness, e *queued)            // nil: entries have no tags
	next func(m *fairness, process int) (at int) // of the entries that are due
	fair bool
}

// fairness is a state of the model.
type fairness struct {
	now      int
	entries  []queued
	leased   map[int]int    // when each store had its last lease
	lastTag  map[int]int    // of each store
	virtual  int            // the tag that was leased last
	cursor   [2]int         // the store that each process has leased from last
	waiting  map[int]int    // since when each store waits for a lease; absent: it does not
	overdone string         // a store had two leases while another one waited
	since    map[[2]int]int // leases that the second store had since the first began to wait
}

// best returns the entry that is due with the least value.
func (m *fairness) best(value func(e queued) [2]int) int {
	at := -1
	for i, e := range m.entries {
		if e.rests {
			continue
		}
		if at < 0 || less(value(e), value(m.entries[at])) {
			at = i
		}
	}
	return at
}

func less(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

// orders are designs of Lease.
var orders = []order{
	{name: "the entry that is due longest", next: func(m *fairness, _ int) int {
		return m.best(func(e queued) [2]int { return [2]int{e.since, e.seq} })
	}},
	{name: "stores by number, with a cursor in each process", next: func(m *fairness, process int) int {
		const stores = 3
		return m.best(func(e queued) [2]int {
			return [2]int{(e.store - m.cursor[process] - 1 + stores) % stores, e.seq}
		})
	}},
	{name: "start tags that are given at the arrival", tag: func(m *fairness, e *queued) {
		e.tag = max(m.virtual, m.lastTag[e.store]+1)
		m.lastTag[e.store] = e.tag
	}, next: func(m *fairness, _ int) int {
		return m.best(func(e queued) [2]int { return [2]int{e.tag, e.seq} })
	}},
	{name: "turns: since the last lease of a store, or since its entry is due", fair: true, next: func(m *fairness, _ int) int {
		return m.best(func(e queued) [2]int {
			return [2]int{max(m.waiting[e.store], m.leased[e.store]), e.since*1000 + e.seq}
		})
	}},
}

// step does what a letter says: an entry of a store arrives (a, b, c), one arrives that rests (A, C), all that rest
// become due (d), or a process leases (0, 1).
func (m *fairness) step(o order, letter byte) {
	m.now++
	switch letter {
	case 'd':
		for i := range m.entries {
			if m.entries[i].rests {
				m.entries[i].rests, m.entries[i].since = false, m.now
			}
		}
	case '0', '1':
		if at := o.next(m, int(letter-'0')); at >= 0 {
			m.lease(at, int(letter-'0'))
		}
	default:
		e := queued{store: int(letter|0x20) - 'a', seq: m.now, since: m.now, rests: letter < 'a'}
		if o.tag != nil {
			o.tag(m, &e)
		}
		m.entries = append(m.entries, e)
	}
	for _, e := range m.entries {
		if _, waits := m.waiting[e.store]; !waits && !e.rests {
			m.waiting[e.store] = m.now
			for other := range 3 {
				m.since[[2]int{e.store, other}] = 0
			}
		}
	}
}

func (m *fairness) lease(at, process int) {
	e := m.entries[at]
	m.entries = append(m.entries[:at:at], m.entries[at+1:]...)
	m.leased[e.store], m.cursor[process], m.virtual = m.now, e.store, max(m.virtual, e.tag)
	delete(m.waiting, e.store)
	for other := range m.waiting {
		pair := [2]int{other, e.store}
		if m.since[pair]++; m.since[pair] > 1 {
			m.overdone = fmt.Sprintf("store %c has two leases while %c waits", 'a'+e.store, 'a'+other)
		}
	}
}

// play returns what was unfair in a story.
func play(o order, story []byte) string {
	m := &fairness{leased: map[int]int{}, lastTag: map[int]int{}, waiting: map[int]int{}, since: map[[2]int]int{}}
	for _, letter := range story {
		if m.step(o, letter); m.overdone != "" {
			return fmt.Sprintf("%s: %s", story, m.overdone)
		}
	}
	return ""
}

// TestProofTurns plays all short stories with each design of Lease. An order that looks at entries only lets a store
// wait for the backlog of another one; a memory in each process is not that of all; and a place in the order that is
// given at the arrival is wrong once the entry has rested.
func TestProofTurns(t *testing.T) {
	const letters = "aAcCd01"
	length := tier.Size(5, 6, 8)
	for _, o := range orders {
		stories, unfair := 0, ""
		for _, begin := range []string{"aab0", "AAbbbb0000"} { // so that the rest is short
			for n := 0; unfair == "" && n < pow(len(letters), length); n++ {
				story := []byte(begin)
				for rest := n; len(story) < len(begin)+length; rest /= len(letters) {
					story = append(story, letters[rest%len(letters)])
				}
				unfair = play(o, story)
				stories++
			}
		}
		t.Logf("%s: %d stories; %s", o.name, stories, unfair)
		if (unfair == "") != o.fair {
			t.Errorf("%s: is fair: %v, want %v", o.name, unfair == "", o.fair)
		}
	}
}

func pow(base, exponent int) int {
	n := 1
	for range exponent {
		n *= base
	}
	return n
}
