package discounts

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"time"
)

const (
	loadTime   = 10 * time.Second // that a load in the background may take, from its own start
	retryAfter = 5 * time.Second  // after a load that failed
	mostLoads  = 16               // at a time
	// reserved are the loads of each kind that have places of their own: those that a cart waits for, and those that
	// refresh what is known or follow a failure.
	reserved = mostLoads / 4
)

// errCrowded is why a load was not begun that a cart needs.
var errCrowded = errors.New("too many stores wait for their promotions")

// loading is one call of Registry.Load in the background. It waits for a place first.
type loading struct {
	of      *shelf
	urgent  bool // a cart needed it, and the last load of the store did not fail
	waiting int  // the carts that wait for it
	// began is when Load was called; zero before that.
	began  time.Time
	stamp  uint64
	cancel context.CancelFunc
	// in and at are its place in a queue; nil after that.
	in   *list.List
	at   *list.Element
	done chan struct{} // closed when it has ended or was dropped
}

// loads are those that wait, and those that were called. The lock is that of the Registry.
type loads struct {
	urgent, later list.List // of *loading, the oldest first
	running       []*loading
	// pace is about how long a load takes.
	pace time.Duration
}

// add queues a load.
func (q *loads) add(l *loading) {
	l.in = &q.later
	if l.urgent {
		l.in = &q.urgent
	}
	l.at = l.in.PushBack(l)
}

// leave takes a load out of its queue.
func (l *loading) leave() {
	if l.in != nil {
		l.in.Remove(l.at)
		l.in, l.at = nil, nil
	}
}

// drop ends a load that was not called. It has not failed.
func (l *loading) drop() {
	l.leave()
	close(l.done)
}

// queued returns the loads that wait.
func (q *loads) queued() (all []*loading) {
	for _, in := range []*list.List{&q.urgent, &q.later} {
		for e := in.Front(); e != nil; e = e.Next() {
			all = append(all, e.Value.(*loading))
		}
	}
	return all
}

// hurry has a load that waits called before those that no cart waits for.
func (q *loads) hurry(l *loading) {
	if l.in == &q.later {
		l.leave()
		l.urgent = true
		q.add(l)
	}
}

// next takes out the load to be called next, or returns nil if none may be.
func (q *loads) next() *loading {
	later := 0
	for _, l := range q.running {
		if !l.urgent {
			later++
		}
	}
	from := &q.urgent
	if q.urgent.Len() == 0 || q.later.Len() > 0 && later < reserved {
		from = &q.later
	}
	switch {
	case from.Len() == 0 || len(q.running) >= mostLoads:
		return nil
	case from == &q.later && later >= mostLoads-reserved:
		return nil
	}
	l := from.Front().Value.(*loading)
	l.leave()
	return l
}

// ended takes out a load that was called.
func (q *loads) ended(l *loading, now time.Time) {
	q.running = slices.DeleteFunc(q.running, func(r *loading) bool { return r == l })
	took := now.Sub(l.began)
	if q.pace == 0 {
		q.pace = took
	}
	q.pace += (took - q.pace) / 8
}

// chance reports whether an urgent load that is queued now could end by the time. If it could not, its cart is better
// answered at once: the load would take the place of one whose cart can still have its promotions.
func (q *loads) chance(now, by time.Time) bool {
	if len(q.running) < mostLoads {
		return true
	}
	ends := make([]time.Duration, 0, mostLoads)
	for _, l := range q.running {
		spent := now.Sub(l.began)
		// A load that takes longer than usual is taken to be halfway.
		ends = append(ends, max(q.pace-spent, min(spent, loadTime-spent), 0))
	}
	slices.Sort(ends)
	ahead := q.urgent.Len()
	wait := ends[ahead%mostLoads] + time.Duration(ahead/mostLoads)*q.pace
	return !now.Add(wait + q.pace).After(by)
}
