package callback

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Errors of calls that are not answered with the result of a function. The packages export them under the same names.
var (
	// ErrLate means that the function did not return in time.
	ErrLate = errors.New("the function was late: must return within Budget")
	// ErrBusy means that too many functions are in progress.
	ErrBusy = errors.New("too many functions in progress")
)

// Runs bounds the functions of an app that are in progress for one kind of call.
type Runs struct {
	*Gate
	// Processors protect functions that compute from each other. They are nil if functions are expected to wait.
	Processors *Processors
}

// Work is the function of an app for one call, or for several equal calls.
type Work[O any] struct {
	Party  Party
	Due    time.Time     // when the answer is due
	Linger time.Duration // time from then to the end of the function's context
	// Do calls the function. Its context has the values of the request, and does not end if the client disconnects.
	Do func(ctx context.Context) (O, error)
	// Failed reports a failure: ErrLate once when a call cannot wait for the function any longer, and the error of the
	// function before its calls are answered. Late means that they were answered without it.
	Failed func(ctx context.Context, err error, late bool)
	// Late is called with the result of a function whose calls were answered without it. It may be nil.
	Late func(ctx context.Context, out O)
	// Decided is called once, when it is known with which error calls are answered. It may be nil.
	Decided func(err error)
	// Ended is called after the function has ended or found no place, before its calls are answered. It may be nil.
	Ended func()
	// Followed means that a function is also reported that ended because its context did, after ErrLate was reported.
	Followed bool
}

// Flight is one run of a function. Its outcome is decided once: by the function, or by the time at which the answer is
// due. After that the function still has Linger to complete its work.
type Flight[O any] struct {
	ended chan struct{} // closed when out and err are final and were reported

	mu      sync.Mutex
	over    bool // out and err are final
	left    bool // a call could not wait for it
	late    bool // ErrLate was reported
	decided bool // Decided was called
	out     O
	err     error

	work *Work[O] // nil before Start
	// land ends the flight for its key. It is nil if there is none.
	land func()
}

// NewFlight returns a flight that was not started.
func NewFlight[O any]() *Flight[O] { return &Flight[O]{ended: make(chan struct{})} }

// Start takes a place and calls the function in a goroutine of its own. Without a place the error wraps ErrBusy. It is
// then the outcome of the flight, and is not reported.
func (f *Flight[O]) Start(ctx context.Context, runs *Runs, w Work[O]) error {
	f.mu.Lock()
	f.work = &w
	f.mu.Unlock()
	if !runs.Take(ctx, w.Party) {
		err := fmt.Errorf("%w: MaxRuns is %d", ErrBusy, runs.Most())
		f.Settle(*new(O), err)
		return err
	}
	go f.fly(ctx, runs)
	return nil
}

// Settle ends a flight that was not started.
func (f *Flight[O]) Settle(out O, err error) {
	f.settle(out, err)
	f.end()
}

// fly runs the function.
func (f *Flight[O]) fly(request context.Context, runs *Runs) {
	w := f.work
	ctx := withLinger(request, w.Due, w.Linger)
	defer ctx.End()
	var out O
	err := ErrExit
	defer func() { // also after runtime.Goexit
		if v := recover(); v != nil {
			err = Recovered(v)
		}
		runs.Give(w.Party)
		f.conclude(ctx, out, err)
	}()
	if runs.Processors != nil {
		if !runs.Processors.Begin() {
			err = fmt.Errorf("%w: no processor was free for %v", ErrBusy, MostQueued)
			return
		}
		defer runs.Processors.End()
	}
	out, err = w.Do(ctx)
}

// conclude ends the flight with what the function returned.
func (f *Flight[O]) conclude(ctx context.Context, out O, returned error) {
	w, err, end := f.work, returned, ctx.Err()
	stopped := end != nil && errors.Is(err, end)
	if stopped {
		err = fmt.Errorf("%w: %w", ErrLate, err) // its context made it stop
	}
	left, reported := f.settle(out, err)
	values := context.WithoutCancel(ctx)
	switch {
	case stopped && reported && !w.Followed:
	case err != nil && reported:
		w.Failed(values, returned, true)
	case err != nil:
		w.Failed(values, err, left)
	case left && w.Late != nil:
		w.Late(values, out)
	}
	f.end()
}

// settle makes the outcome final. It returns whether a call could not wait for it, and whether ErrLate was reported.
func (f *Flight[O]) settle(out O, err error) (left, reported bool) {
	f.mu.Lock()
	f.over, f.out, f.err = true, out, err
	left, reported = f.left, f.late
	work, first := f.work, !f.decided && f.work != nil && f.work.Decided != nil
	f.decided = true
	f.mu.Unlock()
	if first {
		work.Decided(err)
	}
	return left, reported
}

// end answers the calls that wait.
func (f *Flight[O]) end() {
	if f.land != nil {
		f.land()
	}
	if f.work != nil && f.work.Ended != nil {
		f.work.Ended()
	}
	close(f.ended)
}

// Wait returns the outcome, or ErrLate if the deadline of ctx comes first, or the error of ctx if the client
// disconnects. The function then continues.
func (f *Flight[O]) Wait(ctx context.Context) (out O, err error) {
	select {
	case <-f.ended:
		return f.out, f.err
	case <-ctx.Done():
	}
	f.mu.Lock()
	if f.over {
		defer f.mu.Unlock()
		return f.out, f.err
	}
	f.left = true
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f.mu.Unlock()
		return out, ctx.Err()
	}
	work := f.work
	if work == nil { // another call may still be about to start it
		f.mu.Unlock()
		return out, ErrLate
	}
	decides, reports := !f.decided && work.Decided != nil, !f.late
	f.decided, f.late = true, true
	f.mu.Unlock()
	if decides {
		work.Decided(ErrLate)
	}
	if reports {
		work.Failed(context.WithoutCancel(ctx), ErrLate, false)
	}
	return out, ErrLate
}

// Fly calls a function for one call and returns its result, or an error at the latest when ctx ends. Each failure is
// reported once, even if there is no place (ErrBusy) or the client disconnects (ErrLate).
func Fly[O any](ctx context.Context, runs *Runs, w Work[O]) (out O, err error) {
	f := NewFlight[O]()
	if err = f.Start(ctx, runs, w); err == nil {
		out, err = f.Wait(ctx)
		if err == nil || err != ctx.Err() {
			return out, err
		}
		err = fmt.Errorf("%w: the client disconnected: %w", ErrLate, Ended(ctx))
		f.mu.Lock()
		f.late = true
		f.mu.Unlock()
	}
	w.Failed(context.WithoutCancel(ctx), err, false)
	return out, err
}

// isLate reports whether it was too late for a call. One whose client has disconnected does not count.
func (f *Flight[O]) isLate() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.late
}

// Flights shares a flight among equal calls, so that a function is not called twice for them. The zero value is ready.
type Flights[K comparable, O any] struct {
	// MostLate is how many flights of a key may be in progress that were too late for their calls, next to one that is
	// not. If it is 0, calls also join a flight that was late for others.
	MostLate int

	mu    sync.Mutex
	lanes map[K]*lane[O]
}

// lane has the flights of one key.
type lane[O any] struct {
	newest *Flight[O] // nil if it has ended
	flying int
	landed []func(O, error) // of the newest
}

// Join returns the flight of equal calls, or a new one, which the caller must start or settle. A nil flight means that
// too many of them are late. Landed, which may be nil, is called with the outcome before another flight of the key
// begins. It must not call Join.
func (s *Flights[K, O]) Join(k K, landed func(O, error)) (f *Flight[O], joined bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[k]
	switch {
	case l == nil:
		if s.lanes == nil {
			s.lanes = map[K]*lane[O]{}
		}
		l = &lane[O]{}
		s.lanes[k] = l
	case l.newest != nil && (s.MostLate == 0 || !l.newest.isLate()):
		if landed != nil {
			l.landed = append(l.landed, landed)
		}
		return l.newest, true
	case l.flying > s.MostLate:
		return nil, false
	}
	f = NewFlight[O]()
	f.land = func() { s.land(k, l, f) }
	l.newest, l.landed = f, nil
	l.flying++
	if landed != nil {
		l.landed = append(l.landed, landed)
	}
	return f, false
}

// land ends a flight for its key.
func (s *Flights[K, O]) land(k K, l *lane[O], f *Flight[O]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.newest == f {
		for _, landed := range l.landed {
			landed(f.out, f.err)
		}
		l.newest, l.landed = nil, nil
	}
	if l.flying--; l.flying == 0 {
		delete(s.lanes, k)
	}
}
