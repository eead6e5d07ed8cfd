package unstable

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// AppAPI holds the services of version unstable that do not require a store. All of them are safe for concurrent use.
type AppAPI struct {
	Plans *client.PlanService // plans of the app for merchants
}

// NewApp returns the services of a at version unstable. It is cheap and does no I/O.
func NewApp(a *client.App) *AppAPI {
	return &AppAPI{Plans: (*client.PlanService)(engine.At((*engine.Core)(a), string(client.VersionUnstable)))}
}
