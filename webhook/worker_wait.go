package webhook

import (
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/condition"
)

// LongestWait is the longest rest of an entry because of one error. A longer wait is shortened to it.
const LongestWait = 24 * time.Hour

// RetryAfter returns an error with which a handler requests another run after d. It wraps the causes, if there are any.
// A [Worker] does not count such a run as an attempt, and does not report it. The entry is not run for d, at least
// [ShortestBackoff] and at most [LongestWait], even if its record changes meanwhile. MaxAge still limits the wait: the
// last run is then. If d is 0 or less, the worker draws the length between ShortestBackoff and the age of the entry, at
// most [LongestBackoff].
//
// A *client.Error with RetryAfter, and every error that is client.ErrRateLimited, is already such a wait. Handlers need
// not convert it.
func RetryAfter(d time.Duration, causes ...error) error {
	return &waitError{min(max(d, 0), LongestWait), errors.Join(causes...)}
}

// waitError asks for a wait; 0 leaves its length open.
type waitError struct {
	after time.Duration
	cause error
}

func (e *waitError) Error() string {
	text := "run again later"
	if e.after > 0 {
		text = fmt.Sprintf("run again after %v", e.after)
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the causes.
func (e *waitError) Unwrap() error { return e.cause }

// WaitOf returns the wait that err asks for, and false if it asks for none. It is the wait of [RetryAfter] or of the
// API (client.Error.RetryAfter), at most [LongestWait]; 0 means that its length is open. If err joins several
// errors, the longest wait counts. A panic never asks for a wait. Use it if you read a queue and call
// [Registry.Handle]; a [Worker] calls it for its handlers.
func WaitOf(err error) (d time.Duration, ok bool) {
	if panicked(err) {
		return 0, false
	}
	return waitIn(err)
}

func panicked(err error) bool {
	_, is := errors.AsType[*callback.Panic](err)
	return is
}

func waitIn(err error) (d time.Duration, ok bool) {
	switch e := err.(type) {
	case nil:
		return 0, false
	case *waitError:
		d, ok = e.after, true
	case interface{ As(target any) bool }: // a *client.Error
		var wait condition.Wait
		ok = e.As(&wait)
		d = wait.After
	default:
		ok = err == condition.ErrRateLimited
	}
	var inner []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		inner = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		inner = e.Unwrap()
	}
	for _, e := range inner {
		if more, also := waitIn(e); also {
			d, ok = max(d, more), true
		}
	}
	return min(max(d, 0), LongestWait), ok
}
