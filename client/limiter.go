package client

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// The documented leaky bucket: 40 requests, emptied at 2 per second, per app and
// store. Larger plans have a larger bucket that empties in the same time.
const (
	bucketSize  = 40
	bucketDrain = 20 * time.Second
)

// limiter holds requests back so that the platform's bucket does not overflow. It
// starts from the documented size and follows the headers of the answers, which
// tell of larger plans and of other processes that use the same bucket.
type limiter struct {
	current atomic.Pointer[rate.Limiter]
	maxWait time.Duration
}

func newLimiter(maxWait time.Duration) *limiter {
	l := &limiter{maxWait: maxWait}
	l.current.Store(bucket(bucketSize))
	return l
}

func bucket(size int) *rate.Limiter {
	return rate.NewLimiter(rate.Limit(float64(size)/bucketDrain.Seconds()), size)
}

// waitError says that waiting for the bucket would take too long.
type waitError struct{ wait time.Duration }

func (e *waitError) Error() string {
	return fmt.Sprintf("rate limit: the next request may start in %s", e.wait.Round(time.Millisecond))
}

// wait returns when a request may start. It does not sleep into a deadline: if
// the wait is longer than the cap or the context allows, it fails at once.
func (l *limiter) wait(ctx context.Context) error {
	current := l.current.Load()
	if current.Allow() {
		return nil
	}
	reserved := current.Reserve()
	wait := reserved.Delay()
	if wait == 0 {
		return nil
	}
	if wait > l.maxWait || beyond(ctx, wait) {
		reserved.Cancel()
		return &waitError{wait}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		reserved.Cancel()
		return ctx.Err()
	}
}

// follow takes over what an answer says about the bucket.
func (l *limiter) follow(r Rate) {
	if r.Limit <= 0 {
		return
	}
	now, current := time.Now(), l.current.Load()
	if current.Burst() != r.Limit {
		next := bucket(r.Limit)
		next.AllowN(now, r.Limit-r.Remaining)
		l.current.CompareAndSwap(current, next)
		return
	}
	if surplus := int(current.TokensAt(now)) - r.Remaining; surplus > 0 {
		current.AllowN(now, surplus)
	}
}

// beyond reports whether waiting that long reaches the deadline of ctx.
func beyond(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= wait
}

// Rate is the state of the rate limit after an answer. The zero Rate means that
// the answer did not tell.
type Rate struct {
	Limit     int           // size of the bucket
	Remaining int           // requests left until it is full
	Reset     time.Duration // time until it is empty
}

// rateOf reads the headers x-rate-limit-limit, -remaining and -reset
// (milliseconds). Without a usable limit and remainder it returns the zero Rate.
func rateOf(h http.Header) Rate {
	limit, ok := header(h, "X-Rate-Limit-Limit")
	remaining, told := header(h, "X-Rate-Limit-Remaining")
	if !ok || !told || limit <= 0 || limit > 1<<30 {
		return Rate{}
	}
	r := Rate{Limit: int(limit), Remaining: int(min(remaining, limit))}
	if ms, ok := header(h, "X-Rate-Limit-Reset"); ok {
		r.Reset = duration(ms, time.Millisecond)
	}
	return r
}

// retryAfter reads the header of that name: seconds or a date. Other forms,
// negative values and repeated headers count as absent.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if len(h.Values("Retry-After")) != 1 {
		return 0, false
	}
	if seconds, ok := header(h, "Retry-After"); ok {
		return duration(seconds, time.Second), true
	}
	at, err := http.ParseTime(h.Get("Retry-After"))
	if err != nil || at.Before(now) {
		return 0, false
	}
	return at.Sub(now), true
}

// header reads a header that is one non-negative integer.
func header(h http.Header, name string) (int64, bool) {
	n, err := strconv.ParseInt(h.Get(name), 10, 64)
	return n, err == nil && n >= 0 && len(h.Values(name)) == 1
}

// duration returns n units, or the longest duration where that overflows.
func duration(n int64, unit time.Duration) time.Duration {
	const longest = time.Duration(1<<63 - 1)
	if n > int64(longest/unit) {
		return longest
	}
	return time.Duration(n) * unit
}
