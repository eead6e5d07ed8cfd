package callback

import (
	"context"
	"errors"
	"sync"
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

// after holds the hooks that are called after the answer to a request, so that none delays it. The zero value is ready.
type after struct {
	mu    sync.Mutex
	hooks []func()
	begun bool // hooks are called at once
}

type afterKey struct{}

// do calls a hook after the answer to the request of ctx. Without such a request, or after its answer, it calls the
// hook at once.
func do(ctx context.Context, hook func()) {
	if a, ok := ctx.Value(afterKey{}).(*after); !ok || !a.add(hook) {
		hook()
	}
}

func (a *after) add(hook func()) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.begun {
		a.hooks = append(a.hooks, hook)
	}
	return !a.begun
}

// begin calls the hooks in their order.
func (a *after) begin() {
	a.mu.Lock()
	hooks := a.hooks
	a.hooks, a.begun = nil, true
	a.mu.Unlock()
	for _, hook := range hooks {
		hook()
	}
}
