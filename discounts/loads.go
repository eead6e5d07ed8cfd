package discounts

import (
	"container/list"
	"context"
	"errors"
	"slices"
	"time"
)

const (
	loadTime   = 10 * time.Second // timeout of a load in the background
	retryAfter = 5 * time.Second  // after a failed load
	mostLoads  = 16               // maximum number of concurrent loads
	// reserved is the number of places reserved for each kind of load: first loads, for which a cart waits, and
	// refreshes or retries.
	reserved = mostLoads / 4
)

// errCrowded means that a load that a cart requires was not started.
var errCrowded = errors.New("too many stores wait for their promotions")

// loading is one call of Registry.Load in the background. It first waits for a place.
type loading struct {
	of      *shelf
	urgent  bool // a cart waits for it, and it is not a retry
	waiting int  // number of carts that wait for it
	// began is the start of the call of Load; zero before that.
	began  time.Time
	stamp  uint64
	cancel context.CancelFunc
	// in and at are its position in a queue; nil after that.
	in   *list.List
	at   *list.Element
	done chan struct{} // closed when it has ended or was dropped
}

// loads are the loads that wait and the loads in progress. The lock is that of the Registry.
type loads struct {
	urgent, later list.List // of *loading, the oldest first
	running       []*loading
	// pace is the approximate duration of a load.
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

// leave removes a load from its queue.
func (l *loading) leave() {
	if l.in != nil {
		l.in.Remove(l.at)
		l.in, l.at = nil, nil
	}
}

// drop ends a load that was not called. It does not count as failed.
func (l *loading) drop() {
	l.leave()
	close(l.done)
}

// queued returns the waiting loads.
func (q *loads) queued() (all []*loading) {
	for _, in := range []*list.List{&q.urgent, &q.later} {
		for e := in.Front(); e != nil; e = e.Next() {
			all = append(all, e.Value.(*loading))
		}
	}
	return all
}

// hurry moves a waiting load before loads for which no cart waits.
func (q *loads) hurry(l *loading) {
	if l.in == &q.later {
		l.leave()
		l.urgent = true
		q.add(l)
	}
}

// next removes the next load to call from its queue. It returns nil if none may be called.
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

// ended removes a load that was called.
func (q *loads) ended(l *loading, now time.Time) {
	q.running = slices.DeleteFunc(q.running, func(r *loading) bool { return r == l })
	took := now.Sub(l.began)
	if q.pace == 0 {
		q.pace = took
	}
	q.pace += (took - q.pace) / 8
}

// chance reports whether an urgent load that is queued now could end by the time. If not, the cart should be answered
// at once, because the load would take the place of a load that could still be in time.
func (q *loads) chance(now, by time.Time) bool {
	if len(q.running) < mostLoads {
		return true
	}
	ends := make([]time.Duration, 0, mostLoads)
	for _, l := range q.running {
		spent := now.Sub(l.began)
		// A load that takes longer than usual is assumed to be half done.
		ends = append(ends, max(q.pace-spent, min(spent, loadTime-spent), 0))
	}
	slices.Sort(ends)
	ahead := q.urgent.Len()
	wait := ends[ahead%mostLoads] + time.Duration(ahead/mostLoads)*q.pace
	return !now.Add(wait + q.pace).After(by)
}
