package refserver

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// memory is an HTTP server and its clients over pipes: real connections, which
// can be cut, but no sockets, so that a testing/synctest bubble may hold both ends.
type memory struct {
	server    *http.Server
	transport *http.Transport
	conns     chan net.Conn
	once      sync.Once
	done      chan struct{}
	served    chan struct{}
}

// Transport returns a RoundTripper that reaches this server whatever the host of
// the address. For https addresses the connection counts as secure. It works
// until Close.
func (s *Server) Transport() http.RoundTripper {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return closedTransport{}
	}
	if s.memory == nil {
		s.memory = newMemory(s)
	}
	return s.memory.transport
}

func newMemory(h http.Handler) *memory {
	m := &memory{conns: make(chan net.Conn), done: make(chan struct{}), served: make(chan struct{})}
	m.server = &http.Server{
		Handler:  h,
		ErrorLog: silent(),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			p, ok := c.(pipe)
			return context.WithValue(ctx, secureKey{}, ok && p.secure)
		},
	}
	m.transport = &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return m.dial(ctx, false) },
		// A connection from here counts as one after the handshake.
		DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return m.dial(ctx, true) },
	}
	go func() {
		defer close(m.served)
		_ = m.server.Serve(m) // returns when m is closed
	}()
	return m
}

func (m *memory) dial(ctx context.Context, secure bool) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case m.conns <- pipe{theirs, secure}:
		return ours, nil
	case <-m.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept, Close and Addr make memory the listener of its own server.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.done) })
	return nil
}

func (m *memory) Addr() net.Addr { return pipeAddr{} }

func (m *memory) close() {
	m.transport.CloseIdleConnections()
	_ = m.server.Close()
	<-m.served
}

type pipe struct {
	net.Conn
	secure bool
}

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

type secureKey struct{}

// overTLS reports whether the caller of an in-memory connection asked for https.
func overTLS(ctx context.Context) bool {
	secure, _ := ctx.Value(secureKey{}).(bool)
	return secure
}

type closedTransport struct{}

func (closedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return nil, errClosed
}

var errClosed = errors.New("refserver: the server is closed")

// silent keeps net/http from reporting connections that a fault has cut.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }
