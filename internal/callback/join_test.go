package callback

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A call joins a flight whose first client has disconnected, but not one that was too late for its call.
func TestJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flights, runs := Flights[string, int]{MostLate: 1}, &Runs{Gate: NewGate(2)}
		f, _ := flights.Join("key", nil)
		err := f.Start(t.Context(), runs, Work[int]{
			Due: time.Now().Add(time.Second), Linger: time.Minute, Failed: func(context.Context, error, bool) {},
			Do: func(context.Context) (int, error) { time.Sleep(time.Minute); return 7, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := f.Wait(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("the client has disconnected: got %v", err)
		}
		if other, joined := flights.Join("key", nil); !joined || other != f {
			t.Error("another client does not join")
		}
		due, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := f.Wait(due); !errors.Is(err, ErrLate) {
			t.Errorf("after the due time: got %v", err)
		}
		second, joined := flights.Join("key", nil)
		if joined || second == nil {
			t.Fatal("no second flight next to the late one")
		}
		if third, joined := flights.Join("key", nil); !joined || third != second {
			t.Error("a third call does not join the second flight")
		}
		second.Settle(8, nil)
		time.Sleep(time.Hour)
	})
}

// A call can join a flight, and be too late for it, before the other call has started it. That decides nothing.
func TestJoinBeforeStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		flights, runs := Flights[string, int]{MostLate: 1}, &Runs{Gate: NewGate(1)}
		f, _ := flights.Join("key", nil)
		flights.Join("key", nil)
		past, stop := context.WithTimeout(t.Context(), 0)
		defer stop()
		if _, err := f.Wait(past); !errors.Is(err, ErrLate) {
			t.Errorf("before the start: got %v", err)
		}
		var decided, failed []error
		err := f.Start(t.Context(), runs, Work[int]{
			Due:     time.Now().Add(time.Second),
			Do:      func(context.Context) (int, error) { time.Sleep(time.Minute); return 7, nil },
			Decided: func(err error) { decided = append(decided, err) },
			Failed:  func(_ context.Context, err error, _ bool) { failed = append(failed, err) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, joined := flights.Join("key", nil); !joined {
			t.Error("another call does not join")
		}
		for range 2 {
			if _, err := f.Wait(past); !errors.Is(err, ErrLate) {
				t.Errorf("after the start: got %v", err)
			}
		}
		time.Sleep(time.Hour)
		if len(decided) != 1 || len(failed) != 1 || decided[0] != ErrLate || failed[0] != ErrLate {
			t.Errorf("decided %v, failed %v, want ErrLate once", decided, failed)
		}
	})
}

// What is to happen when a flight lands has happened before its calls are answered, and before another flight of the
// key begins. An answer is remembered then, and its call is not repeated.
func TestLandedComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var flights Flights[string, int]
		var landed []string
		f, _ := flights.Join("key", func(out int, err error) {
			time.Sleep(time.Second)
			landed = append(landed, fmt.Sprint(out, err))
		})
		go f.Settle(7, nil)
		out, err := f.Wait(t.Context())
		if fmt.Sprint(landed) != "[7<nil>]" && fmt.Sprint(landed) != "[7 <nil>]" {
			t.Errorf("got %d, %v with landed %v", out, err, landed)
		}
		if g, joined := flights.Join("key", nil); joined || g == f {
			t.Error("joined a flight that has landed")
		}
	})
}

// Ended is called once, when the place is free again, and before calls are answered; even if there was no place.
func TestWorkEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := &Runs{Gate: NewGate(1)}
		var ended, free atomic.Int64
		w := Work[int]{
			Due: time.Now().Add(time.Hour), Do: func(context.Context) (int, error) {
				time.Sleep(time.Second)
				return 5, nil
			},
			Ended: func() { ended.Add(1); free.Store(int64(runs.Running())) },
		}
		f, busy := NewFlight[int](), NewFlight[int]()
		if err := f.Start(t.Context(), runs, w); err != nil || ended.Load() != 0 {
			t.Errorf("got %v, %d ends; want a function in progress", err, ended.Load())
		}
		if err := busy.Start(t.Context(), runs, w); !errors.Is(err, ErrBusy) || ended.Load() != 1 {
			t.Errorf("without a place: got %v, %d ends; want ErrBusy and one", err, ended.Load())
		}
		if out, err := f.Wait(t.Context()); out != 5 || err != nil || ended.Load() != 2 || free.Load() != 0 {
			t.Errorf("got %d, %v, %d ends with %d places taken; want 5 and one more, with none", out, err, ended.Load(),
				free.Load())
		}
	})
}
