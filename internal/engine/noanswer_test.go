package engine

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// ErrNoAnswer tells what a later call may not meet from what it will meet again, and from the caller's own end.
func TestErrNoAnswer(t *testing.T) {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	hang := func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
	broken := func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, ContentLength: 100, Body: io.NopCloser(io.MultiReader(strings.NewReader("{"), gone{}))}, nil
	}
	for _, c := range []struct {
		name   string
		answer func(*http.Request) (*http.Response, error)
		ctx    time.Duration // how long the caller waits
		want   bool
	}{
		{"refused", hostile.Fails(dial), time.Hour, true},
		{"reset", hostile.Fails(reset), time.Hour, true},
		{"attempts that take too long", hang, time.Hour, true},
		{"an answer that breaks off", broken, time.Hour, true},
		{"the caller's end", hang, time.Second, false},
		{"a certificate that does not fit", hostile.Fails(&tls.CertificateVerificationError{Err: errors.New("of another host")}), time.Hour, false},
		{"an answer that is too large", hostile.Status(200, strings.Repeat(" ", 1<<20)), time.Hour, false},
		{"a redirect", hostile.Status(302, "", "Location", "https://b.example"), time.Hour, false},
		{"500", hostile.Status(500, ""), time.Hour, false},
		{"404", hostile.Status(404, ""), time.Hour, false},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			t.Run(method+" "+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), c.ctx)
					defer cancel()
					err := newTest(t, hostile.Answers(c.answer), func(c *Config) { c.MaxBody = 1 << 10 }).Do(ctx, Request{Method: method, Path: "/products"}, new(struct{}))
					if err == nil || errors.Is(err, ErrNoAnswer) != c.want {
						t.Errorf("got %v; want ErrNoAnswer: %v", err, c.want)
					}
				})
			})
		}
	}
}

// What is known of a create after the end of its only attempt decides whether it is sent again.
func TestWhetherACreateWasSent(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(*http.Request) (*http.Response, error)
		sent   int
	}{
		{"a dial", hostile.Fails(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}), 3},
		{"a read", hostile.Fails(&net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}), 1},
		{"a write", hostile.Fails(&net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}), 1},
		{"a refused stream", hostile.Fails(errors.New("http2: Transport: cannot retry err [stream error: stream ID 1; REFUSED_STREAM; received from peer] after Request.Body was written")), 3},
		{"an answer in those words", hostile.Fails(errors.New(`malformed HTTP response "; REFUSED_STREAM;"`)), 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := hostile.Answers(c.answer)
			err := newTest(t, s).Do(t.Context(), Request{Method: "POST", Path: "/products", Body: 1}, nil)
			if len(s.Seen) != c.sent || errors.Is(err, ErrOutcomeUnknown) != (c.sent == 1) {
				t.Errorf("%s: sent %d times, %v; want %d", c.name, len(s.Seen), err, c.sent)
			}
		})
	}
	// Between the dial and the request is the handshake of TLS: nothing was sent if that fails.
	dials := 0
	transport := &http.Transport{DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
		dials++
		return nil, errors.New("handshake timed out")
	}}
	synctest.Test(t, func(t *testing.T) {
		err := newTest(t, transport).Do(t.Context(), Request{Method: "POST", Path: "/products", Body: 1}, nil)
		if dials != 3 || errors.Is(err, ErrOutcomeUnknown) || !errors.Is(err, ErrNoAnswer) {
			t.Errorf("a handshake: %d dials, %v; want 3 and that nothing was sent", dials, err)
		}
	})
}

// An attempt that took too long is not taken for the caller's own end.
func TestTimeoutOfAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
		err := newTest(t, hostile.Answers(hang)).Do(t.Context(), Request{Path: "/store"}, nil)
		if !errors.Is(err, ErrTimeout) || errors.Is(err, context.Canceled) || !errors.Is(err, ErrNoAnswer) {
			t.Errorf("got %v, want a timeout", err)
		}
	})
}

// The status of an answer that cannot be used is told beside what was wrong with it.
func TestStatusOfUnusableAnswers(t *testing.T) {
	for want, answer := range map[int]func(*http.Request) (*http.Response, error){
		302: hostile.Status(302, "", "Location", "https://b.example/x?cnry"),
		101: hostile.Status(101, ""),
		200: hostile.Truncated(200),
		201: hostile.Status(201, strings.Repeat(" ", 1<<11)),
	} {
		synctest.Test(t, func(t *testing.T) {
			err := newTest(t, hostile.Answers(answer), func(c *Config) { c.MaxBody = 1 << 10 }).Do(t.Context(), Request{Path: "/store"}, nil)
			if e := new(Error); !errors.As(err, &e) || e.Status != want {
				t.Errorf("got %v, want status %d", err, want)
			}
			if want == 302 && !strings.Contains(err.Error(), `"b.example"`) {
				t.Errorf("got %v, want the host", err)
			}
		})
	}
}

// gone is the end of a body that has not arrived whole.
type gone struct{}

func (gone) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// eager is a transport that sends everything up to three times, as wrappers of net/http do.
type eager struct{ base http.RoundTripper }

func (e eager) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	for n := 1; ; n++ {
		again := r.Clone(r.Context())
		again.Body = io.NopCloser(bytes.NewReader(body))
		resp, err := e.base.RoundTrip(again)
		if n == 3 || err == nil && resp.StatusCode < 500 {
			return resp, err
		}
		if err == nil {
			_ = resp.Body.Close()
		}
	}
}

// A transport of the app that retries made three orders of one create.
func TestTransportsThatRetry(t *testing.T) {
	for name, test := range map[string]struct {
		reused bool // connection
		answer func(http.ResponseWriter)
	}{
		"502":            {true, func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }},
		"502, new":       {false, func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }},
		"no answer, new": {false, func(http.ResponseWriter) { panic(http.ErrAbortHandler) }},
	} {
		t.Run(name, func(t *testing.T) {
			var applied atomic.Int32
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, _ = io.Copy(io.Discard, r.Body); r.Method == http.MethodPost {
					applied.Add(1)
					test.answer(w)
				}
			}))
			defer s.Close()
			base := &http.Transport{}
			defer base.CloseIdleConnections()
			c := newTest(t, eager{base}, func(c *Config) { c.Base, _ = url.Parse(s.URL) })
			if test.reused {
				if err := c.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
					t.Fatal(err)
				}
			}
			err := c.Do(t.Context(), Request{Method: "POST", Path: "/orders", Body: 1}, nil)
			if !errors.Is(err, ErrOutcomeUnknown) || applied.Load() != 1 {
				t.Errorf("%v, applied %d times; want an unknown outcome and once", err, applied.Load())
			}
		})
	}
}
