// Package v1 is the view of a client at version v1 of the API: the first version, which gets no new features.
//
//	api := v1.New(c) // c is a *client.Client
//	product, err := api.Products.Get(ctx, 42)
//
// What the version lacks is a field, or a method, that [API] lacks.
package v1

import "github.com/commerceplatform/commerce-go/client"

// API holds the services of version v1. All of them are safe for concurrent use.
type API struct {
	Categories *client.CategoryService
	Images     *client.ImageService
	Products   *client.ProductService
	Store      *client.StoreService
	Variants   *client.VariantService
	Webhooks   *client.WebhookService
}

// New returns the services of c at version v1. It is cheap and does no I/O;
// views of several versions share the client's connections and rate limit.
func New(c *client.Client) *API {
	v := c.At(client.V1)
	return &API{
		Categories: client.NewCategoryService(v),
		Images:     client.NewImageService(v),
		Products:   client.NewProductService(v),
		Store:      client.NewStoreService(v),
		Variants:   client.NewVariantService(v),
		Webhooks:   client.NewWebhookService(v),
	}
}
