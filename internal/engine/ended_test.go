package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

var errDrained = errors.New("the process drains")

func TestErrorsOfEndsHaveTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plain, cancel := context.WithCancel(t.Context())
		cancel()
		left, leave := context.WithCancelCause(t.Context())
		leave(errDrained)
		late, cancel := context.WithTimeoutCause(t.Context(), time.Second, errDrained)
		defer cancel()
		wrapped, wrap := context.WithCancelCause(t.Context())
		wrap(fmt.Errorf("drained: %w", context.Canceled))
		time.Sleep(2 * time.Second)
		for _, test := range []struct {
			name string
			ctx  context.Context
			err  error
			want string
			is   []error
		}{
			{"no cause", plain, plain.Err(), "context canceled", []error{context.Canceled}},
			{"cause", left, fmt.Errorf("wait: %w", left.Err()), "wait: context canceled: the process drains", []error{context.Canceled, errDrained}},
			{"cause alone", left, fmt.Errorf("query: %w", errDrained), "context canceled: query: the process drains", []error{context.Canceled, errDrained}},
			{"both there", left, fmt.Errorf("%w, %w", errDrained, context.Canceled), "the process drains, context canceled", []error{context.Canceled, errDrained}},
			{"time out", late, late.Err(), "context deadline exceeded: the process drains", []error{context.DeadlineExceeded, errDrained}},
			{"cause that wraps", wrapped, context.Canceled, "context canceled: drained: context canceled", []error{context.Canceled}},
			{"another error", left, io.ErrUnexpectedEOF, "unexpected EOF", []error{io.ErrUnexpectedEOF}},
			{"an end before that of the context", t.Context(), context.Canceled, "context canceled", []error{context.Canceled}},
		} {
			got := WithCause(test.ctx, test.err)
			if got == nil || got.Error() != test.want {
				t.Errorf("%s: got %v, want %s", test.name, got, test.want)
			}
			for _, is := range test.is {
				if !errors.Is(got, is) {
					t.Errorf("%s: %v is no %v", test.name, got, is)
				}
			}
		}
		if err := WithCause(left, nil); err != nil {
			t.Errorf("got %v, want none", err)
		}
		if err := Ended(t.Context()); err != nil {
			t.Errorf("got %v of a context that goes on", err)
		}
		if err := Ended(left); !errors.Is(err, errDrained) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want both", err)
		}
	})
}

// uncomparable is an error that == panics for.
type uncomparable struct{ of []string }

func (uncomparable) Error() string { return "of many" }

func TestCausesThatCannotBeCompared(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(uncomparable{[]string{"a"}})
	err := Ended(ctx)
	if as, ok := errors.AsType[uncomparable](err); !ok || len(as.of) != 1 || !errors.Is(err, context.Canceled) || errors.Is(err, uncomparable{}) {
		t.Errorf("got %v, want the end and its cause", err)
	}
}
