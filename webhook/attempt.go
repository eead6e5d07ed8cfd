package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// attempt is one lease on its way through a worker.
type attempt struct {
	*shift
	lease Lease
	m     message
	hold  *hold
	run   *running
}

// work runs the handler for a lease, which was asked for at the given time, and
// writes down what came of it.
func (s *shift) work(l Lease, asked time.Time) {
	a := attempt{s, l, reader{rows: s.rows, fallback: l.Event}.read(l.Body, l.LastSeen), s.newHold(l, asked), &running{lease: l, inbox: s.Inbox}}
	if l.Attempt > s.maxAttempts() {
		// It was leased and never settled, time and again: it may be what ends the process.
		const why = "its process ended, its handler did not return, or the transaction of CommitTx was not committed"
		a.settle(fmt.Errorf("left unfinished %d times, since %s: %w", l.Attempt-1, why, ErrPermanent), 0)
		return
	}
	began, err := time.Now(), callback.ErrExit
	defer func() { a.settle(err, time.Since(began)) }() // also if the handler ends its goroutine
	err = a.handle(context.WithValue(a.hold.ctx, runningKey{}, a.run))
}

// handle calls the handler of the message.
func (a attempt) handle(ctx context.Context) error {
	call, err := dispatcher{a.Registry, a.KnownStore, a.Probe}.prepare(a.m)
	switch {
	case err != nil:
		return err
	case call == nil: // ignored
		return nil
	}
	err = guard(ctx, func(ctx context.Context) error {
		if a.Started != nil {
			ctx = a.Started(ctx, a.lease)
		}
		return call(ctx)
	})
	if errors.Is(err, ErrUnknownStore) && a.m.policy.ends {
		return ErrStale // what is not there cannot end
	}
	return err
}

// settle writes down the end of the attempt and tells of it.
func (a attempt) settle(err error, took time.Duration) {
	cause := a.hold.end()
	r, released := Result{Err: err, Took: took}, false
	switch {
	case err == nil && a.run.committed.Load():
		r.Again = a.run.again.Load()
	case err == nil, errors.Is(err, ErrStale):
		var lost error
		r.Again, lost = a.commit()
		r.Err = cmp.Or(lost, err)
	case errors.Is(cause, ErrLeaseLost):
		r.Err = fmt.Errorf("%w: %w", ErrLeaseLost, err)
	case errors.Is(cause, ErrDraining):
		a.release(a.lease)
		released = true // that its handler did not come to an end was to be expected
	default:
		r.Dead, r.Retry = a.verdict(err)
		if errors.Is(cause, ErrTimeout) {
			r.Err = fmt.Errorf("%w: %w", ErrTimeout, err)
		}
		a.giveUp(&r)
	}
	if r.Err != nil && !released {
		a.fail(a.m, &Failure{Key: a.lease.Key, Err: r.Err, Attempt: a.lease.Attempt, Dead: r.Dead})
	}
	if a.Finished != nil {
		callback.Panics(func() { a.Finished(context.WithoutCancel(a.hold.ctx), a.lease, r) })
	}
}

// verdict says whether an entry that failed is dead, and how long it rests if not.
func (a attempt) verdict(err error) (dead bool, rest time.Duration) {
	// Whoever accepted the entry could handle it, or somebody replayed it: the processes are being replaced, and one
	// that knows less than others must not bury what they can do. A malformed body stays what it is.
	if errors.Is(err, ErrMalformed) || errors.Is(err, ErrPermanent) || a.lease.Attempt >= a.maxAttempts() || a.lease.Age >= cmp.Or(a.MaxAge, DefaultMaxAge) {
		return true, 0
	}
	return false, backoff(a.lease.Attempt, ShortestBackoff, LongestBackoff)
}

func (s *shift) maxAttempts() int { return cmp.Or(s.MaxAttempts, DefaultMaxAttempts) }

func (a attempt) commit() (again bool, err error) {
	err = a.write(func(ctx context.Context) (err error) {
		again, err = a.Inbox.Commit(ctx, a.lease)
		return err
	})
	return again, err
}

// giveUp writes a failure down. If it cannot be written, the lease ends by itself and
// the entry is tried again: nothing is lost but the pause.
func (a attempt) giveUp(r *Result) {
	f := Failed{Delay: r.Retry, Cause: callback.Reason(r.Err), Dead: r.Dead}
	err := a.write(func(ctx context.Context) error { return a.Inbox.Fail(ctx, a.lease, f) })
	switch {
	case err == nil: // also if the transaction of CommitTx was rolled back
	case !a.run.committed.Load():
		r.Err = errors.Join(r.Err, err)
	case errors.Is(err, ErrLeaseLost):
		r.Dead, r.Retry = false, 0 // CommitTx has settled it
	}
}

// write repeats a write to the inbox as long as the lease allows.
func (a attempt) write(do func(context.Context) error) error {
	ctx, cancel := context.WithDeadline(context.WithoutCancel(a.hold.ctx), a.hold.until)
	defer cancel()
	for n := 1; ; n++ {
		err := do(ctx)
		if err == nil || errors.Is(err, ErrLeaseLost) {
			return err
		}
		pause(ctx, backoff(n, 50*time.Millisecond, 2*time.Second))
		if ctx.Err() != nil {
			return err
		}
	}
}
