package multistore

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
)

// OnForget adds a function that Forget calls, as Follow does for a table.
func (a *App) OnForget(forget func(ctx context.Context, store client.ID) error) {
	a.forget = append(a.forget, forget)
}
