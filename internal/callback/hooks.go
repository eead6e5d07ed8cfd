package callback

import (
	"context"
	"errors"
)

// ErrMisconfigured is what OnAnswered is called with while the configuration is wrong. OnFailure is called with the
// details once.
var ErrMisconfigured = errors.New("the configuration of the handler is wrong: see Check")

// Answered calls a hook OnAnswered, which may be nil. Its context does not end, since the end of that of the request
// may be what there is to report.
func Answered[A any](ctx context.Context, hook func(context.Context, A), a A) {
	if hook == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	Panics(func() { hook(ctx, a) })
}

// Answers returns the function that calls a hook OnAnswered with the answer of a package, or nil if there is no hook.
func Answers[C, A any](hook func(context.Context, A), of func(*C, Answer) A) func(context.Context, *C, Answer) {
	if hook == nil {
		return nil
	}
	return func(ctx context.Context, c *C, a Answer) { hook(ctx, of(c, a)) }
}
