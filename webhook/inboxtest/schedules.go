package inboxtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Schedules runs random schedules for n records, and prints the seed.
//
// A record changes up to three times. The platform delivers each change, again if the answer was lost, and in any
// order. Three workers lease, read the record, write it into a copy that a fence guards, and commit. In between they
// crash, fail, dead-letter, release, or sleep until their lease has ended and then continue. About one record in four
// has a fact as its event. Two records share a lane. An operator replays dead entries.
// At every step the results of the inbox are compared with the history. At the end each copy must equal its record, so
// no update is lost. No lane may be held twice. No write of a worker may pass the fence after a later worker wrote.
//
// With a real clock a record takes about as long as twenty calls; 40 are enough to find mistakes.
func Schedules(t *testing.T, e Engine, n int, seed uint64) {
	t.Helper()
	bubble := e.Bubble
	if bubble == nil {
		bubble = func(t *testing.T, test func(t *testing.T)) { test(t) }
	}
	bubble(t, func(t *testing.T) {
		t.Logf("%d records, seed %d", n, seed)
		s := &schedule{
			probe:   open(t, e),
			rand:    rand.New(rand.NewPCG(seed, uint64(n))),
			records: make(map[string]*record),
			lanes:   make(map[string]*claim),
		}
		_, s.replays = s.inbox.(webhook.DeadLetters)
		s.handles = []webhook.Inbox{s.inbox}
		if e.Share != nil {
			s.handles = append(s.handles, e.Share(t, s.inbox), e.Share(t, s.inbox))
		}
		for started := 0; !t.Failed(); {
			for len(s.moving) < 4 && started < n {
				s.start(started)
				started++
			}
			if len(s.moving) == 0 {
				break
			}
			s.step()
		}
		if !t.Failed() {
			s.drain()
		}
		t.Logf("%d deliveries, %d leases, %d commits, of them %d to be run again, %d stale answers, %d stale effects refused by the fence",
			s.deliveries, s.leases, s.commits, s.agains, s.stale, s.fenced)
	})
}

// schedule is a world in which records change and workers copy them.
type schedule struct {
	*probe
	rand    *rand.Rand
	handles []webhook.Inbox
	records map[string]*record // by key
	lanes   map[string]*claim  // the last lease, until it was given back
	dead    []*record
	replays bool      // the engine has DeadLetters
	moving  []*record // records that still change or must still be delivered
	workers [3]*claim // the claim of each; nil while it is idle
	order   uint64    // of leases, counted here and not by the engine

	deliveries, leases, commits, agains, stale, fenced int
}

// record is the truth about one record, and the copy that workers make of it.
type record struct {
	entry   webhook.Entry
	changes int // to come
	version int
	copy    int
	fence   uint64 // the greatest token that has written
	wrote   uint64 // the latest lease, by order, that has written
	unsaid  int    // deliveries whose answer the platform has not received

	arrived    int // arrivals as in Lease.Count
	attempts   int
	unfinished int
	pending    bool
	dead       bool
	done       bool // a fact that was committed
}

func (s *schedule) start(n int) {
	e := signal(fmt.Sprintf("%d", n))
	changes := 1 + s.rand.IntN(3)
	if s.rand.IntN(4) == 0 {
		e, changes = fact(fmt.Sprintf("%d", n)), 1
	}
	e.Lane = fmt.Sprintf("lane %d", n/2)
	e.Settle = time.Duration(s.rand.IntN(2)) * pollin
	r := &record{entry: e, changes: changes}
	s.records[e.Key] = r
	s.moving = append(s.moving, r)
}

func (s *schedule) any() webhook.Inbox { return s.handles[s.rand.IntN(len(s.handles))] }

// step does one thing.
func (s *schedule) step() {
	if s.rand.IntN(4) == 0 {
		i := s.rand.IntN(len(s.moving))
		r := s.moving[i]
		if r.changes > 0 && (r.unsaid == 0 || s.rand.IntN(2) == 0) {
			r.changes--
			r.version++
			r.unsaid++
		} else {
			s.deliver(r)
		}
		if r.changes == 0 && r.unsaid == 0 {
			s.moving[i] = s.moving[len(s.moving)-1]
			s.moving = s.moving[:len(s.moving)-1]
		}
		return
	}
	if len(s.dead) > 0 && s.rand.IntN(16) == 0 {
		s.replay()
		return
	}
	w := s.rand.IntN(len(s.workers))
	s.workers[w] = s.work(s.workers[w], s.rand.IntN(24))
}

// deliver makes the inbox accept a delivery; sometimes the answer is lost.
func (s *schedule) deliver(r *record) {
	s.deliveries++
	got, err := s.any().Accept(s.Context(), r.entry)
	if err != nil {
		s.Errorf("Accept of %q: %v", r.entry.Key, err)
		return
	}
	want := webhook.OutcomeStored
	switch {
	case r.done, r.dead && r.entry.Kind == webhook.KindFact:
		want = webhook.OutcomeKnown
	case r.dead:
		want = webhook.OutcomeRevived
	case r.pending:
		want = webhook.OutcomeJoined
	}
	if got[0] != want {
		s.Errorf("Accept of %q: %s, want %s", r.entry.Key, got[0], want)
	}
	switch want {
	case webhook.OutcomeStored:
		r.pending, r.arrived, r.attempts, r.unfinished = true, 0, 0, 0
	case webhook.OutcomeRevived:
		s.live(r)
	}
	r.arrived++
	if s.rand.IntN(4) > 0 {
		r.unsaid--
	}
}

// live makes a dead record pending.
func (s *schedule) live(r *record) {
	r.pending, r.dead, r.attempts, r.unfinished = true, false, 0, 0
	s.dead = slices.DeleteFunc(s.dead, func(other *record) bool { return other == r })
}

// replay replays the entry that died first, as an operator does.
func (s *schedule) replay() {
	r := s.dead[0]
	n, err := s.any().(webhook.DeadLetters).Replay(s.Context(), r.entry.Key)
	if n != 1 || err != nil {
		s.Errorf("Replay of %q: %d, %v; want 1", r.entry.Key, n, err)
	}
	s.live(r)
}

// drain lets the workers finish without mishaps, and compares the copies.
func (s *schedule) drain() {
	const smooth = 23
	for len(s.dead) > 0 {
		s.replay()
	}
	s.until("no entry is pending", func() bool {
		for w := range s.workers {
			for s.workers[w] = s.work(s.workers[w], smooth); s.workers[w] != nil; {
				s.workers[w] = s.work(s.workers[w], smooth)
			}
		}
		return s.Failed() || s.stats().Pending == 0
	})
	for key, r := range s.records {
		if r.copy != r.version || r.pending {
			s.Errorf("%q: the copy is of version %d of %d, pending %v", key, r.copy, r.version, r.pending)
		}
	}
}
