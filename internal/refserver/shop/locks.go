package shop

import "sync"

// Locks keep changes of a cart one after the other, in all storefronts that share them. The
// zero value is ready to use.
type Locks struct {
	mu    sync.Mutex
	carts map[int64]*held
}

// held is the lock of a cart that somebody has, or waits for.
type held struct {
	sync.Mutex
	users int
}

// lock waits until nobody else has the lock of a cart.
func (l *Locks) lock(cart int64) (unlock func()) {
	l.mu.Lock()
	if l.carts == nil {
		l.carts = map[int64]*held{}
	}
	h := l.carts[cart]
	if h == nil {
		h = new(held)
		l.carts[cart] = h
	}
	h.users++
	l.mu.Unlock()
	h.Lock()
	return func() {
		h.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if h.users--; h.users == 0 {
			delete(l.carts, cart)
		}
	}
}
