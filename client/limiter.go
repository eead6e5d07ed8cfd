package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
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
	current  atomic.Pointer[bucket]
	underWay atomic.Int64 // requests that were let go and have not ended
}

// bucket is what is known of the platform's.
type bucket struct {
	*rate.Limiter
	queuing  sync.Mutex
	replaced chan struct{} // closed when the platform has told of another size
}

func newLimiter() *limiter {
	l := new(limiter)
	l.current.Store(newBucket(bucketSize))
	return l
}

func newBucket(size int) *bucket {
	return &bucket{Limiter: rate.NewLimiter(rate.Limit(float64(size)/bucketDrain.Seconds()), size), replaced: make(chan struct{})}
}

// waitError says that waiting for the bucket would take too long.
type waitError struct{ wait time.Duration }

func (e *waitError) Error() string {
	return fmt.Sprintf("rate limit: the next request may start in %s", e.wait.Round(time.Millisecond))
}

// wait returns when a request may start; end must follow. It does not sleep into a
// deadline: if the wait is longer than most or the context allows, it fails at once.
func (l *limiter) wait(ctx context.Context, most time.Duration) error {
	until := time.Now().Add(most)
	for {
		switch err := l.current.Load().wait(ctx, time.Until(until)); err {
		case nil:
			l.underWay.Add(1)
			return nil
		case errReplaced: // a place in the queue of a bucket that is not there any more
		default:
			return err
		}
	}
}

// end counts a request that is over.
func (l *limiter) end() { l.underWay.Add(-1) }

var errReplaced = errors.New("the bucket has another size")

func (b *bucket) wait(ctx context.Context, most time.Duration) error {
	if b.Allow() {
		return nil
	}
	wait, err := b.queue(ctx, most)
	if err != nil {
		return err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-b.replaced:
		return errReplaced
	case <-ctx.Done():
		b.leave()
		return ctx.Err()
	}
}

// queue takes a place in the queue and returns the wait for it, unless that is too long. One place is taken or
// refused at a time: those who are refused would make each other's waits longer.
func (b *bucket) queue(ctx context.Context, most time.Duration) (time.Duration, error) {
	b.queuing.Lock()
	defer b.queuing.Unlock()
	wait := b.Reserve().Delay()
	if wait > most || beyond(ctx, wait) {
		b.leave()
		return 0, &waitError{wait}
	}
	return wait, nil
}

// leave gives a place in the queue back. Reservation.Cancel would keep it if others came behind, who do not
// move up, so that those who come later would wait for requests that nobody makes.
func (b *bucket) leave() { b.ReserveN(time.Now(), -1) }

// follow takes over what the answer to a request says about the bucket.
func (l *limiter) follow(r Rate) {
	if r.Limit <= 0 {
		return
	}
	now, current := time.Now(), l.current.Load()
	if current.Burst() != r.Limit {
		// The platform may have counted the others that are under way, or not yet. The new bucket does not know of them.
		others := int(l.underWay.Load()) - 1
		next := newBucket(r.Limit)
		next.AllowN(now, r.Limit-max(0, r.Remaining-max(0, others)))
		if l.current.CompareAndSwap(current, next) {
			close(current.replaced)
		}
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
