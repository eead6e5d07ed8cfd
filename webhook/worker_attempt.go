package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
	ctx   context.Context // the result of OnStarted; the handler, OnFinished and OnFailure get its values

	gone    bool          // the app is gone, so the entry must be dropped
	unsure  time.Duration // until it is known whether the app is gone; 0 if there is no doubt
	dropped int
	purged  int
}

// work runs the handler for a lease, and stores the result.
func (s *shift) work(one *leased) {
	l := one.Lease
	run := &running{lease: l, inbox: s.Inbox}
	h := s.newHold(one)
	a := &attempt{
		shift: s, lease: l, m: reader{rows: s.rows, fallback: l.Event}.read(l.Body, l.LastSeen), hold: h, run: run,
		ctx: context.WithValue(h.ctx, runningKey{}, run),
	}
	began, err, took := time.Now(), callback.ErrExit, time.Duration(-1)
	defer func() { // even if the handler ends its goroutine
		if took < 0 {
			took = time.Since(began)
		}
		a.settle(err, took)
	}()
	failed := guard(a.ctx, a.start)
	unexplained := l.Unfinished - survived.before(l)
	switch {
	case unexplained > MaxUnfinished: // it may be the reason that its process ends
		const why = "its process ended, its handler did not return, or the transaction of CommitTx was not committed"
		err, took = fmt.Errorf("left unfinished %d times, since %s: %w", unexplained, why, ErrPermanent), 0
		return
	case failed != nil:
		err = failed
	default:
		err = a.handle()
	}
	took = time.Since(began)
	a.examine(err)
}

// handle calls the handler of the message.
func (a *attempt) handle() error {
	call, err := dispatcher{a.Registry, a.KnownStore, a.inspector}.prepare(&a.m)
	switch {
	case err != nil:
		return err
	case call == nil: // ignored
		return nil
	}
	err = guard(a.ctx, call)
	switch {
	case err == nil:
		return guard(a.ctx, a.forget)
	case errors.Is(err, ErrUnknownStore) && a.m.policy.ends:
		return ErrStale // an unknown store has no installation
	}
	return err
}

func (a *attempt) start(ctx context.Context) error {
	if a.OnStarted == nil {
		return nil
	}
	if ctx := a.OnStarted(ctx, a.lease); ctx != nil {
		a.ctx = ctx
		a.hold.reports(ctx)
	}
	return nil
}

// examine asks whether the app is still installed, if a run failed for this reason or if the entry is about to become
// dead. Entries of an uninstalled app are dropped, and do not become dead letters.
func (a *attempt) examine(err error) {
	const longest = 10 * time.Second // for the probe
	cause := context.Cause(a.hold.ctx)
	switch {
	case err == nil, a.inspector == nil, a.m.store == 0, a.m.policy.protected, a.lease.Protected:
		return
	case errors.Is(err, ErrStale), errors.Is(cause, ErrLeaseLost), errors.Is(cause, ErrDraining):
		return
	case saysGone(err):
	case errors.Is(err, ErrMalformed), errors.Is(err, ErrPermanent): // this is not the fault of an uninstall
		return
	default:
		if v := a.verdict(err); !v.Dead {
			return
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), min(longest, a.hold.left()/2))
	defer cancel()
	defer context.AfterFunc(a.shift.ctx, cancel)() // the worker is drained
	a.gone, a.unsure = a.inspector.gone(ctx, a.m.store)
}

// settle stores the end of the attempt and reports it.
func (a *attempt) settle(err error, took time.Duration) {
	cause := a.hold.end()
	r, released := Result{Err: err, Took: took}, false
	switch {
	case err == nil && a.run.committed.Load():
		r.Again = a.run.again.Load()
		survived.counts(a.lease) // unless the transaction was committed
	case err == nil, errors.Is(err, ErrStale):
		var lost error
		r.Again, lost = a.commit()
		r.Err = cmp.Or(lost, err)
		a.hold.stored(lost == nil)
	case errors.Is(cause, ErrLeaseLost):
		r.Err = fmt.Errorf("%w: %w", ErrLeaseLost, err)
	case errors.Is(cause, ErrDraining):
		a.release(a.lease, 0)
		released = true // it had no time to finish
	default:
		r = a.verdict(err)
		r.Took = took
		if errors.Is(cause, ErrTimeout) {
			r.Err = fmt.Errorf("%w: %w", ErrTimeout, r.Err)
		}
		a.giveUp(&r)
	}
	r.Dropped += a.dropped
	r.Purged = a.purged
	if a.dropped > 0 {
		a.fail(a.ctx, a.m, &Failure{
			Key: a.lease.Key, Attempt: a.lease.Attempt, Err: fmt.Errorf("%w: %d pending entries of it were dropped", ErrGone, a.dropped),
		})
	}
	if r.outage && r.Waited {
		a.reportOutage(r.Err)
	}
	if r.Err != nil && !released && !r.Waited {
		a.fail(a.ctx, a.m, &Failure{Key: a.lease.Key, Err: r.Err, Attempt: a.lease.Attempt, Dead: r.Dead})
	}
	if a.OnFinished != nil {
		callback.Panics(func() { a.OnFinished(context.WithoutCancel(a.ctx), a.lease, r) })
	}
}

// verdict reports whether an entry that failed is dead, and how long it rests if not.
func (a *attempt) verdict(err error) Result {
	r, age := Result{Err: err}, cmp.Or(a.MaxAge, DefaultMaxAge)
	wait, waits := WaitOf(err)
	r.outage = !waits && a.outage(err)
	switch {
	case a.gone:
		r.Dropped, r.Err = 1, fmt.Errorf("%w: %w", ErrGone, err)
	case a.unsure > 0:
		r.Waited, r.Retry = true, max(a.unsure, ShortestBackoff)
	// Some process could handle the entry, because one accepted or replayed it. During a rolling update, a process of
	// the old release must not make entries dead that the new release can handle. A malformed body stays malformed.
	case errors.Is(err, ErrMalformed), errors.Is(err, ErrPermanent), a.lease.Age >= age:
		r.Dead = true
	case waits, r.outage:
		r.Waited, r.Retry = true, resting(wait, a.lease.Age, age)
	case a.lease.Attempt >= a.maxAttempts():
		r.Dead = true
	default:
		r.Retry = backoff(a.lease.Attempt, ShortestBackoff, LongestBackoff)
	}
	return r
}

// resting returns how long an entry rests that waits. If the error leaves the length open, the rest grows with the age
// of the entry, because attempts do not count. It ends at the latest when the entry reaches its greatest age, so that
// the last run is not later.
func resting(wait, age, most time.Duration) time.Duration {
	if wait == 0 {
		wait = ShortestBackoff + rand.N(min(max(age, ShortestBackoff), LongestBackoff)-ShortestBackoff+1)
	}
	return max(ShortestBackoff, min(wait, most-age))
}

func (s *shift) maxAttempts() int { return cmp.Or(s.MaxAttempts, DefaultMaxAttempts) }

func (a *attempt) commit() (again bool, err error) {
	err = a.write(func(ctx context.Context) (err error) {
		again, err = a.Inbox.Commit(ctx, a.lease)
		return err
	})
	return again, err
}

// giveUp stores a failure. If it cannot be stored, the lease ends at the end of its term and the entry is retried, so
// only the pause is lost.
func (a *attempt) giveUp(r *Result) {
	f := Failed{Delay: r.Retry, Cause: callback.Reason(r.Err), Dead: r.Dead, Waits: r.Waited, Dropped: r.Dropped > 0}
	err := a.write(func(ctx context.Context) error { return a.Inbox.Fail(ctx, a.lease, f) })
	a.hold.stored(err == nil)
	switch {
	case err == nil: // even if CommitTx was rolled back
	case !a.run.committed.Load():
		r.Err, r.Waited, r.Dropped = errors.Join(r.Err, err), false, 0
	case errors.Is(err, ErrLeaseLost):
		r.Dead, r.Retry, r.Waited, r.Dropped = false, 0, false, 0 // CommitTx has settled it
	}
}

// write retries a write to the inbox until the lease ends.
func (a *attempt) write(do func(context.Context) error) error {
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
