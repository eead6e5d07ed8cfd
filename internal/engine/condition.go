package engine

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// condition is a sentinel of errors that callers branch on. The end of a context has a type of its own for its cause,
// in which conditions do not count: see endError.
type condition struct{ text string }

func (c *condition) Error() string { return c.text }

// Condition returns a new sentinel with the given text.
func Condition(text string) error { return &condition{text} }

// Conditions of the engine. Package client documents them for its callers.
var (
	ErrValidation  = Condition("validation")
	ErrCircuitOpen = Condition("circuit open")
)

// Ends of an attempt. A Failure has them as its cause.
var (
	ErrTruncated = errors.New("the answer broke off")
	ErrAgain     = errors.New("the request may have been processed, so it is not sent again: the connection ended it, or the transport retries")
	ErrTimeout   = errors.New("no answer in time")
	ErrTooLarge  = errors.New("the answer is larger than Config.MaxBody")
	ErrRedirect  = errors.New("redirects are not followed")
	ErrSwitched  = errors.New("the server left HTTP for another protocol")

	errNothing = errors.New("the transport returned neither a response nor an error")
	errNoBody  = errors.New("the transport returned a response without a body")
)

// Invalid returns the error of an input that is rejected before it is sent. It names the field,
// the value and the rule, which follows "must be", and is ErrValidation. Characters of the value that are not visible
// are escaped, and a long value is cut; a secret has to be left out by the caller.
func Invalid(field string, value any, rule string) error {
	return fmt.Errorf("%s: %s: must be %s: %w", wire.Line(field, wire.MaxName), wire.Quote(fmt.Sprint(value)),
		wire.Line(rule, wire.MaxText), ErrValidation)
}
