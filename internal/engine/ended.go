package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Ended returns why ctx ended: an error that is ctx.Err() and context.Cause(ctx) to errors.Is. It is nil if ctx has not
// ended.
func Ended(ctx context.Context) error { return WithCause(ctx, ctx.Err()) }

// WithCause adds context.Cause(ctx) to an error that is ctx.Err(), or ctx.Err() to one that is the cause. It returns
// other errors as they are.
func WithCause(ctx context.Context, err error) error {
	end, cause := ctx.Err(), context.Cause(ctx)
	switch {
	case err == nil || end == nil:
	case errors.Is(err, end) && !errors.Is(err, cause):
		return &endError{err, cause}
	case errors.Is(err, cause) && !errors.Is(err, end):
		return &endError{end, err}
	}
	return err
}

// endError is an error of a context that ended, with the cause. The cause is often the failure of another call, as in a
// group that one failure cancels. A call that was cancelled for the 404 of another one has not found out that there is
// no record, so conditions do not count in the cause.
type endError struct{ err, cause error }

// Error returns one line, because the cause may quote a text from outside.
func (e *endError) Error() string {
	return wire.Line(fmt.Sprintf("%v: %v", e.err, e.cause), wire.MaxText)
}
func (e *endError) Unwrap() error { return e.err }

func (e *endError) As(target any) bool {
	if _, ok := target.(*condition.Wait); ok {
		return false
	}
	return errors.As(e.cause, target)
}

func (e *endError) Is(target error) bool {
	if reflect.TypeOf(target).Comparable() && target == e.cause {
		return true
	}
	if _, ok := target.(*condition.Condition); ok {
		return false
	}
	return errors.Is(e.cause, target)
}
