// Package v202503 is the view of a client at version 2025-03 of the API: the newest stable version.
//
//	api := v202503.New(c) // c is a *client.Client
//	product, err := api.Products.Get(ctx, 42)
//
// What the version lacks is a field, or a method, that [API] lacks.
package v202503

import "github.com/commerceplatform/commerce-go/client"

// API holds the services of version 2025-03. All of them are safe for concurrent use.
type API struct {
	Categories *client.CategoryService
	Images     *client.ImageService
	Products   *client.ProductService
	Store      *client.StoreService
	Variants   *client.VariantService
	Webhooks   *client.WebhookService
}

// New returns the services of c at version 2025-03. It is cheap and does no I/O;
// views of several versions share the client's connections and rate limit.
func New(c *client.Client) *API {
	v := c.At(client.V202503)
	return &API{
		Categories: client.NewCategoryService(v),
		Images:     client.NewImageService(v),
		Products:   client.NewProductService(v),
		Store:      client.NewStoreService(v),
		Variants:   client.NewVariantService(v),
		Webhooks:   client.NewWebhookService(v),
	}
}
