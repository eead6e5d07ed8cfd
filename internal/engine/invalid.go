package engine

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Ends of an attempt. A Failure has them as its cause.
var (
	ErrTruncated = errors.New("the answer broke off")
	ErrAgain     = errors.New("the request may have been processed, so it is not sent again: the connection ended it, or the transport retries")
	ErrTimeout   = errors.New("no answer in time")
	ErrTooLarge  = errors.New("the answer is larger than Config.MaxBody")
	ErrSwitched  = errors.New("the server left HTTP for another protocol")

	errNothing = errors.New("the transport returned neither a response nor an error")
	errNoBody  = errors.New("the transport returned a response without a body")
)

// Invalid returns the error of an input that is rejected before it is sent. It names the field,
// the value and the rule, which follows "must be", and is ErrValidation. Characters of the value that are not visible
// are escaped, and a long value is cut; a secret has to be left out by the caller.
func Invalid(field string, value any, rule string) error {
	return fmt.Errorf("%s: %s: must be %s: %w", wire.Line(field, wire.MaxName), wire.Quote(fmt.Sprint(value)),
		wire.Line(rule, wire.MaxText), condition.ErrValidation)
}
