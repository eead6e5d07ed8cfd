package discounts

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"time"
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
	byCart map[fingerprint]*list.Element
	recent list.List // of late, the newest first
}

type late struct {
	cart  fingerprint
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
	if m.byCart == nil {
		m.byCart = make(map[fingerprint]*list.Element)
	}
	m.trim()
	if e, ok := m.byCart[cart]; ok {
		if e.Value.(late).reply.began.After(a.began) {
			return
		}
		m.recent.Remove(e)
	}
	m.byCart[cart] = m.recent.PushFront(late{cart, time.Now(), a})
	m.trim()
}

// recall returns the answer to a cart that was kept, if it is not too old.
func (m *memory) recall(o *own, raw []byte) (reply, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trim()
	if len(m.byCart) == 0 {
		return reply{}, false
	}
	e, ok := m.byCart[fingerprintOf(o, raw)]
	if !ok {
		return reply{}, false
	}
	return e.Value.(late).reply, true
}

// trim forgets what is too old or too much.
func (m *memory) trim() {
	for e := m.recent.Back(); e != nil; e = m.recent.Back() {
		l := e.Value.(late)
		if m.recent.Len() <= mostLate && time.Since(l.at) < lateTime {
			return
		}
		m.recent.Remove(e)
		delete(m.byCart, l.cart)
	}
}
