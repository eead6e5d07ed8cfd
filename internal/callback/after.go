package callback

import (
	"context"
	"sync"
)

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
