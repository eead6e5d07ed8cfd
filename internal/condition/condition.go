package condition

import (
	"errors"
	"slices"
	"time"
)

// Condition is a sentinel. The end of a context has a type of its own for its cause, in which conditions do not count.
type Condition struct{ text string }

// New returns a new sentinel with the given text.
func New(text string) error { return &Condition{text} }

func (c *Condition) Error() string { return c.text }

// The conditions that more than one package uses.
var (
	ErrNotFound        = New("not found")
	ErrUnauthorized    = New("unauthorized")
	ErrForbidden       = New("forbidden")
	ErrPaymentRequired = New("payment required")
	ErrValidation      = New("validation")
	ErrRateLimited     = New("rate limited")
	ErrServer          = New("server error")
	ErrIntermediary    = New("an intermediary answered")
	ErrNoAnswer        = New("no whole answer")
	ErrCircuitOpen     = New("circuit open")
	ErrUnreadableItem  = New("an item of the list could not be read")

	// ErrRedirect and ErrPage are not exported by package client.
	ErrRedirect = errors.New("redirects are not followed")
	ErrPage     = errors.New("a page or nothing in the place of JSON")
)

// Wait is the time that an error of the platform asks to wait; 0 leaves its length open. An error that asks for it sets
// a *Wait in its method As.
type Wait struct{ After time.Duration }

// Error returns the time.
func (w Wait) Error() string { return "wait " + w.After.String() }

// OnlyUnreadable reports whether err is only about items of lists that could not be read.
func OnlyUnreadable(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all := joined.Unwrap()
		return len(all) > 0 && !slices.ContainsFunc(all, func(err error) bool { return !OnlyUnreadable(err) })
	}
	if is, ok := err.(interface{ Is(error) bool }); err == ErrUnreadableItem || ok && is.Is(ErrUnreadableItem) {
		return true
	}
	inner := errors.Unwrap(err)
	return inner != nil && OnlyUnreadable(inner)
}
