package oauth

import (
	"context"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/lru"
)

// stateLifetime is how long a merchant may take from Begin to the callback.
const stateLifetime = 10 * time.Minute

// Pending is an installation that was begun or, for a repeated callback, has ended.
type Pending struct {
	ReturnTo string    // where the browser goes afterwards; empty for the success page
	Expires  time.Time // Handler rejects the state after this; a StateStore may drop it

	// Ended is empty for an installation that was begun. Otherwise it holds the outcome of the installation, in at most
	// 128 bytes of ASCII in a format private to Handler. It holds no secret. A StateStore need not store it; another
	// replica then shows a page which says that the link was used already.
	Ended string
}

// StateStore stores pending installations between Begin and the callback, and their outcomes for 10 minutes after it.
// Replicas that serve one redirect URL must share one, and their clocks must agree to within a minute. A key is a hash
// of the app, the state and the browser's cookie. It is no secret. A state that comes from another browser has another
// key, so it finds nothing. Implementations must be safe for concurrent use.
type StateStore interface {
	// Put stores all fields of p under key. Of two values under one key it may keep either.
	Put(ctx context.Context, key string, p Pending) error

	// Take removes the pending installation under key and returns it; false if there is none. It must be atomic: of
	// several concurrent calls, only one gets it (in SQL: DELETE ... RETURNING).
	Take(ctx context.Context, key string) (Pending, bool, error)
}

// MemoryStates is a StateStore for one process. The zero value is ready to use. If it is full it drops the oldest
// pending installation, so installations that are begun and never ended use bounded memory. Limit the rate of requests
// to the handler if others could fill it within minutes.
type MemoryStates struct {
	Max int // installations, pending or ended; 0 means 10,000

	pending ring[Pending]
}

var _ StateStore = (*MemoryStates)(nil)

const defaultMax = 10_000

// Put implements StateStore.
func (m *MemoryStates) Put(_ context.Context, key string, p Pending) error {
	limit := m.Max
	if limit <= 0 {
		limit = defaultMax
	}
	m.pending.put(key, p, p.Expires, limit)
	return nil
}

// Take implements StateStore.
func (m *MemoryStates) Take(_ context.Context, key string) (Pending, bool, error) {
	p, ok := m.pending.take(key)
	return p, ok, nil
}

// ring is a bounded map for values with equal lifetimes, so that the oldest is the first to expire.
type ring[V any] struct {
	mu      sync.Mutex
	entries lru.Map[string, entry[V]] // never used after they are put, so the oldest is first
}

type entry[V any] struct {
	value   V
	expires time.Time
}

// put adds a value unless key exists, and reports whether it did.
func (r *ring[V]) put(key string, value V, expires time.Time, limit int) bool {
	_, there := r.getOrPut(key, value, expires, limit)
	return !there
}

// getOrPut returns the value under key, or adds one if there is none.
func (r *ring[V]) getOrPut(key string, value V, expires time.Time, limit int) (_ V, there bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for oldest, e := range r.entries.All() {
		if !now.After(e.expires) {
			break
		}
		r.entries.Remove(oldest)
	}
	if e, there := r.entries.Peek(key); there {
		return e.value, true
	}
	for oldest := range r.entries.All() {
		if r.entries.Len() < limit {
			break
		}
		r.entries.Remove(oldest)
	}
	r.entries.Put(key, entry[V]{value, expires})
	return value, false
}

// get returns the value under key unless it has expired.
func (r *ring[V]) get(key string) (value V, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.entries.Peek(key)
	if !ok || time.Now().After(e.expires) {
		return value, false
	}
	return e.value, true
}

// take removes the value under key and returns it.
func (r *ring[V]) take(key string) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.entries.Peek(key)
	r.entries.Remove(key)
	return e.value, ok
}
