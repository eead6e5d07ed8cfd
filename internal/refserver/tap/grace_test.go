package tap_test

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/tap"
)

// slowConn is a connection to a server that takes bytes late.
type slowConn struct {
	net.Conn
	takes <-chan bool
}

func (c slowConn) Write(p []byte) (int, error) {
	<-c.takes
	return c.Conn.Write(p)
}

// oneConn is a listener that has one connection.
type oneConn struct {
	conns chan net.Conn
	close func()
}

func newOneConn(c net.Conn) *oneConn {
	l := &oneConn{conns: make(chan net.Conn, 1)}
	l.conns <- c
	l.close = sync.OnceFunc(func() { close(l.conns) })
	return l
}

func (l *oneConn) Accept() (net.Conn, error) {
	if c, ok := <-l.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error { l.close(); return nil }

func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }

// A call that the server has not taken yet is in progress too, although nothing of it has been read.
func TestWaitsForBytesOnTheirWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, front := net.Pipe()
		back, app := net.Pipe()
		takes := make(chan bool)
		var shown []tap.Exchange
		p := &tap.Proxy{
			Dial:    func(context.Context) (net.Conn, error) { return slowConn{back, takes}, nil },
			Seen:    func(x tap.Exchange) { shown = append(shown, x) },
			MaxBody: 1 << 10, MaxAnswer: 1 << 10, MaxHeld: 1 << 20, Grace: time.Minute,
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- p.Serve(ctx, newOneConn(front)) }()
		_, _ = io.WriteString(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		synctest.Wait() // the proxy waits for the server
		cancel()
		time.Sleep(time.Second)
		go func() {
			_, _ = app.Read(make([]byte, 1<<10))
			_, _ = io.WriteString(app, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
		}()
		go func() { _, _ = io.Copy(io.Discard, client) }()
		close(takes)
		if err := <-ended; err != nil || len(shown) != 1 || string(shown[0].Answer) != "hi" {
			t.Errorf("got %v and %v, want one call that was answered", shown, err)
		}
	})
}
