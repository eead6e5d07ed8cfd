package webhook

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// pipes is a listener without a network.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// pipe is the client's end of a connection.
type pipe struct {
	net.Conn
	closed chan struct{} // when the server has closed its end
}

// serverEnd is the other end.
type serverEnd struct {
	net.Conn
	close func()
}

func (c serverEnd) Close() error {
	c.close()
	return c.Conn.Close()
}

// serve starts a server and returns how to connect to it.
func serve(t *testing.T, s *http.Server) (connect func() pipe) {
	l := pipes{make(chan net.Conn), make(chan struct{})}
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close(); <-done })
	return func() pipe {
		ours, theirs := net.Pipe()
		closed := make(chan struct{})
		end := serverEnd{theirs, sync.OnceFunc(func() { close(closed) })}
		select {
		case l.conns <- end:
		case <-l.closed: // nobody accepts any more
			_ = end.Close()
		}
		t.Cleanup(func() { _ = ours.Close() })
		return pipe{ours, closed}
	}
}

// status reads one answer; 0 if there is none.
func status(c net.Conn) (code int, closes bool) {
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, true
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, resp.Close
}

func TestServerLimits(t *testing.T) {
	s := Server(":8080", http.NotFoundHandler())
	got := fmt.Sprint(s.Addr, s.ReadHeaderTimeout, s.ReadTimeout, s.WriteTimeout, s.IdleTimeout, s.MaxHeaderBytes,
		s.Handler != nil)
	if want := ":80802s 5s 5s 1m30s 16384 true"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func head(extra string) string {
	return "POST / HTTP/1.1\r\nHost: a\r\n" + SignatureHeader + ": " + Sign(testSecret, []byte(paidBody)) + "\r\n" +
		extra + "\r\n"
}

// drip sends s one byte a second until the connection closes.
func drip(c net.Conn, s string) {
	for i := range len(s) {
		if _, err := c.Write([]byte{s[i]}); err != nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// TestManySlowClients: 500 senders that drip headers, 500 that drip bodies, and 200 that never read their answers hold
// nobody else up, and are rid of in time and without much memory.
func TestManySlowClients(t *testing.T) {
	const headers, bodies, deaf, good = 500, 500, 200, 50
	length := fmt.Sprintf("Content-Length: %d\r\n", len(paidBody))
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(t, nil)
		connect := serve(t, Server("", p))
		start := time.Now()
		var clients sync.WaitGroup
		gone := map[string][]time.Duration{}
		var mu sync.Mutex
		slow := func(n int, kind, fast, dripped string) {
			for range n {
				c := connect()
				clients.Go(func() {
					_, _ = io.WriteString(c, fast)
					drip(c, dripped)
				})
				if kind != "deaf" {
					clients.Go(func() { _, _ = io.Copy(io.Discard, c) })
				}
				clients.Go(func() {
					<-c.closed
					mu.Lock()
					defer mu.Unlock()
					gone[kind] = append(gone[kind], time.Since(start))
				})
			}
		}
		cost := hostile.Cost(func() {
			slow(headers, "header", "", head(length))
			slow(bodies, "body", head(length), paidBody)
			slow(deaf, "deaf", head(length)+paidBody, strings.Repeat("POST / HTTP/1.1\r\n", 10))
			for range good {
				c := connect()
				sent := time.Now()
				clients.Go(func() { _, _ = io.WriteString(c, head(length)+paidBody) })
				if code, _ := status(c); code != http.StatusOK || time.Since(sent) != 0 {
					t.Errorf("good sender: got %d after %v, want 200 at once", code, time.Since(sent))
				}
				_ = c.Close()
				time.Sleep(100 * time.Millisecond)
			}
			clients.Wait() // those that drip notice when their next byte is refused
		})
		for kind, want := range map[string]struct {
			n  int
			by time.Duration
		}{
			"header": {headers, 2 * time.Second},
			"body":   {bodies, 2500 * time.Millisecond},
			"deaf":   {deaf, 5 * time.Second}, // nothing takes their answers, not even a buffer
		} {
			last := slices.Max(append(gone[kind], 0))
			t.Logf("%d clients, %s: the last connection was closed after %v", len(gone[kind]), kind, last)
			if len(gone[kind]) != want.n || last > want.by {
				t.Errorf("%s: %d connections were closed, the last one after %v; want %d within %v", kind,
					len(gone[kind]), last, want.n, want.by)
			}
		}
		t.Logf("%d good clients served at once, %v", good, cost)
		if time.Since(start) > 8*time.Second {
			t.Errorf("the last sender noticed after %v; want 5 s, and little more", time.Since(start))
		}
		if cost.Bytes > 64<<20 || p.parses != good+deaf {
			t.Errorf("spent %v on %d parses; want 64 MiB at most on %d", cost, p.parses, good+deaf)
		}
	})
}

// TestSmuggling: requests whose length can be read in two ways. The signature is
// over the body that this server decoded, and what a proxy may have read otherwise is
// the last request on its connection: next is the answer to one that follows, 0 if
// there is none.
func TestSmuggling(t *testing.T) {
	n := len(paidBody)
	whole := head(fmt.Sprintf("Content-Length: %d\r\n", n)) + paidBody
	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", n, paidBody)
	tests := []struct {
		name, headers, body string
		want                int
		calls               int
		next                int
	}{
		{"length", fmt.Sprintf("Content-Length: %d\r\n", n), paidBody, 200, 1, 200},
		{"chunked", "Transfer-Encoding: chunked\r\n", chunked, 200, 1, 0},
		{"two lengths", fmt.Sprintf("Content-Length: %d\r\nContent-Length: 5\r\n", n), paidBody, 400, 0, 0},
		{"length with sign", fmt.Sprintf("Content-Length: +%d\r\n", n), paidBody, 400, 0, 0},
		{"length and chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", chunked, 200, 1, 0},
		{"length, chunked and a request behind", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", chunked + whole,
			200, 1, 0},
		{"unknown transfer encoding", "Transfer-Encoding: xchunked\r\n", chunked, 501, 0, 0},
		{"two transfer encodings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunked, 501, 0, 0},
		// what is left begins the next one
		{"length too short", fmt.Sprintf("Content-Length: %d\r\n", n-1), paidBody, 401, 0, 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProbe(t, nil)
			c := serve(t, Server("", p))()
			go func() { _, _ = io.WriteString(c, head(tt.headers)+tt.body) }()
			if code, closes := status(c); code != tt.want || len(p.calls) != tt.calls || closes != (tt.next == 0) {
				t.Errorf("got %d, %d calls, closing %v; want %d, %d, and the next request answered %d", code,
					len(p.calls), closes, tt.want, tt.calls, tt.next)
			}
			go func() { _, _ = io.WriteString(c, whole) }()
			if next, _ := status(c); next != tt.next {
				t.Errorf("the next request: got %d, want %d", next, tt.next)
			}
		})
	}
}
