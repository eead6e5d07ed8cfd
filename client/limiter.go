package client

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// limiter holds requests back so that the platform's bucket does not overflow. It
// starts from the documented size and follows the headers of the answers, which
// tell of larger plans and of other processes that use the same bucket. A process alone may
// fill the bucket and then uses all that drains; one of several keeps to its share.
type limiter struct {
	mu      sync.Mutex
	bucket  bucket
	share   share
	opening opening
	last    time.Time // the start of the last request
	held    time.Time // no request starts before it
	refused time.Time // when the last 429 came
	started int
	ended   int
	queue   []*turn // of calls that wait, in the order in which they go
	timer   *time.Timer
}

// pass lets one request start.
type pass struct {
	at     time.Time
	ended  int           // requests that had ended by then
	waited time.Duration // for the pass
}

// turn is a place in the queue.
type turn struct {
	since time.Time
	until time.Time // then the call has waited for as long as it may
	again time.Time // if it was refused: its chance
	ready chan error
	pass  pass // once it is ready
}

func newLimiter() *limiter {
	return &limiter{bucket: newBucket(bucketSize, time.Now()), share: newShare(), opening: newOpening()}
}

// waitError says that waiting for the bucket would take too long.
type waitError struct{ wait time.Duration }

func (e *waitError) Error() string {
	return fmt.Sprintf("rate limit: the next request may start in %s", e.wait.Round(time.Millisecond))
}

// wait returns when a request may start; end must follow. It does not sleep into a
// deadline: if the wait is longer than most or the context allows, it fails at once. A request that was refused
// goes before those that were not sent yet.
func (l *limiter) wait(ctx context.Context, most time.Duration, refused bool) (pass, error) {
	now := time.Now()
	l.mu.Lock()
	if len(l.queue) == 0 && l.room(now) {
		p := l.start(now, now)
		l.mu.Unlock()
		return p, nil
	}
	t := &turn{since: now, until: now.Add(most), ready: make(chan error, 1)}
	if deadline, ok := ctx.Deadline(); ok && !t.until.Before(deadline) {
		t.until = deadline.Add(-1)
	}
	place := len(l.queue)
	if refused {
		place, t.again = 0, l.chance(t.until.Sub(now), now)
	}
	if wait := l.turn(t, place, now); now.Add(wait).After(t.until) {
		l.mu.Unlock()
		return pass{}, &waitError{wait}
	}
	l.queue = slices.Insert(l.queue, place, t)
	l.serve(now)
	l.mu.Unlock()
	return l.await(ctx, t)
}

// await returns when it is the turn of a call, or when the call ends.
func (l *limiter) await(ctx context.Context, t *turn) (pass, error) {
	timer := time.NewTimer(time.Until(t.until))
	defer timer.Stop()
	var err error
	select {
	case err := <-t.ready:
		return t.pass, err
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	place := slices.Index(l.queue, t)
	if place < 0 { // in the meantime it was ready
		return t.pass, <-t.ready
	}
	now := time.Now()
	wait := l.turn(t, place, now)
	l.queue = slices.Delete(l.queue, place, place+1)
	defer l.serve(now)
	switch {
	case err != nil:
		return pass{}, err
	case wait <= 0: // only the opening holds it back
		return l.start(now, t.since), nil
	}
	return pass{}, &waitError{wait}
}

// serve lets those go whose turn it is, and refuses those whose turn would come too late.
func (l *limiter) serve(now time.Time) {
	for len(l.queue) > 0 {
		t := l.queue[0]
		wait := l.turn(t, 0, now)
		switch {
		case now.Add(wait).After(t.until):
			t.ready <- &waitError{wait}
		case wait <= 0 && l.opened(now):
			t.pass = l.start(now, t.since)
			t.ready <- nil
		default:
			l.wake(max(wait, l.opening.until(l.last, l.started-l.ended).Sub(now)))
			return
		}
		l.queue = slices.Delete(l.queue, 0, 1)
	}
}

// wake serves the queue after some time.
func (l *limiter) wake(wait time.Duration) {
	if l.timer != nil {
		l.timer.Reset(wait)
		return
	}
	l.timer = time.AfterFunc(wait, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.serve(time.Now())
	})
}

// delay returns how long a request that was refused would wait for its repetition, if it may wait that long at most.
func (l *limiter) delay(most time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	return max(0, l.turn(&turn{again: l.chance(most, now)}, 0, now))
}

// chance returns when a call that was refused and may wait for so long is tried again, even if that is sooner than the
// share allows: after half of the time, so that the call does not fail before it had several chances.
func (l *limiter) chance(most time.Duration, now time.Time) time.Time {
	if most/2 < seconds(1/l.bucket.perSecond()) {
		return time.Time{}
	}
	return now.Add(most / 2)
}

// turn returns how long a call at a place in the queue waits.
func (l *limiter) turn(t *turn, place int, now time.Time) time.Duration {
	wait := l.estimate(place, now)
	if !t.again.IsZero() && l.share.on {
		wait = min(wait, max(t.again.Sub(now), l.held.Sub(now)))
	}
	return wait
}

// room reports whether a request may start now.
func (l *limiter) room(now time.Time) bool { return l.estimate(0, now) <= 0 && l.opened(now) }

// opened reports whether the opening lets a request start now.
func (l *limiter) opened(now time.Time) bool {
	return !l.opening.until(l.last, l.started-l.ended).After(now)
}

// estimate returns how long a call at a place in the queue waits, by what is known. The opening is left out: it
// lasts for a few answers.
func (l *limiter) estimate(place int, now time.Time) time.Duration {
	l.bucket.advance(now)
	wait := max(0, l.held.Sub(now))
	if !l.share.on {
		return max(wait, l.bucket.wait(place))
	}
	interval := l.share.interval()
	next := max(wait, l.last.Add(seconds(interval)).Sub(now))
	return next + seconds(float64(place)*min(interval, l.share.pace))
}

// start counts a request that starts after its call has waited since then.
func (l *limiter) start(now, since time.Time) pass {
	if l.started == l.ended && now.Sub(l.last) > bucketDrain {
		l.opening = newOpening() // others may have come
	}
	l.bucket.take(now)
	l.share.start(now.After(since), now.Sub(l.last))
	l.last = now
	l.started++
	return pass{now, l.ended, now.Sub(since)}
}

// end counts a request that is over.
func (l *limiter) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended++
	l.serve(time.Now())
}

// follow takes over what the answer to a request says about the bucket.
func (l *limiter) follow(p pass, r Rate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	unsure := l.hear(p, r, now)
	l.opening.answered(&l.bucket)
	if l.share.on {
		l.share.accept(&l.bucket, now)
		if l.alone(r, unsure, now) {
			l.share.on, l.opening = false, newOpening()
			l.bucket.tokens = min(l.bucket.tokens, max(0, l.share.left.requests-unsure))
		}
	}
	l.serve(now)
}

// refuse takes over a 429 for a full bucket: no request starts before hold is over.
func (l *limiter) refuse(p pass, r Rate, hold time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	told := r.Limit > 0
	l.bucket.advance(now)
	l.bucket.overflow()
	l.hear(p, r, now)
	if until := now.Add(hold); until.After(l.held) {
		l.held = until
	}
	chance := now.Sub(l.refused) > bucketDrain // requests do not arrive at the intervals at which they started
	l.refused = now
	if !chance {
		l.meet()
	}
	if l.share.on {
		l.share.refuse(&l.bucket, p.at, now, told)
	}
	l.serve(now)
}

// meet begins to share the bucket.
func (l *limiter) meet() {
	l.opening.over = true
	l.share.begin(&l.bucket)
}

// hear takes over the headers of an answer. It returns how many other requests the answer may have counted or not.
func (l *limiter) hear(p pass, r Rate, now time.Time) (unsure float64) {
	unsure = float64(l.started - p.ended - 1)
	if r.Limit <= 0 {
		if l.share.left.known && now.Sub(l.share.left.sent) > bucketDrain {
			l.share.left.known = false // what has become of it nobody says
		}
		return unsure
	}
	l.bucket.advance(now)
	if float64(r.Limit) != l.bucket.size {
		l.bucket.resize(r, unsure)
		l.share.rate = min(l.share.rate, l.bucket.perSecond())
		l.share.watch = watch{}
	}
	if l.bucket.hear(r, now.Sub(p.at), unsure) {
		l.meet()
	}
	l.share.hear(r, p.at)
	return unsure
}

// alone reports whether this process may use all of the bucket again.
func (l *limiter) alone(r Rate, unsure float64, now time.Time) bool {
	if r.Limit > 0 {
		return l.share.watch.alone(&l.bucket, r, unsure, now)
	}
	return !l.share.left.known && l.share.part(now) == 1
}

// beyond reports whether waiting that long reaches the deadline of ctx.
func beyond(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= wait
}
