package inboxmem

import (
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

type state int

const (
	pending state = iota
	done
	dead
)

// unhandled returns the outcome of an arrival that no handler can have.
func (s state) unhandled() webhook.Outcome {
	switch s {
	case pending:
		return webhook.OutcomeJoined
	case done:
		return webhook.OutcomeKnown
	default:
		return webhook.OutcomeShelved
	}
}

// row is the entry of a key.
type row struct {
	entry    webhook.Entry
	state    state
	gen      uint64
	seq      uint64
	due      time.Time // pending: when it may be leased; done: when its window ends, zero if never; dead: when it died
	failed   time.Time // when it last failed; zero if it has not since it was committed
	since    time.Time // when it became pending or was last committed
	attempts int
	// unfinished counts the leases since the last Commit or Fail. The present lease is included.
	unfinished int
	count      int
	first      time.Time
	last       time.Time
	taken      int       // the part of count that the last lease is for
	next       time.Time // when the first arrival came that is not in taken; zero if there is none
	cause      string
	failures   []webhook.EntryFailure
	buried     bool // it is in Inbox.graves
	place      int  // in its queue: that of its lane, Inbox.known or Inbox.graves
}

func (r *row) before(s *row) bool {
	return r.due.Before(s.due) || r.due.Equal(s.due) && r.seq < s.seq
}

func (r *row) move(place int) { r.place = place }

// arrived counts an arrival.
func (r *row) arrived(now time.Time) {
	r.count++
	r.last = now
	if r.next.IsZero() {
		r.next = now
	}
}

// erase removes the body and its trace. It also overwrites the body of a protected entry.
func (r *row) erase() {
	if r.entry.Protected {
		clear(r.entry.Body)
	}
	r.entry.Body, r.entry.Trace = nil, ""
}

// copied returns an entry that shares no memory with e.
func copied(e webhook.Entry) webhook.Entry {
	e.Body = slices.Clone(e.Body)
	e.Clears = slices.Clone(e.Clears)
	return e
}

// forget deletes a row that is in no lane.
func (b *Inbox) forget(r *row) {
	if r.state == done && !r.due.IsZero() {
		b.known.remove(r.place)
	}
	b.unbury(r)
	r.erase()
	delete(b.rows, r.entry.Key)
}
