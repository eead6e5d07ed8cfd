package callback

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

const (
	// patience is how long a request waits for a function to end when too many are in progress. Functions that compute
	// end in less, and a burst of calls is then no reason to answer without them.
	patience = 5 * time.Millisecond
	// mostPatient is how many requests wait for a place. Further ones, the newest, are answered at once.
	mostPatient = 1024
)

// Party takes places of a Gate.
type Party struct {
	Store value.ID // 0 if unknown
	// Address is the path at which a call arrived, if its Store is unknown.
	Address string
	// Part is a part of the store that shares its places with other parts, such as a carrier. It may be empty.
	Part string
}

// whole is the store of a part.
func (p Party) whole() Party {
	p.Part = ""
	return p
}

// Gate bounds the functions in progress, in total and by store. A store gets a place only while more places are free
// than it holds. So it holds at most half of them, several stores leave room for another one, and a store that hangs
// cannot take the places of others.
//
// A store that is alone may take all places. If others come then, the places above its half do not count for them, so
// that they need not wait for its functions to end.
//
// A part of a store holds at most three times the places that its store may still take, so that another part finds one.
type Gate struct {
	most int

	mu    sync.Mutex
	all   int           // functions in progress
	held  map[Party]int // by store
	parts map[Party]int // by part
	// counted is the sum of what the stores hold, of each no more than half of the places.
	counted int
	waiters list.List // of *waiter, the oldest first
}

// waiter is a request that waits for a place.
type waiter struct {
	party Party
	taken chan struct{} // closed when it has one
}

// NewGate returns a Gate with that many places.
func NewGate(most int) *Gate {
	return &Gate{most: most, held: map[Party]int{}, parts: map[Party]int{}}
}

// half is how many places of one store count for the others.
func (g *Gate) half() int { return max(g.most/2, 1) }

// admits reports whether the party may have a place. The caller holds the lock.
func (g *Gate) admits(p Party) bool {
	const siblings = 3
	n := g.held[p.whole()]
	left := g.most - g.counted - n
	if n == g.all {
		left = g.most - n
	}
	if left <= 0 {
		return false
	}
	of := g.parts[p]
	return of == 0 || of+1 <= siblings*(left-1)
}

// hold gives the party a place. The caller holds the lock.
func (g *Gate) hold(p Party) {
	store := p.whole()
	g.held[store]++
	g.all++
	if g.held[store] <= g.half() {
		g.counted++
	}
	if p.Part != "" {
		g.parts[p]++
	}
}

// Take takes a place for a function, or returns false.
func (g *Gate) Take(ctx context.Context, p Party) bool {
	g.mu.Lock()
	if g.admits(p) {
		g.hold(p)
		g.mu.Unlock()
		return true
	}
	if g.waiters.Len() >= mostPatient {
		g.mu.Unlock()
		return false
	}
	w := &waiter{p, make(chan struct{})}
	at := g.waiters.PushBack(w)
	g.mu.Unlock()
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-w.taken:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-w.taken:
		return true
	default:
	}
	g.waiters.Remove(at)
	return false
}

// Give gives the place of a function back. Of the requests that may have it, the one that has waited longest gets it.
func (g *Gate) Give(p Party) {
	store := p.whole()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held[store] <= g.half() {
		g.counted--
	}
	g.all--
	if g.held[store]--; g.held[store] == 0 {
		delete(g.held, store)
	}
	if p.Part != "" {
		if g.parts[p]--; g.parts[p] == 0 {
			delete(g.parts, p)
		}
	}
	for next := g.next(); next != nil; next = g.next() {
		w := g.waiters.Remove(next).(*waiter)
		g.hold(w.party)
		close(w.taken)
	}
}

// next returns the oldest waiter that may have a place, or nil. The caller holds the lock.
func (g *Gate) next() *list.Element {
	for e := g.waiters.Front(); e != nil; e = e.Next() {
		if g.admits(e.Value.(*waiter).party) {
			return e
		}
	}
	return nil
}

// Running returns how many functions are in progress.
func (g *Gate) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.all
}

// Most returns how many places there are.
func (g *Gate) Most() int { return g.most }
