package client

import (
	"bufio"
	"context"
	"errors"
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

// A call of a server that never answers is repeated while Retry.Total permits it.
func TestAttemptsOfASilentServer(t *testing.T) {
	for _, test := range []struct {
		name                    string
		header, attempt, within time.Duration
		attempts                int
	}{
		{"the defaults", 20 * time.Second, 0, 42 * time.Second, 2},
		{"no limit for the header", 0, 0, 30 * time.Second, 1},
		{"short attempts", 20 * time.Second, 10 * time.Second, 33 * time.Second, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport, dials := NewTransport(), 0
				if test.header == 0 {
					transport.ResponseHeaderTimeout = 0
				} else if transport.ResponseHeaderTimeout != test.header {
					t.Errorf("ResponseHeaderTimeout: got %v, want %v", transport.ResponseHeaderTimeout, test.header)
				}
				transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
					dials++
					ours, theirs := net.Pipe()
					go func() { _, _ = io.Copy(io.Discard, theirs) }()
					return ours, nil
				}
				c, err := New(Config{
					BaseURL: "http://127.0.0.1", StoreID: 1, Token: StaticToken("t"), UserAgent: "Test (dev@my.app)",
					HTTPClient: &http.Client{Transport: transport}, AttemptTimeout: test.attempt,
				})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				err = c.Do(t.Context(), Request{Version: Version202503, Method: http.MethodGet, Path: "/store"}, nil)
				if took := time.Since(began); !errors.Is(err, ErrNoAnswer) || dials != test.attempts || took > test.within {
					t.Errorf("got %v after %d attempts and %v, want %d attempts within %v", err, dials, took, test.attempts, test.within)
				}
			})
		})
	}
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
