package discounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// LoadBy returns a function for PromotionCache.Load that lists the promotions through the API. Services returns the
// service of a store:
//
//	services := client.ByStore(stores, v202503.Promotions)
//	cache := &discounts.PromotionCache{Load: discounts.LoadBy(services)}
//
// If the token is refused, or missing (oauth.ErrNotInstalled, or any error with a method NotInstalled), the error also
// wraps ErrUninstalled.
func LoadBy(services func(ctx context.Context, store client.ID) (*promotions.PromotionService, error)) func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
	return func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
		s, err := services(ctx, store)
		var all []promotions.Promotion
		if err == nil {
			all, err = s.List().Collect(ctx)
		}
		if access, _ := client.AccessOf(err); access == client.AccessGone {
			return nil, fmt.Errorf("%w: %w", ErrUninstalled, err)
		}
		return all, err
	}
}

func (c *PromotionCache) judge() *client.Judge {
	if c.Judge != nil {
		return c.Judge
	}
	return &c.own
}

// judged returns ErrUninstalled only if the judge has the evidence that the store uninstalled the app.
func (c *PromotionCache) judged(ctx context.Context, store client.ID, err error) error {
	judge, observed := c.judge(), err
	access, _ := client.AccessOf(err)
	if errors.Is(err, ErrUninstalled) && access != client.AccessGone {
		access, observed = client.AccessGone, client.ErrUnauthorized
	}
	judge.Observe(ctx, store, observed)
	if access != client.AccessGone {
		return err
	}
	if doubt := judge.Verdict(ctx, store, client.ActEndPromotions).Err(); doubt != nil {
		return fmt.Errorf("%w: %v", doubt, err) // not ErrUninstalled yet
	}
	return fmt.Errorf("%w: %w", ErrUninstalled, err)
}
