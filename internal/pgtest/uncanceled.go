package pgtest

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
)

// cancelCode is in the place of the protocol version in a request to cancel a query.
const cancelCode = 80877102

// uncanceled forwards connections to a server, except requests to cancel a query.
type uncanceled struct {
	listener net.Listener
	server   string
	all      sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
}

func newUncanceled(server string) (*uncanceled, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	u := &uncanceled{listener: l, server: server, open: make(map[net.Conn]bool)}
	u.all.Go(u.accept)
	return u, nil
}

func (u *uncanceled) address() string { return u.listener.Addr().String() }

// accept returns when the listener is closed.
func (u *uncanceled) accept() {
	for {
		conn, err := u.listener.Accept()
		if err != nil {
			return
		}
		u.all.Go(func() { u.forward(conn) })
	}
}

func (u *uncanceled) forward(client net.Conn) {
	defer u.keep(client)()
	start, err := startup(client)
	if err != nil || binary.BigEndian.Uint32(start[4:]) == cancelCode {
		return
	}
	server, err := net.Dial("tcp", u.server)
	if err != nil {
		return // the client sees that its connection ends
	}
	defer u.keep(server)()
	if _, err := server.Write(start); err != nil {
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	})
	_, _ = io.Copy(server, client)
	_ = server.Close()
	back.Wait()
}

// startup reads the first message of a connection. PgBouncer refuses it if it arrives in parts.
func startup(client io.Reader) ([]byte, error) {
	start := make([]byte, 8, 1024) // length and code
	if _, err := io.ReadFull(client, start); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(start)
	if length < 8 || length > 10_000 { // the limit of PostgreSQL
		return nil, fmt.Errorf("a first message of %d bytes", length)
	}
	rest := make([]byte, length-8)
	_, err := io.ReadFull(client, rest)
	return append(start, rest...), err
}

// keep closes a connection together with all others, or when its result is called.
func (u *uncanceled) keep(conn net.Conn) (end func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		_ = conn.Close()
	}
	u.open[conn] = true
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.open, conn)
		_ = conn.Close()
	}
}

func (u *uncanceled) close() {
	_ = u.listener.Close()
	u.mu.Lock()
	u.closed = true
	for conn := range u.open {
		_ = conn.Close()
	}
	u.mu.Unlock()
	u.all.Wait()
}
