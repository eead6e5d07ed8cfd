package callback

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A call may be due before the flight that it joined has a place. It was answered with a panic.
func TestWaitBeforeStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFlight[int]()
		due := WithDeadline(t.Context(), time.Now().Add(time.Millisecond))
		defer due.End()
		if _, err := f.Wait(due); !errors.Is(err, ErrLate) {
			t.Errorf("before Start: got %v, want ErrLate", err)
		}
		err := f.Start(t.Context(), &Runs{Gate: NewGate(1)}, Work[int]{
			Due: time.Now().Add(time.Second), Do: func(context.Context) (int, error) { return 5, nil },
		})
		if out, also := f.Wait(t.Context()); out != 5 || err != nil || also != nil {
			t.Errorf("after Start: got %d, %v and %v; want 5", out, err, also)
		}
	})
}

// Ended is called once, when the place is free again, and before calls are answered; also if there was no place.
func TestWorkEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := &Runs{Gate: NewGate(1)}
		var ended, taken atomic.Int64
		w := Work[int]{
			Due: time.Now().Add(time.Hour), Do: func(context.Context) (int, error) { time.Sleep(time.Second); return 5, nil },
			Ended: func() { ended.Add(1); taken.Store(int64(runs.Running())) },
		}
		f, busy := NewFlight[int](), NewFlight[int]()
		if err := f.Start(t.Context(), runs, w); err != nil || ended.Load() != 0 {
			t.Errorf("got %v, %d ends; want a function in progress", err, ended.Load())
		}
		if err := busy.Start(t.Context(), runs, w); !errors.Is(err, ErrBusy) || ended.Load() != 1 {
			t.Errorf("without a place: got %v, %d ends; want ErrBusy and one", err, ended.Load())
		}
		if out, err := f.Wait(t.Context()); out != 5 || err != nil || ended.Load() != 2 || taken.Load() != 0 {
			t.Errorf("got %d, %v, %d ends with %d places taken; want 5 and one more, with none", out, err, ended.Load(), taken.Load())
		}
	})
}
