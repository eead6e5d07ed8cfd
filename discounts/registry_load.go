package discounts

import (
	"context"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
)

// LoadBy returns a function for Registry.Load that lists the promotions through the API. Services returns the service
// of a store. It is the method Promotions of Stores in the package of a version.
//
//	registry := &discounts.Registry{Load: discounts.LoadBy(stores.Promotions)}
func LoadBy(services func(ctx context.Context, store client.ID) (*PromotionService, error)) func(ctx context.Context, store client.ID) ([]Promotion, error) {
	return func(ctx context.Context, store client.ID) ([]Promotion, error) {
		s, err := services(ctx, store)
		if err != nil {
			return nil, err
		}
		return s.List().Collect(ctx)
	}
}

func (r *Registry) judge() *client.Judge {
	if r.Judge != nil {
		return r.Judge
	}
	return &r.own
}

// judged returns ErrUninstalled only if the judge has the evidence that the store uninstalled the app.
func (r *Registry) judged(ctx context.Context, store client.ID, err error) error {
	judge, observed := r.judge(), err
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
