package work

import "sync"

// Bell reports that something has changed to whoever waits for it. The zero value is ready. It is safe for concurrent
// use.
type Bell struct {
	mu   sync.Mutex
	next chan struct{}
}

// Next returns a channel that is closed by the next Ring. Take it before you look at what may change.
func (b *Bell) Next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

// Ring wakes the waiters. It does not block, and costs nothing while nobody does.
func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}
