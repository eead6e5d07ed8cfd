package shipping

import (
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/lru"
)

// identity is the key of an answer in the cache.
type identity [32]byte

// entry is a cached answer.
type entry struct {
	id     identity
	status int
	body   []byte
	rates  int
	began  time.Time // start of the call that returned the answer
	at     time.Time
}

// cache is an LRU cache of answers, bounded by number and bytes.
type cache struct {
	fresh, refused, stale time.Duration
	most, mostBytes       int

	mu    sync.Mutex
	byID  lru.Map[identity, *entry]
	bytes int
}

// get returns the cached answer and whether it is fresh. Stale answers with rates are used only if there is no fresh
// one. Refusals are never stale.
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

// lifetime returns how long an answer is cached.
func (c *cache) lifetime(e *entry) time.Duration {
	if e.status >= 300 {
		return c.refused
	}
	return max(c.fresh, c.stale)
}

// put stores an answer. It does not replace the answer of a call that began later: a late call can end after its
// successor, and its data is then older.
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
