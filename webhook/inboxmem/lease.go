package inboxmem

import (
	"container/heap"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Lease returns entries that are due.
func (b *Inbox) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if q.Term <= 0 {
		return nil, fmt.Errorf("inboxmem: Term is %v: must be above 0", q.Term)
	}
	now, err := b.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer b.mu.Unlock()
	var leases []webhook.Lease
	had := make(map[*store]int)
	b.aside(q.Without, func(aside func(*store)) {
		for len(leases) < q.Limit && len(b.waiting) > 0 {
			s := b.waiting[0]
			if at, _ := s.turn(); now.Before(at) {
				return
			}
			leases = append(leases, b.lease(s, now, now.Add(q.Term)))
			if had[s]++; q.PerStore > 0 && had[s] >= q.PerStore && len(s.lanes) > 0 {
				aside(s)
			}
		}
	})
	return leases, nil
}

// lease leases the first entry of a store.
func (b *Inbox) lease(s *store, now, until time.Time) webhook.Lease {
	l := s.lanes[0]
	b.hold(l, until)
	b.serve(s, now)
	r := l.held
	unfinished := r.unfinished
	if r.unfinished++; unfinished == 0 {
		r.attempts++
	}
	r.taken, r.next = r.count, time.Time{}
	return webhook.Lease{
		Entry: copied(r.entry), Token: l.token, Gen: r.gen, Attempt: r.attempts, Unfinished: unfinished,
		Until: l.until, Age: now.Sub(r.since), Count: r.count, FirstSeen: r.first, LastSeen: r.last,
	}
}

// holder returns the lane of a lease.
func (b *Inbox) holder(l webhook.Lease) (*lane, error) {
	if r := b.rows[l.Key]; r != nil {
		if lane := b.lanes[r.entry.Lane]; lane != nil && lane.held == r && lane.token == l.Token {
			return lane, nil
		}
	}
	return nil, webhook.ErrLeaseLost
}

// Extend makes the lease end after d from now. d must be above 0.
func (b *Inbox) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("inboxmem: lease of %q extended by %v: must be above 0", l.Key, d)
	}
	now, err := b.lock(ctx)
	if err != nil {
		return err
	}
	defer b.mu.Unlock()
	lane, err := b.holder(l)
	if err != nil {
		return err
	}
	lane.until = now.Add(d)
	heap.Fix(&b.held, lane.place)
	b.wake()
	return nil
}

// Commit ends a lease whose entry was handled.
func (b *Inbox) Commit(ctx context.Context, l webhook.Lease) (again bool, err error) {
	now, err := b.lock(ctx)
	if err != nil {
		return false, err
	}
	defer b.mu.Unlock()
	lane, err := b.holder(l)
	if err != nil {
		return false, err
	}
	r := lane.held
	if r.gen != l.Gen {
		b.again(lane, now)
		again = true
	} else {
		b.free(lane)
		b.finish(r, now)
	}
	b.clear(r, l.Clears, now)
	b.handled++
	return again, nil
}

// again ends the lease of an entry that arrived once more. The entry becomes as if only the later arrivals existed.
func (b *Inbox) again(l *lane, now time.Time) {
	r := l.held
	r.since, r.due, r.failed, r.attempts, r.unfinished = now, now, time.Time{}, 0, 0
	r.count, r.first = r.count-r.taken, r.next
	b.release(l)
}

// finish settles a pending row that is in no queue: a signal is deleted, a fact is remembered without its body.
func (b *Inbox) finish(r *row, now time.Time) {
	b.pending--
	r.erase()
	switch {
	case r.entry.Kind == webhook.KindSignal || r.entry.Window == 0:
		delete(b.rows, r.entry.Key)
	case r.entry.Window < 0:
		r.state, r.due = done, time.Time{}
	default:
		r.state, r.due = done, now.Add(r.entry.Window)
		heap.Push(&b.known, r)
	}
}

// clear settles the other pending entries of the lane and store of r that have one of the events.
func (b *Inbox) clear(r *row, events []webhook.Name, now time.Time) {
	lane := b.lanes[r.entry.Lane]
	if lane == nil || len(events) == 0 {
		return
	}
	for _, other := range slices.Clone(lane.rows) {
		if other != r && other.entry.StoreID == r.entry.StoreID && slices.Contains(events, other.entry.Event) {
			b.take(other)
			b.finish(other, now)
		}
	}
}

// Fail ends a lease whose entry was not handled. A Delay below 0 counts as 0.
func (b *Inbox) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	now, err := b.lock(ctx)
	if err != nil {
		return err
	}
	defer b.mu.Unlock()
	lane, err := b.holder(l)
	if err != nil {
		return err
	}
	r := lane.held
	if !f.Released && !f.Waits && !f.Dropped {
		r.failures = browsing.Failed(r.failures, webhook.EntryFailure{At: now, Attempt: r.attempts, Cause: f.Cause})
	}
	switch {
	case f.Released:
		if r.unfinished--; r.unfinished == 0 {
			r.attempts--
		}
		r.due = now.Add(max(f.Delay, 0))
		b.release(lane)
	case f.Waits:
		r.attempts--
		r.unfinished = 0
		r.due = now.Add(max(f.Delay, 0))
		r.cause, r.failed = f.Cause, r.due.Add(-webhook.ShortestBackoff) // arrivals do not make it due earlier
		b.release(lane)
	case f.Dropped && r.count != r.taken:
		b.again(lane, now)
	case f.Dropped:
		b.pending--
		b.free(lane)
		b.forget(r)
	case f.Dead && r.gen != l.Gen: // the later arrivals have had no attempt
		r.failed, r.since, r.attempts, r.unfinished = now, now, 0, 0
		r.due = r.soonest(now)
		b.release(lane)
	case f.Dead:
		r.state, r.cause, r.failed, r.due, r.unfinished = dead, f.Cause, now, now, 0
		b.pending--
		b.free(lane)
		b.bury(r)
	default:
		r.cause, r.failed, r.due, r.unfinished = f.Cause, now, now.Add(max(f.Delay, 0)), 0
		b.release(lane)
	}
	return nil
}
