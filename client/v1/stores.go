package v1

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// Stores creates and caches the services of many stores in one process, at version v1. It has the fields of
// client.Stores and is used in the same way:
//
//	stores := &v1.Stores{
//		Config: client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"},
//		Tokens: oauth.Sources(tokens),
//	}
//	api, err := stores.API(ctx, storeID)
//
// Fields must be set before the first use and must not be changed after it. A Stores is safe for concurrent use and
// must not be copied.
type Stores client.Stores

// API returns the services of a store; see client.Stores.Client.
func (s *Stores) API(ctx context.Context, store client.ID) (*API, error) {
	c, err := s.Client(ctx, store)
	if err != nil {
		return nil, err
	}
	return New(c), nil
}

// Promotions returns the promotions of the app in a store; see discounts.LoadBy.
func (s *Stores) Promotions(ctx context.Context, store client.ID) (*discounts.PromotionService, error) {
	api, err := s.API(ctx, store)
	if err != nil {
		return nil, err
	}
	return api.Promotions, nil
}

// Client returns the client of a store, for use with any version; see client.Stores.Client.
func (s *Stores) Client(ctx context.Context, store client.ID) (*client.Client, error) {
	return (*client.Stores)(s).Client(ctx, store)
}

// Forget drops the client of a store, for example after app/uninstalled.
func (s *Stores) Forget(store client.ID) { (*client.Stores)(s).Forget(store) }

// CloseIdleConnections closes idle connections.
func (s *Stores) CloseIdleConnections() { (*client.Stores)(s).CloseIdleConnections() }

// ListOf returns a function that returns the list of a store, for sqlcopy.Table and webhook.ChangedIn:
//
//	list := v1.ListOf(stores, func(api *v1.API) client.List[client.Product] {
//		return api.Products.List(client.ProductFilter{})
//	})
func ListOf[T any](s *Stores, of func(api *API) client.List[T]) func(context.Context, client.ID) (client.List[T], error) {
	return func(ctx context.Context, store client.ID) (list client.List[T], err error) {
		api, err := s.API(ctx, store)
		if err == nil {
			list = of(api)
		}
		return list, err
	}
}
