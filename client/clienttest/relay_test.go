package clienttest_test

import (
	"net"
	"sync"
	"testing"
	"time"
)

// relay is the way to a server on a socket. When it falls, everybody is hung up on and nobody is let in, as when the
// process of the server ends; then it rises at the same address.
type relay struct {
	address, to string
	all         sync.WaitGroup

	mu       sync.Mutex
	listener net.Listener
	open     map[net.Conn]bool
	falling  chan struct{} // not nil: the next answer is not passed on
}

// newRelay returns a relay that has risen.
func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	r := &relay{address: "127.0.0.1:0", to: to, open: make(map[net.Conn]bool)}
	r.rise(t)
	t.Cleanup(func() {
		r.mu.Lock()
		r.hangUp()
		r.mu.Unlock()
		r.all.Wait()
	})
	return r
}

func (r *relay) rise(t *testing.T) {
	t.Helper()
	var l net.Listener
	for try := 0; ; try++ {
		var err error
		if l, err = net.Listen("tcp", r.address); err == nil {
			break
		}
		if try == 500 {
			t.Fatal(err)
		}
		<-time.After(10 * time.Millisecond) // somebody else has got the port, for a connection perhaps
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listener, r.address = l, l.Addr().String()
	r.all.Go(func() { r.run(l) })
}

// fall has the relay fall with the next answer, which does not arrive. The channel is closed then.
func (r *relay) fall() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.falling = make(chan struct{})
	return r.falling
}

// fell reports whether the relay has fallen with this answer.
func (r *relay) fell() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.falling == nil {
		return false
	}
	r.hangUp()
	close(r.falling)
	r.falling = nil
	return true
}

// hangUp closes everything. The lock is held.
func (r *relay) hangUp() {
	_ = r.listener.Close()
	for c := range r.open {
		_ = c.Close()
	}
	clear(r.open)
	r.listener = nil
}

func (r *relay) run(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", r.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		r.mu.Lock()
		if r.listener == l {
			r.open[in], r.open[out] = true, true
			r.all.Go(func() { r.pipe(out, in, func() bool { return false }) })
			r.all.Go(func() { r.pipe(in, out, r.fell) })
		} else {
			_, _ = in.Close(), out.Close()
		}
		r.mu.Unlock()
	}
}

// pipe passes on what comes, until one of both hangs up or it is lost.
func (r *relay) pipe(to, from net.Conn, lost func() bool) {
	defer func() {
		_, _ = to.Close(), from.Close()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.open, to)
		delete(r.open, from)
	}()
	buffer := make([]byte, 4<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || lost() {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
