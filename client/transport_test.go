package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A connection that has been idle for nearly as long as load balancers keep theirs may be closed by then.
func TestConnectionsAreNotUsedAfterLoadBalancersCloseThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, dials := NewTransport(), 0
		transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
			dials++
			ours, theirs := net.Pipe()
			go answerAll(theirs)
			return ours, nil
		}
		defer transport.CloseIdleConnections()
		for _, test := range []struct {
			idle  time.Duration
			dials int
		}{{0, 1}, {30 * time.Second, 1}, {55 * time.Second, 2}, {time.Minute, 3}} {
			time.Sleep(test.idle)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.example.com/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := transport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			if err := resp.Body.Close(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if dials != test.dials {
				t.Errorf("after %v: %d connections, want %d", test.idle, dials, test.dials)
			}
		}
	})
}

// answerAll answers the requests of a connection until it closes.
func answerAll(c net.Conn) {
	defer func() { _ = c.Close() }()
	for r := bufio.NewReader(c); ; {
		if _, err := http.ReadRequest(r); err != nil {
			return
		}
		if _, err := io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n"); err != nil {
			return
		}
	}
}
