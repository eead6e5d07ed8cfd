package webhook

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// MaxUnfinished is the number of runs of an entry, alone in its process, that may be left unfinished. Then the entry is
// dead. The first unfinished run does not count, because others were in progress with it.
const MaxUnfinished = 5

// alonePoll is how often workers look whether a run that must be alone can begin or has ended.
const alonePoll = 10 * time.Millisecond

// widest bounds crowd.window, which is above the places of any worker before.
const widest = 1 << 20

// crowd counts the leases of all workers of the process, so that an entry can run alone.
type crowd struct {
	mu    sync.Mutex
	in    int  // leases, and calls that may return some
	alone bool // an entry runs alone, or waits until the others have ended
	// window is the number of leases that a call may return. It begins at 1, doubles, and is 1 again after a call that
	// returned an entry which must be alone. Such an entry is given back while another one is alone. If many were
	// leased at once, again and again, the end of the process for another reason would leave each of them unfinished,
	// although none had run.
	window int
}

// process is state of the package because an entry that ends its process ends the runs of all workers in it.
var process crowd

// mostSurvived bounds the entries of survivors. After more, all are forgotten.
const mostSurvived = 10_000

// survivors counts the runs of each entry that this process has begun and whose end the inbox does not know. The inbox
// counts them as unfinished when their leases are over, for example because the database was not reachable. No process
// has died of them, because this one would not know them if it had. They count from their lease on, and not only once
// it is known to be lost: a call of a broken inbox can return long after others have leased the entry again.
type survivors struct {
	mu   sync.Mutex
	runs map[survivor]unstored
}

// survivor is an entry. Several inboxes of a process can have entries with one key, which arrived at other times.
type survivor struct {
	key   string
	since int64
}

func (l *Lease) survivor() survivor { return survivor{l.Key, l.FirstSeen.UnixMicro()} }

// unstored are runs of an entry whose end the inbox does not know.
type unstored struct {
	runs int
	last uint64 // the greatest token of their leases
}

// survived is state of the package like process.
var survived survivors

// Survived notes that this process has not died of leases which never reached a [Worker]. An engine calls it if it may
// have counted them in Lease.Unfinished, cannot know because the database did not answer, and does not return them.
func Survived(leases ...Lease) {
	for _, l := range leases {
		survived.began(l)
	}
}

// began counts a run.
func (s *survivors) began(l Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, known := s.runs[l.survivor()]
	if s.runs == nil || !known && len(s.runs) >= mostSurvived {
		s.runs = make(map[survivor]unstored)
	}
	s.runs[l.survivor()] = unstored{u.runs + 1, max(u.last, l.Token)}
}

// stored forgets the runs of an entry, because the end of one is stored. The answer about an earlier run may come late,
// so it says nothing about later ones.
func (s *survivors) stored(l Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs[l.survivor()].last <= l.Token {
		delete(s.runs, l.survivor())
	}
}

// counts takes a run back: the inbox does not count it as unfinished, or is right to do so.
func (s *survivors) counts(l Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, known := s.runs[l.survivor()]
	switch u.runs--; {
	case !known:
	case u.runs == 0:
		delete(s.runs, l.survivor())
	default:
		s.runs[l.survivor()] = u
	}
}

// before returns the number of runs of an entry before this one that were survived.
func (s *survivors) before(l Lease) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, s.runs[l.survivor()].runs-1)
}

// call returns how many leases may be requested, limit at most, and 0 if none may. Above 0, called must follow.
func (c *crowd) call(limit int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alone {
		return 0
	}
	c.in++
	c.window = max(1, c.window)
	return min(limit, c.window)
}

// called adds the leases that a call has returned.
func (c *crowd) called(leases []*leased) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in += len(leases) - 1
	if slices.ContainsFunc(leases, (*leased).suspect) {
		c.window = 1
	} else if len(leases) > 0 {
		c.window = min(2*c.window, widest)
	}
}

// claim makes a lease the one that is to be alone, unless there is one.
func (c *crowd) claim(l *leased) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alone {
		return false
	}
	c.in--
	c.alone, l.alone = true, true
	return true
}

// leave ends a lease. Only its first call has an effect.
func (c *crowd) leave(l *leased) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case l.left:
	case l.alone:
		c.alone = false
	default:
		c.in--
	}
	l.left = true
}

func (c *crowd) claimed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.alone
}

func (c *crowd) empty() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.in == 0
}

// suspect reports whether an entry must run alone, because the process of an earlier run may have died of it.
func (l *leased) suspect() bool { return l.Unfinished > 0 && l.Unfinished <= MaxUnfinished }

// start begins the runs of leases. A lease that must not run now is given back at once. Otherwise it would be left
// unfinished if the process dies of the entry that runs alone.
func (s *shift) start(leases []*leased, ahead bool) {
	for _, l := range leases {
		if l.suspect() {
			s.isolate(l)
		}
	}
	for _, l := range leases {
		switch {
		case l.suspect():
		case process.claimed():
			s.runs.Go(func() { s.giveBack(l, 0) })
		case s.shares.take(l, ahead):
			s.places <- struct{}{}
			s.begin(l)
		}
	}
}

// isolate runs an entry alone, or gives it back for a moment. Between two such runs, other entries have as much time.
func (s *shift) isolate(l *leased) {
	now := time.Now()
	if now.UnixNano() < s.crowded.Load() || !process.claim(l) {
		s.giveBack(l, rest()) // before another one is leased
		return
	}
	s.runs.Go(func() {
		defer func() { s.crowded.Store(time.Now().Add(time.Since(now)).UnixNano()) }()
		if !s.waitAlone() {
			s.giveBack(l, 0)
			return
		}
		select {
		case s.places <- struct{}{}:
			s.shares.take(l, false)
			s.run(l)
		default: // runs that do not end have all of them
			s.giveBack(l, rest())
		}
	})
}

// rest is how long an entry rests that cannot be alone now.
func rest() time.Duration { return alonePoll + rand.N(ShortestBackoff) }

// waitAlone waits until all other runs of the process have ended, but at most for half of the term of a lease, so that
// runs of hours do not stop all others. It returns false if the worker is stopped.
func (s *shift) waitAlone() bool {
	over := time.Now().Add(s.term / 2)
	for !process.empty() && time.Now().Before(over) {
		pause(s.taking, alonePoll)
		if s.taking.Err() != nil {
			return false
		}
	}
	return true
}
