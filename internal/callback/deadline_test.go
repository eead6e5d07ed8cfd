package callback

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A Deadline tells the same as a context of the standard library, whether or not somebody waited before.
func TestDeadline(t *testing.T) {
	type key struct{}
	wait := func(d time.Duration) func(_, _ func()) { return func(_, _ func()) { time.Sleep(d) } }
	end := func(end, _ func()) { end() }
	cancel := func(_, cancel func()) { cancel() }
	for name, steps := range map[string][]func(end, cancel func()){
		"nothing":                     {},
		"its time":                    {wait(time.Second)},
		"its end":                     {end},
		"its parent's":                {cancel},
		"its end, then time":          {end, wait(2 * time.Second)},
		"its time, then end":          {wait(time.Second), end},
		"its time, then its parent's": {wait(time.Second), cancel},
		"its end, then its parent's":  {end, cancel},
		"its parent's, then time":     {cancel, wait(time.Second)},
		"its parent's, then end":      {cancel, end},
	} {
		for _, waited := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					parent, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
					defer cancel()
					at := time.Now().Add(time.Second)
					got := WithDeadline(parent, at)
					defer got.End()
					want, stop := context.WithDeadline(parent, at)
					defer stop()
					var child context.Context = got
					if waited {
						var over context.CancelFunc
						child, over = context.WithCancel(got)
						defer over()
					}
					for _, step := range steps {
						step(func() { got.End(); stop() }, cancel)
						synctest.Wait()
						if got.Err() != want.Err() || child.Err() != want.Err() {
							t.Errorf("got %v, and %v for those made of it; want %v", got.Err(), child.Err(), want.Err())
						}
					}
					done := got.Done()
					late, over := context.WithCancel(got)
					defer over()
					select {
					case <-done:
						if want.Err() == nil {
							t.Error("done: want it open")
						}
					default:
						if want.Err() != nil {
							t.Error("not done")
						}
					}
					if got.Done() != done || got.Err() != want.Err() || late.Err() != want.Err() {
						t.Errorf("after Done: got %v, and %v for those made of it; want %v", got.Err(), late.Err(),
							want.Err())
					}
					if due, ok := got.Deadline(); !ok || !due.Equal(at) || got.Value(key{}) != "value" {
						t.Errorf("got deadline %v, value %v; want %v and that of the parent", due, got.Value(key{}), at)
					}
				})
			})
		}
	}
}

func TestDeadlineBesideThatOfTheParent(t *testing.T) {
	for _, of := range []time.Duration{time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			parent, cancel := context.WithTimeout(t.Context(), of)
			defer cancel()
			d := WithDeadline(parent, time.Now().Add(time.Minute))
			defer d.End()
			if due, _ := d.Deadline(); time.Until(due) != min(of, time.Minute) {
				t.Errorf("ends in %v, and its parent in %v: want the sooner of that and a minute", time.Until(due), of)
			}
		})
	}
}

func TestEndsOfContexts(t *testing.T) {
	left := errors.New("the caller left")
	caused, cancel := context.WithCancelCause(t.Context())
	cancel(left)
	plain, stop := context.WithCancel(t.Context())
	stop()
	if err := Ended(caused); !errors.Is(err, context.Canceled) || !errors.Is(err, left) ||
		err.Error() != "context canceled: the caller left" {
		t.Errorf("got %v, want the end and its cause", err)
	}
	if err := Ended(plain); err != context.Canceled {
		t.Errorf("got %v, want %v alone", err, context.Canceled)
	}
}

func TestLinger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		parent, leave := context.WithTimeout(context.WithValue(t.Context(), key{}, "value"), time.Second)
		defer leave()
		due := time.Now().Add(2 * time.Second)
		ctx := withLinger(parent, due, 3*time.Second)
		defer ctx.End()
		time.Sleep(4 * time.Second)
		end, _ := ctx.Deadline()
		at, ok := AnswerBy(ctx)
		if ctx.Err() != nil || !end.Equal(due.Add(3*time.Second)) || !ok || !at.Equal(due) ||
			ctx.Value(key{}) != "value" {
			t.Errorf("after the answer: %v, ends at %v, due at %v, value %v", ctx.Err(), end, at, ctx.Value(key{}))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if ctx.Err() != context.DeadlineExceeded {
			t.Errorf("at the end: %v", ctx.Err())
		}
		if _, ok := AnswerBy(parent); ok {
			t.Error("the parent knows of an answer")
		}
	})
}
