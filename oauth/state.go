package oauth

import (
	"container/list"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"sync"
	"time"
)

// stateLifetime is how long a merchant may take from Begin to the callback.
const stateLifetime = 10 * time.Minute

// Pending is an install that was begun.
type Pending struct {
	ReturnTo string    // where the browser goes afterwards; empty for the success page
	Expires  time.Time // Handler refuses the state after this; a StateStore may drop it
}

// StateStore keeps pending installs between Begin and the callback. Replicas that serve one redirect URL must share one.
// The key is a hash of the app, the state and the browser's cookie; it is no secret, and it finds nothing for a state
// that comes from another browser. Implementations must be safe for concurrent use.
type StateStore interface {
	// Put keeps p under key.
	Put(ctx context.Context, key string, p Pending) error

	// Take removes the pending install under key and returns it; false if there is none. It must be atomic: of many
	// calls at once, one gets it (in SQL: DELETE ... RETURNING).
	Take(ctx context.Context, key string) (Pending, bool, error)
}

// MemoryStates is a StateStore for one process; the zero value is ready to use. When it is full the oldest pending
// install gives way, so that strangers who begin installs and never end them cost bounded memory. Limit their rate in
// front of the handler if they could push out merchants within minutes.
type MemoryStates struct {
	Max int // pending installs; 0 means 10,000

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

// ring is a bounded map for values that all live equally long, so that the oldest is the first to expire.
type ring[V any] struct {
	mu    sync.Mutex
	byKey map[string]*list.Element
	age   list.List // oldest in front
}

type entry[V any] struct {
	key     string
	value   V
	expires time.Time
}

// put adds a value unless key is there already, and reports whether it did.
func (r *ring[V]) put(key string, value V, expires time.Time, limit int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	for oldest := r.age.Front(); oldest != nil && now.After(oldest.Value.(*entry[V]).expires); oldest = r.age.Front() {
		r.remove(oldest)
	}
	if _, there := r.byKey[key]; there {
		return false
	}
	for len(r.byKey) >= limit {
		r.remove(r.age.Front())
	}
	if r.byKey == nil {
		r.byKey = map[string]*list.Element{}
	}
	r.byKey[key] = r.age.PushBack(&entry[V]{key, value, expires})
	return true
}

func (r *ring[V]) take(key string) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	element, ok := r.byKey[key]
	if !ok {
		var none V
		return none, false
	}
	return r.remove(element).value, true
}

func (r *ring[V]) remove(element *list.Element) *entry[V] {
	e := r.age.Remove(element).(*entry[V])
	delete(r.byKey, e.key)
	return e
}

// nonce is 256 random bits: a state, or the name we give a browser.
type nonce [32]byte

func newNonce() nonce {
	var n nonce
	_, _ = rand.Read(n[:]) // never fails
	return n
}

func (n nonce) String() string { return base64.RawURLEncoding.EncodeToString(n[:]) }

// parseNonce accepts the one spelling that String gives.
func parseNonce(s string) (nonce, bool) {
	var n nonce
	if len(s) != base64.RawURLEncoding.EncodedLen(len(n)) {
		return n, false
	}
	size, err := base64.RawURLEncoding.Strict().Decode(n[:], []byte(s))
	if err != nil || size != len(n) {
		return nonce{}, false
	}
	return n, true
}

// stateKey binds a state to the app and the browser, and hides both from whoever reads the store. That also makes the
// look-up safe from timing: the key cannot be approached without its two halves.
func stateKey(appID int64, state, browser nonce) string {
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], uint64(appID))
	h := sha256.New()
	h.Write(id[:])
	h.Write(state[:])
	h.Write(browser[:])
	return hex.EncodeToString(h.Sum(nil))
}
