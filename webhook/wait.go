package webhook

import (
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// LongestWait is the most that an entry rests because of one error. A longer wait is cut to it.
const LongestWait = 24 * time.Hour

// RetryAfter returns an error with which a handler asks for another run after d, because of the causes if there are
// any. For a [Worker] that is a wait: it does not count as an attempt and is not reported. The entry rests for d, at
// least [ShortestBackoff] and at most [LongestWait], also if its record changes meanwhile. MaxAge still ends it: the
// last run is then. A d of 0 or less leaves the length to the worker, which draws it between ShortestBackoff and the
// age of the entry, at most [LongestBackoff].
//
// A *client.Error with RetryAfter, and every error that is client.ErrRateLimited, is such a wait by itself, so handlers
// need not convert it.
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

// WaitOf returns how long err asks to wait, and false if it does not ask. The wait is that of [RetryAfter] or of the
// API (client.Error.RetryAfter), at most [LongestWait]; 0 means that its length is open. If err joins several errors,
// the longest of their waits counts. A panic never asks. It is for those who read a queue and call [Registry.Handle]; a
// [Worker] does it for its handlers.
func WaitOf(err error) (d time.Duration, ok bool) {
	if _, panicked := errors.AsType[*callback.Panic](err); panicked {
		return 0, false
	}
	return waitIn(err)
}

func waitIn(err error) (d time.Duration, ok bool) {
	switch e := err.(type) {
	case nil:
		return 0, false
	case *waitError:
		d, ok = e.after, true
	case *client.Error:
		d, ok = e.RetryAfter, e.RetryAfter > 0 || errors.Is(e, client.ErrRateLimited)
	default:
		ok = err == client.ErrRateLimited
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
