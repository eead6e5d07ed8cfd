package discounts

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/lru"
)

// How long and how many late results are kept.
const (
	lateTime = 30 * time.Second
	mostLate = 1024
)

// memory keeps the answers that came too late, by the cart that they are for. The
// zero memory is empty.
type memory struct {
	mu     sync.Mutex
	byCart lru.Map[fingerprint, late] // by the time when they were kept
}

type late struct {
	at    time.Time
	reply reply
}

// fingerprint tells carts apart, and what the app could do about them.
type fingerprint [sha256.Size]byte

func fingerprintOf(o *own, raw []byte) fingerprint {
	h := sha256.New()
	var version [8]byte
	binary.BigEndian.PutUint64(version[:], o.version)
	h.Write(version[:])
	h.Write(raw)
	return fingerprint(h.Sum(nil))
}

// keep remembers the answer to a cart, unless that of a plan which began later is there.
func (m *memory) keep(o *own, raw []byte, a reply) {
	cart := fingerprintOf(o, raw)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trim()
	if l, ok := m.byCart.Peek(cart); ok && l.reply.began.After(a.began) {
		return
	}
	m.byCart.Put(cart, late{time.Now(), a})
	m.trim()
}

// recall returns the answer to a cart that was kept, if it is not too old.
func (m *memory) recall(o *own, raw []byte) (reply, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trim()
	if m.byCart.Len() == 0 {
		return reply{}, false // no need to hash the cart
	}
	l, ok := m.byCart.Peek(fingerprintOf(o, raw))
	return l.reply, ok
}

// trim forgets what is too old or too much.
func (m *memory) trim() {
	for cart, l := range m.byCart.All() {
		if m.byCart.Len() <= mostLate && time.Since(l.at) < lateTime {
			return
		}
		m.byCart.Remove(cart)
	}
}
