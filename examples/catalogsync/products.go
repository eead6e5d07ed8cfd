package main

import (
	"context"
	"iter"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// products are read with the scope read_products.
func products(api *v202503.API) resource {
	return service[client.Product]{
		newest: api.Products.List(client.ProductFilter{Paging: client.Paging{PerPage: 1}, Sort: client.ProductSortCreatedDescending}),
		records: func(ctx context.Context, q query) iter.Seq2[*client.Product, error] {
			f := client.ProductFilter{Paging: client.Paging{PerPage: q.perPage}, Window: client.Window{UpdatedMin: q.changed}}
			return api.Products.List(f).Since(ctx, q.after)
		},
		get: func(ctx context.Context, id client.ID) (*client.Product, error) { return api.Products.Get(ctx, id) },
		key: func(p *client.Product) (client.ID, client.Time) { return p.ID, p.UpdatedAt },
	}.resource("products", webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted)
}
