package callback

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// ErrHangs means that something that the app supplies did not return in time, so the call continued without it. It is
// also context.DeadlineExceeded to errors.Is.
var ErrHangs error = hangs{}

type hangs struct{}

func (hangs) Error() string { return "did not return in time" }

func (hangs) Is(target error) bool { return target == context.DeadlineExceeded }

const (
	// mostHanging is how many calls of a Guard that were left may be in progress. While there are so many, it makes no
	// further call.
	mostHanging = 64
	// mostGuarded is how many calls of a Guard are in progress, including calls that hang. Further ones wait for a
	// place. It bounds the calls that begin before the first of them is late, and leaves room for an app that works.
	mostGuarded = 1024
)

// Guard calls what an app supplies in addition to its function: hooks, caches, queues and stores. Each call has a
// goroutine of its own and a time limit. So a call that hangs, panics or ends its goroutine costs a request only that
// time, and the number of calls that hang is bounded.
type Guard struct {
	limit   time.Duration
	places  chan struct{} // one for each call in progress
	hanging atomic.Int32
}

// NewGuard returns a Guard whose calls take at most the limit.
func NewGuard(limit time.Duration) *Guard {
	return &Guard{limit: limit, places: make(chan struct{}, mostGuarded)}
}

// Guarded calls f and returns its result. The error names what was called if f hangs, panics or ends its goroutine, and
// is that of f otherwise. If ctx has a deadline, f must return by then too. The context of f ends shortly before, or
// when ctx ends.
func Guarded[T any](ctx context.Context, g *Guard, name string, f func(ctx context.Context) (T, error)) (out T, err error) {
	limit := g.limit
	if due, ok := ctx.Deadline(); ok {
		limit = max(0, min(limit, time.Until(due)))
	}
	if limit, err = g.enter(limit); err != nil {
		return out, fmt.Errorf("%s is not called, because %w", name, err)
	}
	c := &guardedCall[T]{ended: make(chan struct{}), err: ErrExit}
	c.within.set(ctx, time.Now().Add(limit-limit/10))
	go c.run(g, f)
	runtime.Gosched() // most calls have ended when this goroutine runs again, and need no timer
	select {
	case <-c.ended:
	default:
		if !c.wait(limit) && c.leave(g) {
			return out, fmt.Errorf("%s: %w: must return within %v", name, ErrHangs, limit)
		}
		<-c.ended
	}
	if c.failed {
		return out, fmt.Errorf("%s: %w", name, c.err)
	}
	return c.out, c.err
}

// enter takes a place for a call. It returns what is left of the limit, or why there is no call.
func (g *Guard) enter(limit time.Duration) (left time.Duration, err error) {
	if err = g.full(); err != nil {
		return 0, err
	}
	select {
	case g.places <- struct{}{}:
		return limit, nil
	default:
	}
	began, timer := time.Now(), time.NewTimer(limit)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
	case <-timer.C:
		return 0, fmt.Errorf("%d calls of it are in progress: %w", mostGuarded, ErrHangs)
	}
	if err = g.full(); err != nil {
		<-g.places
	}
	return max(0, limit-time.Since(began)), err
}

// full returns an error while too many calls hang.
func (g *Guard) full() error {
	if n := g.hanging.Load(); n >= mostHanging {
		return fmt.Errorf("%d calls of it hang: %w", n, ErrHangs)
	}
	return nil
}

// guardedCall is a call in progress.
type guardedCall[T any] struct {
	ended  chan struct{} // closed when the fields below are final
	out    T
	err    error
	failed bool // it panicked or ended its goroutine

	within Deadline     // of f
	state  atomic.Int32 // 0, then 1 if the caller left, or 2 if the call ended
}

func (c *guardedCall[T]) run(g *Guard, f func(ctx context.Context) (T, error)) {
	defer c.within.End()
	defer c.end(g)
	c.out, c.err = f(&c.within)
}

// wait returns false if the call has not ended within the limit.
func (c *guardedCall[T]) wait(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-c.ended:
		return true
	case <-timer.C:
		return false
	}
}

// end is deferred by the goroutine of the call.
func (c *guardedCall[T]) end(g *Guard) {
	if v := recover(); v != nil {
		c.err = Recovered(v)
	}
	c.failed = c.err == ErrExit || Stack(c.err) != nil
	if !c.state.CompareAndSwap(0, 2) {
		g.hanging.Add(-1)
	}
	<-g.places
	close(c.ended)
}

// leave stops waiting, and returns false if the call has just ended.
func (c *guardedCall[T]) leave(g *Guard) bool {
	g.hanging.Add(1)
	if c.state.CompareAndSwap(0, 1) {
		return true
	}
	g.hanging.Add(-1)
	return false
}
