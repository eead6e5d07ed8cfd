package tap

import (
	"errors"
	"io"
	"sync"
)

// mostWaiting bounds the copy of one direction that waits to be read.
const mostWaiting = 16 << 20

// errBehind is why the rest of a connection is not read.
var errBehind = errors.New("too much waits to be read")

// feed is a copy of the bytes of one direction. Writing to it never waits. If there is too much, the copy ends.
type feed struct {
	proxy *Proxy

	mu      sync.Mutex
	some    sync.Cond
	waiting []byte
	coming  bool  // bytes are on their way to the receiver, and their copy has not been written
	busy    bool  // bytes are coming, or their copy has not been read
	err     error // once there is no more
}

func newFeed(p *Proxy) *feed {
	f := &feed{proxy: p}
	f.some.L = &f.mu
	return f
}

// begin announces bytes of a client before the server has them, so that Serve does not end while the call that they
// are of has not been read.
func (f *feed) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.coming = true
		f.set(true)
	}
}

// set counts the feeds that are busy. f.mu is held.
func (f *feed) set(busy bool) {
	switch {
	case busy && !f.busy:
		f.proxy.open.Add(1)
	case !busy && f.busy:
		f.proxy.open.Add(-1)
	}
	f.busy = busy
}

func (f *feed) write(p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.coming = false
	if f.err != nil {
		return
	}
	if len(f.waiting)+len(p) > mostWaiting || !f.proxy.take(int64(len(p))) {
		f.end(errBehind)
		return
	}
	f.waiting = append(f.waiting, p...)
	f.some.Signal()
}

// close ends the feed. Bytes that wait can still be read.
func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.coming = false
	if f.err == nil {
		f.err = io.EOF
	}
	f.some.Signal()
}

// abandon says that nobody reads any more.
func (f *feed) abandon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.end(io.ErrClosedPipe)
}

// end drops what waits. f.mu is held.
func (f *feed) end(err error) {
	f.proxy.give(int64(len(f.waiting)))
	f.waiting, f.coming, f.err = nil, false, err
	f.set(false)
	f.some.Signal()
}

func (f *feed) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.waiting) == 0 {
		f.set(f.coming)
		if f.err != nil {
			return 0, f.err
		}
		f.some.Wait()
	}
	n := copy(p, f.waiting)
	if f.waiting = f.waiting[n:]; len(f.waiting) == 0 {
		f.waiting = nil // so that the array does not outlive a burst
	}
	f.proxy.give(int64(n))
	return n, nil
}

// take reserves memory; false if there is not enough.
func (p *Proxy) take(n int64) bool {
	if p.held.Add(n) > p.MaxHeld {
		p.held.Add(-n)
		return false
	}
	return true
}

func (p *Proxy) give(n int64) { p.held.Add(-n) }
