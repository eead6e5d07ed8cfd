package inboxtest

import (
	"errors"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// claim is the view of a worker that has a lease, or believes so.
type claim struct {
	record  *record
	inbox   webhook.Inbox
	lease   webhook.Lease
	order   uint64
	arrived int  // arrivals that the lease covers
	sound   bool // the lease is long enough to be held until it is given back
	has     step
	read    int
}

type step int

const (
	leased step = iota
	hasRead
	hasWritten
)

// work moves a worker on at random, and returns its next claim.
func (s *schedule) work(c *claim, chance int) *claim {
	switch {
	case c == nil && chance < 6:
		return s.take(pollin)
	case c == nil:
		return s.take(held)
	case chance == 0: // it crashes; no other worker gets the entry before the lease has ended
		s.outlive(c)
		return nil
	case chance == 1: // it sleeps too long, and continues
		s.outlive(c)
	case chance == 2:
		s.giveBack(c, webhook.Failed{Released: true})
		return nil
	case chance == 3:
		s.giveBack(c, webhook.Failed{Delay: pollin})
		return nil
	case chance == 4 && s.replays:
		s.giveBack(c, webhook.Failed{Dead: true, Cause: "gave up"})
		return nil
	case c.has == leased:
		c.read, c.has = c.record.version, hasRead
	case c.has == hasRead:
		s.write(c)
	default:
		s.commitWork(c)
		return nil
	}
	return c
}

// take leases one entry for the given time.
func (s *schedule) take(d time.Duration) *claim {
	inbox := s.any()
	leases, err := inbox.Lease(s.Context(), webhook.LeaseQuery{Limit: 1, Term: d})
	if err != nil {
		s.Errorf("Lease: %v", err)
	}
	if len(leases) == 0 {
		return nil
	}
	l := leases[0]
	r := s.records[l.Key]
	if r == nil || !r.pending {
		s.Errorf("leased %q, which is not pending", l.Key)
		return nil
	}
	if other := s.lanes[r.entry.Lane]; other != nil && other.sound {
		s.Errorf("leased %q while another worker holds %q in the same lane", l.Key, other.lease.Key)
	}
	s.leases++
	s.order++
	if r.unfinished == 0 {
		r.attempts++
	}
	if l.Count != r.arrived || l.Attempt != r.attempts || l.Unfinished != r.unfinished {
		s.Errorf("leased %q: count %d, attempt %d, %d unfinished; want %d, %d and %d",
			l.Key, l.Count, l.Attempt, l.Unfinished, r.arrived, r.attempts, r.unfinished)
	}
	r.unfinished++
	c := &claim{record: r, inbox: inbox, lease: l, order: s.order, arrived: r.arrived, sound: d == held}
	s.lanes[r.entry.Lane] = c
	return c
}

// outlive lets time pass until the lease has ended, even a long one.
func (s *schedule) outlive(c *claim) {
	if c.sound {
		if err := c.inbox.Extend(s.Context(), c.lease, pollin); err != nil {
			s.Errorf("Extend of %q: %v", c.lease.Key, err)
		}
		c.sound = false
	}
	pass(pollin + grain)
}

// write writes the value that was read into the copy, unless the fence has seen a later lease.
func (s *schedule) write(c *claim) {
	r := c.record
	if c.lease.Token < r.fence {
		s.fenced++
		if c.order > r.wrote {
			s.Errorf("%q: the fence refused the latest lease: token %d after %d", c.lease.Key, c.lease.Token, r.fence)
		}
	} else {
		if c.order < r.wrote {
			s.Errorf("%q: a stale effect passed the fence with token %d after %d", c.lease.Key, c.lease.Token, r.fence)
		}
		r.fence, r.wrote, r.copy = c.lease.Token, c.order, c.read
	}
	c.has = hasWritten
}

// ended checks the result of ending a lease, and reports whether it was in time.
func (s *schedule) ended(c *claim, act string, err error) bool {
	switch {
	case err == nil && s.lanes[c.record.entry.Lane] != c:
		s.Errorf("%s of %q by a lease that is not the latest one", act, c.lease.Key)
	case errors.Is(err, webhook.ErrLeaseLost) && !c.sound:
		s.stale++
		return false
	case err != nil:
		s.Errorf("%s of %q: %v", act, c.lease.Key, err)
	}
	delete(s.lanes, c.record.entry.Lane)
	return err == nil
}

func (s *schedule) giveBack(c *claim, f webhook.Failed) {
	r := c.record
	if !s.ended(c, "Fail", c.inbox.Fail(s.Context(), c.lease, f)) {
		return
	}
	switch {
	case !f.Released:
		r.unfinished = 0
	case r.unfinished == 1:
		r.attempts, r.unfinished = r.attempts-1, 0
	default:
		r.unfinished--
	}
	switch news := r.arrived > c.arrived && r.entry.Kind == webhook.KindSignal; {
	case f.Dead && news:
		r.attempts = 0
	case f.Dead:
		r.pending, r.dead = false, true
		s.dead = append(s.dead, r)
	}
}

func (s *schedule) commitWork(c *claim) {
	r := c.record
	again, err := c.inbox.Commit(s.Context(), c.lease)
	if !s.ended(c, "Commit", err) {
		return
	}
	s.commits++
	if again {
		s.agains++
	}
	missed := r.arrived - c.arrived
	fact := r.entry.Kind == webhook.KindFact
	if again != (missed > 0 && !fact) {
		s.Errorf("Commit of %q: again %v with %d arrivals since the lease", c.lease.Key, again, missed)
	}
	r.pending, r.done = again, fact
	r.arrived, r.attempts, r.unfinished = missed, 0, 0
}
