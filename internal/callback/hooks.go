package callback

import (
	"context"
	"errors"
	"net/http"
)

// ErrMisconfigured is what OnAnswered is called with while the configuration is wrong. OnFailure is called with the
// details once.
var ErrMisconfigured = errors.New("the configuration of the handler is wrong: see Check")

// Started calls a hook OnStarted, which may be nil, and returns the request with the context that it returned. A hook
// that panics or returns nil changes nothing.
func Started(r *http.Request, hook func(context.Context, *http.Request) context.Context) *http.Request {
	if hook == nil {
		return r
	}
	var ctx context.Context
	Panics(func() { ctx = hook(r.Context(), r) })
	if ctx == nil {
		return r
	}
	return r.WithContext(ctx)
}

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
