package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
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
		{"refused", fails(dial), time.Hour, true},
		{"reset", fails(reset), time.Hour, true},
		{"attempts that take too long", hang, time.Hour, true},
		{"an answer that breaks off", broken, time.Hour, true},
		{"the caller's end", hang, time.Second, false},
		{"a certificate that does not fit", fails(&tls.CertificateVerificationError{Err: errors.New("of another host")}), time.Hour, false},
		{"an answer that is too large", status(200, strings.Repeat(" ", 1<<20)), time.Hour, false},
		{"a redirect", status(302, "", "Location", "https://b.example"), time.Hour, false},
		{"500", status(500, ""), time.Hour, false},
		{"404", status(404, ""), time.Hour, false},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			t.Run(method+" "+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), c.ctx)
					defer cancel()
					err := newTest(t, answers(c.answer), func(c *Config) { c.MaxBody = 1 << 10 }).Do(ctx, Request{Method: method, Path: "/products"}, new(Product))
					if err == nil || errors.Is(err, ErrNoAnswer) != c.want {
						t.Errorf("got %v; want ErrNoAnswer: %v", err, c.want)
					}
				})
			})
		}
	}
}

// gone is the end of a body that has not arrived whole.
type gone struct{}

func (gone) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
