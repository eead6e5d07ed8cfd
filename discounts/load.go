package discounts

import (
	"context"
	"errors"

	"github.com/commerceplatform/commerce-go/client"
)

// LoadBy returns the function Load of a Registry, which lists the promotions by the API. Services returns those of a
// store: it is the method Promotions of Stores in the package of a version.
//
//	registry := &discounts.Registry{Load: discounts.LoadBy(stores.Promotions)}
//
// A token that is dead, or missing (oauth.ErrNotInstalled, or any error with a method NotInstalled), is ErrUninstalled.
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
