package carts

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/bench"
)

// BenchmarkCarts compares ours with each peer, without a network: a cart at a time (alone), and one on each processor
// (busy). It reports what bench.Work does.
func BenchmarkCarts(b *testing.B) {
	for name, peer := range peers() {
		for _, at := range []struct {
			name  string
			carts int
		}{{"alone", 1}, {"busy", runtime.GOMAXPROCS(0)}} {
			for _, lines := range []int{20, 200} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, at.name, lines), func(b *testing.B) {
					h, sent := newOurs(b), body(b, lines)
					var mine, theirs []func()
					for range at.carts {
						mine, theirs = append(mine, calls(b, h, sent)), append(theirs, calls(b, peer, sent))
					}
					bench.Work(b, mine, theirs)
				})
			}
		}
	}
}

// calls returns a function that has a handler answer a body. It is not for concurrent use.
func calls(b *testing.B, h http.Handler, body []byte) func() {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "/", nil)
	if err != nil {
		b.Fatal(err)
	}
	w := &answered{header: http.Header{}}
	return func() {
		w.status = http.StatusOK
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if h.ServeHTTP(w, r); w.status != http.StatusOK {
			b.Error(w.status) // with 204, it was late
		}
	}
}

// answered keeps the status of an answer.
type answered struct {
	header http.Header
	status int
}

func (a *answered) Header() http.Header         { return a.header }
func (a *answered) Write(b []byte) (int, error) { return len(b), nil }
func (a *answered) WriteHeader(status int)      { a.status = status }

// SetReadDeadline does nothing, as a connection would do something: a handler that lacks it would take longer.
func (a *answered) SetReadDeadline(time.Time) error { return nil }
