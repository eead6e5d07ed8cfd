package shipping

import (
	"container/list"
	"sync"
	"time"
)

// identity tells requests apart for the cache: see Request.tell.
type identity [32]byte

// entry is an answer that may be given again.
type entry struct {
	id     identity
	status int
	body   []byte
	rates  int
	began  time.Time // the call that it is of
	at     time.Time
}

// cache keeps answers, the most recently used of them. It is bounded by number and bytes.
type cache struct {
	fresh, refused, stale time.Duration
	most, mostBytes       int

	mu     sync.Mutex
	byID   map[identity]*list.Element
	recent list.List // of *entry, the most recently used first
	bytes  int
}

// get returns the answer that was kept, and whether it is fresh. One that is not fresh is
// given only if nothing better is to be had; refusals are not.
func (c *cache) get(id identity) (e *entry, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byID[id]
	if !ok {
		return nil, false
	}
	e = at.Value.(*entry)
	age := time.Since(e.at)
	if age >= c.lifetime(e) {
		c.remove(at)
		return nil, false
	}
	c.recent.MoveToFront(at)
	if e.status >= 300 {
		return e, true
	}
	return e, age < c.fresh
}

// lifetime is how long an answer is kept.
func (c *cache) lifetime(e *entry) time.Duration {
	if e.status >= 300 {
		return c.refused
	}
	return max(c.fresh, c.stale)
}

// put keeps an answer instead of the one before it, unless that is of a call which began later: a call may
// outlive its answer, and what it knows is then older.
func (c *cache) put(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byID[e.id]; ok {
		if at.Value.(*entry).began.After(e.began) {
			return
		}
		c.remove(at)
	}
	if len(e.body) > c.mostBytes || c.lifetime(e) <= 0 {
		return
	}
	if c.byID == nil {
		c.byID = make(map[identity]*list.Element)
	}
	c.byID[e.id] = c.recent.PushFront(e)
	c.bytes += len(e.body)
	for c.recent.Len() > c.most || c.bytes > c.mostBytes {
		c.remove(c.recent.Back())
	}
}

func (c *cache) remove(at *list.Element) {
	e := c.recent.Remove(at).(*entry)
	delete(c.byID, e.id)
	c.bytes -= len(e.body)
}
