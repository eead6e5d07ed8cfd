package inboxmem

import (
	"container/heap"
	"context"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Accept stores all entries or none. Entries of one call count as if they arrived one after another. An entry without a
// key, a lane or a kind is an error.
func (b *Inbox) Accept(ctx context.Context, entries ...webhook.Entry) ([]webhook.Outcome, error) {
	for _, e := range entries {
		if err := check(e); err != nil {
			return nil, err
		}
	}
	now, err := b.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer b.mu.Unlock()
	if b.full(entries, now) {
		return nil, webhook.ErrFull
	}
	outcomes := make([]webhook.Outcome, len(entries))
	for i, e := range entries {
		e.Trace = webhook.Traceparent(e.Trace)
		outcomes[i] = b.accept(copied(e), now)
	}
	b.accepted += int64(len(entries))
	return outcomes, nil
}

// InTime implements webhook.InTime.
func (b *Inbox) InTime(of webhook.Inbox) bool { return of == webhook.Inbox(b) }

func check(e webhook.Entry) error {
	switch {
	case e.Key == "":
		return fmt.Errorf("inboxmem: entry of lane %q: Key is empty: must be set", e.Lane)
	case e.Lane == "":
		return fmt.Errorf("inboxmem: entry %q: Lane is empty: must be set", e.Key)
	case e.Kind != webhook.KindSignal && e.Kind != webhook.KindFact:
		return fmt.Errorf("inboxmem: entry %q: Kind is %q: must be %q or %q", e.Key, e.Kind, webhook.KindSignal, webhook.KindFact)
	case e.Settle < 0:
		return fmt.Errorf("inboxmem: entry %q: Settle is %v: must be 0 or more", e.Key, e.Settle)
	}
	return nil
}

// full reports whether one of the entries cannot be accepted.
func (b *Inbox) full(entries []webhook.Entry, now time.Time) bool {
	room := b.highWater - b.pending
	if len(entries) <= room {
		return false
	}
	added := make(map[string]bool)
	for _, e := range entries {
		if b.row(e.Key, now) != nil || added[e.Key] {
			continue
		}
		if room <= 0 && !e.Protected {
			return true
		}
		added[e.Key] = true
		if e.Unhandled == "" {
			room--
		}
	}
	return false
}

// row returns the row of a key, nil if there is none or if it is a fact whose window is over.
func (b *Inbox) row(key string, now time.Time) *row {
	r := b.rows[key]
	if r != nil && r.state == done && !r.due.IsZero() && !now.Before(r.due) {
		b.forget(r)
		return nil
	}
	return r
}

func (b *Inbox) accept(e webhook.Entry, now time.Time) webhook.Outcome {
	b.seq++
	r := b.row(e.Key, now)
	if r != nil && e.Unhandled != "" {
		r.arrived(now)
		return r.state.unhandled()
	}
	changes := r != nil && e.Kind != r.entry.Kind
	if r != nil && r.state == done && changes {
		b.forget(r)
		r = nil
	}
	switch {
	case r == nil && e.Unhandled != "":
		r := &b.add(e, now).row
		r.shelve(now)
		b.bury(r)
		return webhook.OutcomeShelved
	case r == nil:
		a := b.add(e, now)
		b.pending++
		b.put(&a.row, &a.lane)
		return webhook.OutcomeStored
	case r.state == pending:
		r.arrived(now)
		if e.Kind == webhook.KindSignal || changes {
			b.renew(r, e, now)
		}
		return webhook.OutcomeJoined
	case r.state == dead && e.Kind == webhook.KindSignal:
		b.revive(r, e, now)
		return webhook.OutcomeRevived
	default:
		r.arrived(now)
		return webhook.OutcomeKnown
	}
}

// added is a new row with memory for the lane that it usually makes. Most pending entries are alone in their lane, so
// the garbage collector scans one object instead of three.
type added struct {
	row  row
	lane lane
}

func (b *Inbox) add(e webhook.Entry, now time.Time) *added {
	a := &added{row: row{
		entry: e, gen: 1, seq: b.seq, due: now.Add(e.Settle), since: now, count: 1, first: now, last: now,
	}}
	b.rows[e.Key] = &a.row
	return a
}

// shelve makes a new row dead because no handler can have it.
func (r *row) shelve(now time.Time) {
	r.state, r.cause, r.due = dead, r.entry.Unhandled, now
}

// renew makes an arrival a new generation of a pending entry. The entry keeps its lane, which a worker may hold, and
// its protection.
func (b *Inbox) renew(r *row, e webhook.Entry, now time.Time) {
	e.Lane = r.entry.Lane
	e.Protected = e.Protected || r.entry.Protected
	r.erase()
	r.entry = e
	r.gen++
	due := r.soonest(now)
	if !due.Before(r.due) {
		return // its place in the queue is unchanged
	}
	r.due = due
	if l := b.lanes[e.Lane]; l.held != r {
		heap.Fix(&l.rows, r.place)
		b.settle(l)
	}
	b.wake()
}

// revive makes a dead signal pending.
func (b *Inbox) revive(r *row, e webhook.Entry, now time.Time) {
	r.arrived(now)
	e.Protected = e.Protected || r.entry.Protected
	r.erase()
	r.entry = e
	r.gen++
	r.due = r.soonest(now)
	b.restart(r, now)
}

// soonest returns when an arrival makes a signal due.
func (r *row) soonest(now time.Time) time.Time {
	due := now.Add(r.entry.Settle)
	if rested := r.failed.Add(webhook.ShortestBackoff); !r.failed.IsZero() && due.Before(rested) {
		return rested
	}
	return due
}

// restart makes a dead row pending, with 0 attempts and a new due time.
func (b *Inbox) restart(r *row, now time.Time) {
	b.unbury(r)
	r.state, r.since, r.attempts, r.unfinished, r.cause = pending, now, 0, 0, ""
	r.entry.Unhandled = ""
	b.pending++
	b.put(r, new(lane))
}
