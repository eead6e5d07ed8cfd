package shipping

import (
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/lru"
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

	mu    sync.Mutex
	byID  lru.Map[identity, *entry]
	bytes int
}

// get returns the answer that was kept, and whether it is fresh. One that is not fresh is
// given only if nothing better is to be had; refusals are not.
func (c *cache) get(id identity) (e *entry, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byID.Get(id)
	if !ok {
		return nil, false
	}
	age := time.Since(e.at)
	if age >= c.lifetime(e) {
		c.remove(e)
		return nil, false
	}
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
	if last, ok := c.byID.Peek(e.id); ok {
		if last.began.After(e.began) {
			return
		}
		c.remove(last)
	}
	if len(e.body) > c.mostBytes || c.lifetime(e) <= 0 {
		return
	}
	c.byID.Put(e.id, e)
	c.bytes += len(e.body)
	for _, oldest := range c.byID.All() {
		if c.byID.Len() <= c.most && c.bytes <= c.mostBytes {
			return
		}
		c.remove(oldest)
	}
}

func (c *cache) remove(e *entry) {
	c.byID.Remove(e.id)
	c.bytes -= len(e.body)
}
