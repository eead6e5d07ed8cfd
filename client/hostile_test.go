package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// rude is a server over net.Pipe that does with each request, read whole, what answer says. It hangs up then.
type rude struct {
	answer   func(w io.Writer, attempt int)
	all      sync.WaitGroup
	attempts atomic.Int64
	taken    atomic.Int64 // bytes of the answers that the client read
}

// client returns one that leads to it, and a function that ends it.
func (w *rude) client(t *testing.T, change ...func(*Config)) (*Client, func()) {
	transport := NewTransport()
	transport.DialTLSContext = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		w.all.Go(func() { w.serve(far) })
		return near, nil
	}
	return newTest(t, transport, change...), func() { transport.CloseIdleConnections(); w.all.Wait() }
}

func (w *rude) serve(c net.Conn) {
	hostile.EachRequest(c, func(req *http.Request) bool {
		before := w.taken.Load()
		w.answer(taking{c, &w.taken}, int(w.attempts.Add(1)))
		return w.taken.Load() > before && !req.Close
	})
}

// taking counts what goes through.
type taking struct {
	net.Conn
	n *atomic.Int64
}

func (c taking) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// once writes s and hangs up.
func once(s string) func(io.Writer, int) {
	return func(w io.Writer, _ int) { _, _ = io.WriteString(w, s); _ = w.(taking).Close() }
}

// endless writes head and then s for ever.
func endless(head, s string) func(io.Writer, int) {
	return func(w io.Writer, _ int) {
		_, err := io.WriteString(w, head)
		for more := strings.Repeat(s, 1+4096/len(s)); err == nil; {
			_, err = io.WriteString(w, more)
		}
	}
}

// drip writes head, and then s for ever, once a second.
func drip(head, s string) func(io.Writer, int) {
	return func(w io.Writer, _ int) {
		_, err := io.WriteString(w, head)
		for ; err == nil; time.Sleep(time.Second) {
			_, err = io.WriteString(w, s)
		}
	}
}

const (
	okHead  = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	fineEnd = okHead + "Content-Length: 8\r\n\r\n{\"id\":7}"
	early   = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
)

// Whatever a server writes, a call ends in time and with an error that tells what happened, and reads little of it.
func TestHostileAnswers(t *testing.T) {
	const bound = 64 << 10
	decoding := func(err error) bool { return errors.As(err, new(*DecodeError)) }
	is := func(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }
	fine := func(err error) bool { return err == nil }
	lost := func(err error) bool { return errors.Is(err, ErrNoAnswer) }
	for _, c := range []struct {
		name   string
		answer func(io.Writer, int)
		want   func(error) bool
		most   int64         // that the client reads
		within time.Duration // of the bubble's clock
	}{
		{"endless headers", endless(okHead, "X-More: "+strings.Repeat("x", 100)+"\r\n"), lost, maxHeader + bound, 0},
		{"an endless header", endless(okHead+"X-More: ", "x"), lost, maxHeader + bound, 0},
		{"an endless status line", endless("HTTP/1.1 200 ", "x"), lost, maxHeader + bound, 0},
		{"1,000 early hints", once(strings.Repeat(early, 1000) + fineEnd), fine, bound, 0},
		{"early hints for ever", endless("", early), lost, maxHeader + bound, 0},
		{"early hints, one a second", drip("", early), lost, bound, 20 * time.Second},
		{"switched protocols", once("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), is(engine.ErrSwitched), bound, 0},
		{"switched protocols, then silence", func(w io.Writer, _ int) {
			_, _ = io.WriteString(w, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
			_, _ = w.(taking).Read(make([]byte, 1)) // until the client hangs up
		}, is(engine.ErrSwitched), bound, 0}, // this once hung for ever
		{"no HTTP", once("SSH-2.0-OpenSSH_9.6\r\n\r\n"), lost, bound, 0},
		{"a header, one byte a second", drip(okHead+"X-More: ", "x"), lost, bound, 20 * time.Second},
		{"a body, one byte a second", drip(okHead+"\r\n", " "), is(engine.ErrTimeout), bound, 30 * time.Second},
		{"truncated chunks", once(okHead + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"id\":"), is(engine.ErrTruncated), bound, 0},
		{"chunks without an end", once(okHead + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"id\":7}\r\n"), is(engine.ErrTruncated), bound, 0},
		{"a chunk of no size", once(okHead + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{\"id\":7}\r\n0\r\n\r\n"), is(engine.ErrTruncated), bound, 0},
		{"an endless chunk extension", endless(okHead+"Transfer-Encoding: chunked\r\n\r\n1;", "x"), is(engine.ErrTruncated), bound, 0},
		{"9 bytes of 100", once(okHead + "Content-Length: 100\r\n\r\n{\"id\": 7}"), is(engine.ErrTruncated), bound, 0},
		{"two lengths", once(okHead + "Content-Length: 8\r\nContent-Length: 9\r\n\r\n{\"id\":7}"), lost, bound, 0},
		{"a length of 1 EiB", once(okHead + "Content-Length: 1152921504606846976\r\n\r\n{\"id\":7}"), is(engine.ErrTruncated), bound, 0},
		{"an endless body", endless(okHead+"\r\n", " "), is(engine.ErrTooLarge), 2 * bound, 0},
		{"an endless body of chunks", endless(okHead+"Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"), is(engine.ErrTooLarge), 8 * bound, 0},
		{"an endless error", endless("HTTP/1.1 500 Oops\r\n\r\n", "x"), is(ErrServer), engine.MaxErrorBody + bound, 0},
		{"plain text", once("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\n{\"id\":7!"), decoding, bound, 0},
		{"HTML for JSON", once(okHead + "Content-Length: 6\r\n\r\n<html>"), decoding, bound, 0},
		{"nothing", once(okHead + "Content-Length: 0\r\n\r\n"), decoding, bound, 0},
		{"204 with a body", once("HTTP/1.1 204 No Content\r\nContent-Length: 8\r\n\r\n{\"id\":7}"), fine, bound, 0},
		{"gzip that is none", once(okHead + "Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\n{\"id\":7}"), is(engine.ErrTruncated), bound, 0},
		{"status 999", once("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"), func(err error) bool { e := new(Error); return errors.As(err, &e) && e.Status == 999 }, bound, 0},
		{"status 99999", once("HTTP/1.1 99999 Odd\r\nContent-Length: 0\r\n\r\n"), lost, bound, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &rude{answer: c.answer}
				client, end := w.client(t, func(c *Config) { c.MaxBody = 64 << 10 })
				var err error
				start := time.Now()
				cost := hostile.Cost(func() {
					err = client.Do(t.Context(), Request{Method: "POST", Path: "/products", Body: 1}, new(Product))
				})
				took := time.Since(start)
				end()
				t.Logf("read %d bytes, %v after %v: %.160v", w.taken.Load(), cost, took, err)
				if !c.want(err) || w.attempts.Load() != 1 {
					t.Errorf("got %v after %d requests, want another error and one request", err, w.attempts.Load())
				}
				var e *Error
				if errors.As(err, &e) && (!errors.Is(err, ErrOutcomeUnknown) && e.Status != 999 || len(e.Error()) > 2000) {
					t.Errorf("got %v, want a short error that says that the outcome is unknown", err)
				}
				if w.taken.Load() > c.most || cost.Bytes > 48<<20 || took > c.within {
					t.Errorf("read %d bytes, spent %v in %v; want %d bytes and 48 MiB at most, by %v", w.taken.Load(), cost, took, c.most, c.within)
				}
			})
		})
	}
}

// A server that writes a little now and then, wherever it is in its answer, does not keep a caller longer than the
// caller waits.
func TestSlowAnswersEndWithTheContext(t *testing.T) {
	const patience, late = 300 * time.Millisecond, 50 * time.Millisecond
	slowly := func(head, s string) func(io.Writer, int) {
		return func(w io.Writer, _ int) {
			_, err := io.WriteString(w, head)
			for ; err == nil; time.Sleep(7 * time.Millisecond) {
				_, err = io.WriteString(w, s)
			}
		}
	}
	for name, answer := range map[string]func(io.Writer, int){
		"nothing":           func(w io.Writer, _ int) { _, _ = w.(taking).Read(make([]byte, 1)) },
		"a status line":     slowly("HTTP/1.1 200 ", "x"),
		"headers":           slowly(okHead, "X-More: x\r\n"),
		"a header":          slowly(okHead+"X-More: ", "x"),
		"early hints":       slowly("", early),
		"a body":            slowly(okHead+"\r\n", " "),
		"half a body":       drip(okHead+"Content-Length: 8\r\n\r\n", "{"),
		"chunks":            slowly(okHead+"Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"),
		"a chunk extension": slowly(okHead+"Transfer-Encoding: chunked\r\n\r\n1;", "x"),
		"trailers":          slowly(okHead+"Transfer-Encoding: chunked\r\n\r\n0\r\n", "X-More: x\r\n"),
		"an error":          slowly("HTTP/1.1 500 Oops\r\n\r\n", "x"),
		"a 429":             slowly("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n\r\n", "x"),
	} {
		for _, method := range []string{"GET", "POST"} {
			t.Run(method+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := &rude{answer: answer}
					client, end := w.client(t)
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					start := time.Now()
					err := client.Do(ctx, Request{Method: method, Path: "/products"}, nil)
					took := time.Since(start)
					end()
					if !errors.Is(err, context.DeadlineExceeded) || took > patience+late || w.attempts.Load() != 1 {
						t.Errorf("after %v and %d requests: %v; want context.DeadlineExceeded by %v, and one request", took, w.attempts.Load(), err, patience+late)
					}
				})
			})
		}
	}
}

// A server that takes a write on a connection that has served before, and hangs up: net/http repeats some requests
// then.
func TestWriteOnAWarmConnectionIsSentOnce(t *testing.T) {
	for _, key := range []string{"", "Idempotency-Key", "X-Idempotency-Key"} {
		for _, r := range []Request{
			{Method: "POST", Path: "/products", Body: 1}, {Method: "POST", Path: "/products"},
			{Method: "PUT", Path: "/products", Body: 1}, {Method: "PATCH", Path: "/products", Body: 1}, {Method: "DELETE", Path: "/products"},
		} {
			if key != "" && r.Method == http.MethodDelete {
				continue // it may be repeated, and the key asks for that
			}
			for _, next := range []string{"dialled", "idle", "refused"} {
				for range 4 { // net/http picks what it does next from what is ready
					w := &warm{key: key, next: next}
					w.sendOnce(t, r)
				}
			}
		}
	}
}

// warm is a way to a server with a connection that has served before, and what may be had in the place of that: a new
// one, one that has served before too, or none.
type warm struct {
	rude
	key, next string // the key is a header that each request is given on the way
	dials     atomic.Int64
	writes    atomic.Int64
}

// writing counts what is written: a network may deliver it, even from a connection that is closed then.
type writing struct {
	net.Conn
	n    *atomic.Int64
	late atomic.Bool
}

func (c *writing) SetWriteDeadline(at time.Time) error {
	c.late.Store(at.Before(time.Now()))
	return c.Conn.SetWriteDeadline(at)
}

func (c *writing) Write(p []byte) (int, error) {
	if !c.late.Load() {
		c.n.Add(1)
	}
	return c.Conn.Write(p)
}

// sendOnce makes a request that the server hangs up on after it was read whole.
func (w *warm) sendOnce(t *testing.T, r Request) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		first := int64(1)
		if w.next == "idle" {
			first++
		}
		w.answer = func(to io.Writer, attempt int) {
			if int64(attempt) <= first {
				time.Sleep(time.Second) // so that those before are under way together
				_, _ = io.WriteString(to, fineEnd)
			} // and nothing to those after
		}
		transport := NewTransport()
		transport.DialTLSContext = func(context.Context, string, string) (net.Conn, error) {
			if w.dials.Add(1) > first && w.next == "refused" {
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
			}
			near, far := net.Pipe()
			w.all.Go(func() { w.serve(far) })
			return &writing{Conn: near, n: &w.writes}, nil
		}
		client := newTest(t, hostile.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if w.key != "" {
				req = req.Clone(req.Context())
				req.Header.Set(w.key, "k")
			}
			return transport.RoundTrip(req)
		}), func(c *Config) {
			if r.Method == http.MethodDelete {
				c.Retry.Attempts = 1
			}
		})
		var before sync.WaitGroup
		for range first {
			before.Go(func() {
				if err := client.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
					t.Error(err)
				}
			})
		}
		before.Wait()
		err := client.Do(t.Context(), r, nil)
		transport.CloseIdleConnections()
		w.all.Wait()
		if n, wrote := w.attempts.Load()-first, w.writes.Load()-first; n != 1 || wrote != 1 || !errors.Is(err, ErrOutcomeUnknown) {
			t.Errorf("%s %v with %q, then a connection is %s: written %d times and processed %d times, %v; want once and an unknown outcome", r.Method, r.Body, w.key, w.next, wrote, n, err)
		}
	})
}
