package hooktest

import (
	"context"
	"fmt"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// judge notes the errors of a test.
type judge struct {
	testing.TB
	errors []string
}

func (j *judge) Helper()           {}
func (j *judge) Error(args ...any) { j.errors = append(j.errors, fmt.Sprint(args...)) }
func (j *judge) Errorf(format string, args ...any) {
	j.errors = append(j.errors, fmt.Sprintf(format, args...))
}

func TestSpans(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		name string
		do   func(s *Spans)
		want int // errors
	}{
		{"good", func(s *Spans) {
			ctx := s.Started(context.Background(), nil)
			s.See(ctx, "f")
			s.End(ctx)
			s.Check(1, "f")
		}, 0},
		{"not ended", func(s *Spans) { s.Open(context.Background()); s.Check(1) }, 1},
		{"ended twice", func(s *Spans) { ctx := s.Open(context.Background()); s.End(ctx); s.End(ctx); s.Check(1) }, 1},
		{"not opened", func(s *Spans) { s.End(context.Background()); s.Check(0) }, 2},
		{"not seen", func(s *Spans) { s.Check(0, "f") }, 1},
		{"seen without a span", func(s *Spans) { s.See(context.Background(), "f"); s.Check(0, "f") }, 1},
		{"a context that can end", func(s *Spans) { ctx := s.Open(canceled); s.End(ctx); s.Check(1) }, 1},
	} {
		j := &judge{TB: t}
		test.do(&Spans{T: j})
		if len(j.errors) != test.want {
			t.Errorf("%s: %q, want %d errors", test.name, j.errors, test.want)
		}
	}
}
