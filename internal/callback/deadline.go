package callback

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Deadline is a context that ends at a time, like that of context.WithDeadline, which it makes
// only when somebody waits for its end. An answer that needs no waiting is spared a timer and
// an entry in the context of its request.
type Deadline struct {
	parent context.Context
	at     time.Time
	after  *after // of a request; may be nil

	mu    sync.Mutex
	armed context.Context // nil until somebody waits
	stop  context.CancelFunc
	err   error         // of its end, if that was made or seen before somebody waited
	over  chan struct{} // closed: of Done after that
}

var _ context.Context = (*Deadline)(nil)

// WithDeadline returns a context that ends at the time or with its parent. End must be called.
func WithDeadline(parent context.Context, at time.Time) *Deadline {
	d := &Deadline{}
	d.set(parent, at)
	return d
}

// set makes a Deadline that is part of something else what WithDeadline returns.
func (d *Deadline) set(parent context.Context, at time.Time) {
	if sooner, ok := parent.Deadline(); ok && sooner.Before(at) {
		at = sooner
	}
	d.parent, d.at = parent, at
}

// End cancels the context. If nobody waited for its end or asked for its error before, it is canceled even if its time
// has come, which spares a look at the clock.
func (d *Deadline) End() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.armed != nil {
		d.stop()
		return
	}
	if d.err == nil {
		d.err = context.Canceled
	}
}

// Deadline implements context.Context.
func (d *Deadline) Deadline() (time.Time, bool) { return d.at, true }

// Done implements context.Context.
func (d *Deadline) Done() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.armed != nil:
		return d.armed.Done()
	case d.over != nil:
		return d.over
	case d.look(time.Now()) != nil:
		d.over = make(chan struct{})
		close(d.over)
		return d.over
	}
	d.armed, d.stop = context.WithDeadline(d.parent, d.at)
	return d.armed.Done()
}

// Err implements context.Context.
func (d *Deadline) Err() error { return d.errAt(time.Now()) }

func (d *Deadline) errAt(now time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.armed != nil {
		return d.armed.Err()
	}
	return d.look(now)
}

// look returns why the context ended that is not armed, and remembers it: the answer is not to change.
func (d *Deadline) look(now time.Time) error {
	if parent, ok := d.parent.(*Deadline); ok && d.err == nil {
		d.err = parent.errAt(now) // one look at the clock for both
	} else if d.err == nil {
		d.err = d.parent.Err()
	}
	if d.err == nil && !now.Before(d.at) {
		d.err = context.DeadlineExceeded
	}
	return d.err
}

// Value implements context.Context. Contexts made of this one find in it what they wait for.
func (d *Deadline) Value(key any) any {
	if key == (afterKey{}) && d.after != nil {
		return d.after
	}
	d.mu.Lock()
	in := d.armed
	d.mu.Unlock()
	if in == nil {
		in = d.parent
	}
	return in.Value(key)
}

// withLinger returns the context of a function whose answer is due at a time. It ends that much later, so that the
// function can complete what is kept for the next request, and not with ctx, whose values it has.
func withLinger(ctx context.Context, due time.Time, linger time.Duration) *Deadline {
	return WithDeadline(lingering{context.WithoutCancel(ctx), due}, due.Add(linger))
}

// lingering is a context that knows when an answer is due.
type lingering struct {
	context.Context
	due time.Time
}

type dueKey struct{}

// Value implements context.Context.
func (l lingering) Value(key any) any {
	if key == (dueKey{}) {
		return l.due
	}
	return l.Context.Value(key)
}

// AnswerBy returns when the answer is due that the function of ctx makes, or false if there is none.
func AnswerBy(ctx context.Context) (due time.Time, ok bool) {
	due, ok = ctx.Value(dueKey{}).(time.Time)
	return due, ok
}

// Ended returns why ctx ended: an error that is ctx.Err() and context.Cause(ctx) to errors.Is.
func Ended(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(ctx.Err(), cause) {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}
