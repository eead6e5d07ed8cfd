package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// Connections is how many requests are under way at a time.
const Connections = 64

// Target is a handler and what it is sent.
type Target struct {
	Handler http.Handler
	// Body returns the nth body, and its header if it needs one. It may be called concurrently.
	Body func(n int) (body []byte, header http.Header)
}

// Bare answers 200 after it has read the body: the floor of every receiver.
func Bare(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }

// sender sends to one target.
type sender struct {
	b      *testing.B
	target Target
	server *httptest.Server
	via    *http.Transport
	sent   int
}

func newSender(b *testing.B, t Target) *sender {
	s := &sender{b: b, target: t, server: httptest.NewServer(t.Handler),
		via: &http.Transport{MaxIdleConnsPerHost: Connections, MaxConnsPerHost: Connections}}
	b.Cleanup(func() {
		s.via.CloseIdleConnections()
		s.server.Close()
	})
	return s
}

func (s *sender) post(n int) {
	if err := s.try(s.b.Context(), n); err != nil {
		s.b.Error(err)
	}
}

func (s *sender) try(ctx context.Context, n int) error {
	body, header := s.target.Body(n)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.server.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if header != nil {
		r.Header = header
	}
	answer, err := s.via.RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("status %d, want 2xx", answer.StatusCode)
	}
	return nil
}

// spent is what a number of requests took.
type spent struct{ wall, processor time.Duration }

// burst sends so many requests as fast as they are answered.
func (s *sender) burst(n int) spent {
	jobs := make(chan int, n)
	for range n {
		jobs <- s.sent
		s.sent++
	}
	close(jobs)
	began, processor := time.Now(), ProcessorTime()
	var all sync.WaitGroup
	for range Connections {
		all.Go(func() {
			for i := range jobs {
				s.post(i)
			}
		})
	}
	all.Wait()
	return spent{time.Since(began), ProcessorTime() - processor}
}

// paced sends so many requests at a rate per second, and returns the time from when each
// was due to its answer.
func (s *sender) paced(n, rate int) []time.Duration {
	type job struct {
		n   int
		due time.Time
	}
	jobs := make(chan job, n)
	took := make([][]time.Duration, Connections)
	var all sync.WaitGroup
	for c := range Connections {
		all.Go(func() {
			for j := range jobs {
				s.post(j.n)
				took[c] = append(took[c], time.Since(j.due))
			}
		})
	}
	began := time.Now()
	for i := range n {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		jobs <- job{s.sent, due}
		s.sent++
	}
	close(jobs)
	all.Wait()
	return slices.Concat(took...)
}
