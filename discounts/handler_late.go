package discounts

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/lru"
)

// Bounds on stored results: time and number.
const (
	lateTime = 30 * time.Second
	mostLate = 1024
)

// memory stores late answers by cart. The zero memory is empty.
type memory struct {
	mu     sync.Mutex
	byCart lru.Map[fingerprint, late] // ordered by the time of storage
}

type late struct {
	at    time.Time
	reply reply
}

// fingerprint identifies a cart together with the app's promotions.
type fingerprint [sha256.Size]byte

func fingerprintOf(o *own, raw []byte) fingerprint {
	h := sha256.New()
	var version [8]byte
	binary.BigEndian.PutUint64(version[:], o.version)
	h.Write(version[:])
	h.Write(raw)
	return fingerprint(h.Sum(nil))
}

// keep stores the answer to a cart, unless there is an answer of a plan that began later.
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

// recall returns the stored answer to a cart, if it is not too old.
func (m *memory) recall(o *own, raw []byte) (reply, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trim()
	if m.byCart.Len() == 0 {
		return reply{}, false // the memory is empty, so do not hash the cart
	}
	l, ok := m.byCart.Peek(fingerprintOf(o, raw))
	return l.reply, ok
}

// trim removes old answers, and the oldest ones if there are too many.
func (m *memory) trim() {
	for cart, l := range m.byCart.All() {
		if m.byCart.Len() <= mostLate && time.Since(l.at) < lateTime {
			return
		}
		m.byCart.Remove(cart)
	}
}
