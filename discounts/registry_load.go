package discounts

import (
	"context"
	"errors"

	"github.com/commerceplatform/commerce-go/client"
)

// LoadBy returns a function for Registry.Load that lists the promotions through the API. Services returns the service
// of a store. It is the method Promotions of Stores in the package of a version.
//
//	registry := &discounts.Registry{Load: discounts.LoadBy(stores.Promotions)}
//
// If the token is revoked, or missing (oauth.ErrNotInstalled, or any error with a method NotInstalled), the function
// returns ErrUninstalled.
func LoadBy(services func(ctx context.Context, store client.ID) (*PromotionService, error)) func(ctx context.Context, store client.ID) ([]Promotion, error) {
	return func(ctx context.Context, store client.ID) ([]Promotion, error) {
		s, err := services(ctx, store)
		var all []Promotion
		if err == nil {
			all, err = s.List().Collect(ctx)
		}
		var tokenless interface{ NotInstalled() }
		if errors.Is(err, client.ErrUnauthorized) || errors.As(err, &tokenless) {
			return nil, ErrUninstalled
		}
		return all, err
	}
}
