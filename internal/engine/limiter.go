package engine

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// limiter holds requests back so that the platform's bucket does not overflow. It
// starts from the documented size and follows the headers of the answers, which
// report larger plans and show other processes that use the same bucket. A process alone may
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

func newLimiter() *limiter {
	return &limiter{bucket: newBucket(bucketSize, time.Now()), share: newShare(), opening: newOpening()}
}

// waitError says that waiting for the bucket would take too long.
type waitError struct{ wait time.Duration }

func (e *waitError) Error() string {
	return fmt.Sprintf("rate limit: the next request may start in %s", e.wait.Round(time.Millisecond))
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
	l.hold(now, hold)
	chance := told && now.Sub(l.refused) > bucketDrain // requests do not arrive at the intervals at which they started
	l.refused = now
	if !chance {
		l.meet()
	}
	if l.share.on {
		l.share.refuse(&l.bucket, p.at, now, told)
	}
	l.dismiss(now)
	l.serve(now)
}

// pause lets no request start before hold is over, whatever is left in the bucket.
func (l *limiter) pause(hold time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.hold(now, hold)
	l.dismiss(now)
	l.serve(now)
}

// longestHold bounds the pause that an answer can impose on other calls. Then one request tries again.
const longestHold = time.Hour

func (l *limiter) hold(now time.Time, hold time.Duration) {
	if until := now.Add(min(hold, longestHold)); until.After(l.held) {
		l.held = until
	}
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
