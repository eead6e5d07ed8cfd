package hooktest

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
)

type spanKey struct{}

// Spans notes where spans are seen and ended. T must be set. It is safe for concurrent use.
type Spans struct {
	T testing.TB

	mu     sync.Mutex
	opened int
	ended  map[int]int // how often each was
	seen   []string
}

// Open opens a span and returns a context that has it.
func (s *Spans) Open(ctx context.Context) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	return context.WithValue(ctx, spanKey{}, s.opened)
}

// Started is Open as the hook OnStarted of a handler.
func (s *Spans) Started(ctx context.Context, _ *http.Request) context.Context { return s.Open(ctx) }

// See notes that a function or hook was called. It is an error if its context has no span.
func (s *Spans) See(ctx context.Context, who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if span, _ := ctx.Value(spanKey{}).(int); span == 0 {
		s.T.Errorf("%s is called without the values of the context of OnStarted", who)
	}
	s.seen = append(s.seen, who)
}

// End ends a span. It is an error if its context can end, because that may cut off who exports the span.
func (s *Spans) End(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Done() != nil {
		s.T.Error("the context of the last hook can end")
	}
	span, _ := ctx.Value(spanKey{}).(int)
	if s.ended == nil {
		s.ended = map[int]int{}
	}
	s.ended[span]++
}

// Check checks that n spans were opened and each of them ended once, and who has seen one, in any order.
func (s *Spans) Check(n int, seen ...string) {
	s.T.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened != n || len(s.ended) != n {
		s.T.Errorf("%d spans opened and %d ended, want %d", s.opened, len(s.ended), n)
	}
	for span, times := range s.ended {
		if span == 0 || times != 1 {
			s.T.Errorf("span %d is ended %d times, want once", span, times)
		}
	}
	slices.Sort(s.seen)
	if slices.Sort(seen); !slices.Equal(s.seen, seen) {
		s.T.Errorf("called %v, want %v", s.seen, seen)
	}
}
