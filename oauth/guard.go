package oauth

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// guardedTokens calls the TokenStore of an app. A call that hangs, panics or ends its goroutine is an error, so that it
// costs a browser no more than App.Timeout.
type guardedTokens struct {
	of    TokenStore
	guard *callback.Guard
}

func (g guardedTokens) Load(ctx context.Context, storeID client.ID) (Install, error) {
	return callback.Guarded(ctx, g.guard, "TokenStore.Load", func(ctx context.Context) (Install, error) {
		return g.of.Load(ctx, storeID)
	})
}

func (g guardedTokens) Swap(ctx context.Context, storeID client.ID, old int64, next *Install) (bool, error) {
	return callback.Guarded(ctx, g.guard, "TokenStore.Swap", func(ctx context.Context) (bool, error) {
		return g.of.Swap(ctx, storeID, old, next)
	})
}

// guardedStates does the same for a StateStore.
type guardedStates struct {
	of    StateStore
	guard *callback.Guard
}

func (g guardedStates) Put(ctx context.Context, key string, p Pending) error {
	_, err := callback.Guarded(ctx, g.guard, "StateStore.Put", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, g.of.Put(ctx, key, p)
	})
	return err
}

func (g guardedStates) Take(ctx context.Context, key string) (Pending, bool, error) {
	type taken struct {
		p  Pending
		ok bool
	}
	t, err := callback.Guarded(ctx, g.guard, "StateStore.Take", func(ctx context.Context) (t taken, err error) {
		t.p, t.ok, err = g.of.Take(ctx, key)
		return t, err
	})
	return t.p, t.ok, err
}
