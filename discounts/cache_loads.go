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
	loadGrace  = 2 * time.Second  // after that the load continues without a place
	retryAfter = 5 * time.Second  // after a failed load
	hookTime   = time.Second      // of OnFailure
	mostLoads  = 16               // maximum number of concurrent loads
	// reserved is the number of places reserved for first loads for which a cart waits, and for all others. Of these,
	// refreshes and retries come before first loads for which no cart waits any more.
	reserved = mostLoads / 4
	// mostCold is the maximum number of first loads for which no cart waits any more. They take no place that is one
	// of the last reserved ones.
	mostCold = mostLoads / 2
)

// errClosed is why a closed cache has no promotions of a store.
var errClosed = errors.New("the cache is closed")

// errCrowded means that a load that a cart requires was not started.
var errCrowded = errors.New("too many stores wait for their promotions")

// loading is one call of PromotionCache.Load in the background. It first waits for a place, and is then a few words: it
// has neither a goroutine nor, unless a cart waits, a channel.
type loading struct {
	of      *shelf
	settled bool // it has ended, or has lost its place
	waiting int  // number of carts that wait for it
	// began is the start of the call of Load; zero before that.
	began  time.Time
	stamp  uint64
	cancel context.CancelFunc
	// in and at are its position in a queue; nil after that. From is the queue from which it was called.
	in, from *list.List
	at       *list.Element

	done chan struct{} // closed when it has ended or was dropped; nil if no cart has waited
}

// loads are the loads that wait and the loads in progress. The lock is that of the PromotionCache.
type loads struct {
	// The queues of *loading, the oldest first: first loads for which a cart waits, refreshes and retries, and first
	// loads whose carts were answered without them.
	urgent, later, cold list.List

	running []*loading
	// pace is the approximate duration of a load.
	pace time.Duration
}

// enter queues a load.
func (l *loading) enter(in *list.List) { l.in, l.at = in, in.PushBack(l) }

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
	l.end()
}

// end lets the carts continue that wait for the load.
func (l *loading) end() {
	if l.done != nil {
		close(l.done)
	}
}

// queued returns the waiting loads.
func (q *loads) queued() (all []*loading) {
	for _, in := range []*list.List{&q.urgent, &q.later, &q.cold} {
		for e := in.Front(); e != nil; e = e.Next() {
			all = append(all, e.Value.(*loading))
		}
	}
	return all
}

// hurry moves a waiting load before loads for which no cart waits.
func (q *loads) hurry(l *loading) {
	if l.in != nil && l.in != &q.urgent {
		l.leave()
		l.enter(&q.urgent)
	}
}

// cool moves a waiting load after all others, because its carts were answered without it.
func (q *loads) cool(l *loading) {
	if l.in == &q.urgent {
		l.leave()
		l.enter(&q.cold)
		l.done = nil
	}
}

// next removes the next load to call from its queue. It returns nil if none may be called.
func (q *loads) next() *loading {
	later, cold := 0, 0 // later includes cold
	for _, l := range q.running {
		if l.from != &q.urgent {
			later++
		}
		if l.from == &q.cold {
			cold++
		}
	}
	var from *list.List
	switch {
	case len(q.running) >= mostLoads:
		return nil
	case q.urgent.Len() > 0 && (q.later.Len() == 0 || later >= reserved):
		from = &q.urgent
	case later >= mostLoads-reserved:
		return nil
	case q.later.Len() > 0:
		from = &q.later
	case q.cold.Len() > 0 && cold < mostCold && len(q.running) < mostLoads-reserved:
		from = &q.cold
	default:
		return nil
	}
	l := from.Front().Value.(*loading)
	l.leave()
	l.from = from
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
		left := q.pace - spent
		if left < 0 { // a load that takes longer than usual is assumed to be half done
			left = max(min(spent, loadTime-spent), 0)
		}
		ends = append(ends, left)
	}
	slices.Sort(ends)
	ahead := q.urgent.Len()
	wait := ends[ahead%mostLoads] + time.Duration(ahead/mostLoads)*q.pace
	return !now.Add(wait + q.pace).After(by)
}
