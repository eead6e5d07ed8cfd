package callback

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

const (
	// patience is how long a request waits for a plan to end when too many are in progress. Plans that compute end in
	// less, and a burst of carts is then no reason to answer without them.
	patience = 5 * time.Millisecond
	// mostPatient is how many requests wait for a place. Further ones, the newest, are answered at once.
	mostPatient = 1024
)

// Gate bounds the functions in progress, in total and by store. A store gets a place only while more places are free
// than it holds. So it holds at most half of them, several stores leave room for another one, and a store that hangs
// cannot take the places of others.
//
// A store that is alone may take all places. If others come then, the places above its half do not count for them, so
// that they need not wait for its plans to end.
type Gate struct {
	most int

	mu   sync.Mutex
	all  int // plans in progress
	held map[client.ID]int
	// counted is the sum of what the stores hold, of each no more than half of the places.
	counted int
	waiters list.List // of *waiter, the oldest first
}

// waiter is a request that waits for a place.
type waiter struct {
	store client.ID
	taken chan struct{} // closed when it has one
}

// NewGate returns a Gate with that many places.
func NewGate(most int) *Gate {
	return &Gate{most: most, held: map[client.ID]int{}}
}

// half is how many places of one store count for the others.
func (g *Gate) half() int { return max(g.most/2, 1) }

// admits reports whether the store may have a place. The caller holds the lock.
func (g *Gate) admits(store client.ID) bool {
	n := g.held[store]
	return n < g.most-g.counted || n == g.all && n < g.most
}

// hold gives the store a place. The caller holds the lock.
func (g *Gate) hold(store client.ID) {
	g.held[store]++
	g.all++
	if g.held[store] <= g.half() {
		g.counted++
	}
}

// Take takes a place for a plan of the store, or returns false.
func (g *Gate) Take(ctx context.Context, store client.ID) bool {
	g.mu.Lock()
	if g.admits(store) {
		g.hold(store)
		g.mu.Unlock()
		return true
	}
	if g.waiters.Len() >= mostPatient {
		g.mu.Unlock()
		return false
	}
	w := &waiter{store, make(chan struct{})}
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

// Give gives the place of a plan back, to the request that waits for one of the stores that hold fewest.
func (g *Gate) Give(store client.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held[store] <= g.half() {
		g.counted--
	}
	g.all--
	if g.held[store]--; g.held[store] == 0 {
		delete(g.held, store)
	}
	for next := g.next(); next != nil; next = g.next() {
		w := g.waiters.Remove(next).(*waiter)
		g.hold(w.store)
		close(w.taken)
	}
}

// next returns the waiter that gets a place, or nil. The caller holds the lock.
func (g *Gate) next() *list.Element {
	var next *list.Element
	least := 0
	for e := g.waiters.Front(); e != nil; e = e.Next() {
		store := e.Value.(*waiter).store
		if n := g.held[store]; (next == nil || n < least) && g.admits(store) {
			next, least = e, n
		}
	}
	return next
}

// Running returns how many plans are in progress.
func (g *Gate) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.all
}

// Most returns how many places there are.
func (g *Gate) Most() int { return g.most }
