package engine

import (
	"context"
	"slices"
	"time"
)

// turn is a place in the queue.
type turn struct {
	since time.Time
	until time.Time // then the call has waited for as long as it may
	again time.Time // if it was refused: its chance
	ready chan error
	pass  pass // once it is ready
}

// wait returns when a request may start; end must follow. It does not sleep into a deadline: if the wait is longer than
// most or the context allows, it fails at once. A rejected request goes before requests that were not sent yet.
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
	if wait := l.due(t, place, now); now.Add(wait).After(t.until) {
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
	wait := l.due(t, place, now)
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

// serve starts the requests whose turn it is, and rejects requests whose turn would come too late.
func (l *limiter) serve(now time.Time) {
	for len(l.queue) > 0 {
		t := l.queue[0]
		wait := l.due(t, 0, now)
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

// dismiss refuses all whose turn would come too late by what is known now.
func (l *limiter) dismiss(now time.Time) {
	stay := l.queue[:0]
	for _, t := range l.queue {
		if wait := l.due(t, len(stay), now); now.Add(wait).After(t.until) {
			t.ready <- &waitError{wait}
		} else {
			stay = append(stay, t)
		}
	}
	clear(l.queue[len(stay):])
	l.queue = stay
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
	return max(0, l.due(&turn{again: l.chance(most, now)}, 0, now))
}

// chance returns when a rejected call is tried again that may wait for this long, even if that is sooner than the share
// allows. It is half of the time, so that the call has several chances before it fails.
func (l *limiter) chance(most time.Duration, now time.Time) time.Time {
	if most/2 < seconds(1/l.bucket.perSecond()) {
		return time.Time{}
	}
	return now.Add(most / 2)
}

// due returns how long a call at a place in the queue waits.
func (l *limiter) due(t *turn, place int, now time.Time) time.Duration {
	wait := l.estimate(place, now)
	if !t.again.IsZero() && l.share.on {
		wait = min(wait, max(t.again.Sub(now), l.held.Sub(now)))
	}
	return wait
}
