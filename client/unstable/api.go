// Package unstable is the view of a client at version unstable of the API: the version in which new features appear first and may change without notice.
//
//	api := unstable.New(c) // c is a *client.Client
//	product, err := api.Products.Get(ctx, 42)
//
// What the version lacks is a field, or a method, that [API] lacks.
package unstable

import "github.com/commerceplatform/commerce-go/client"

// API holds the services of version unstable. All of them are safe for concurrent use.
type API struct {
	Categories *client.CategoryService
	Images     *client.ImageService
	Products   *client.ProductService
	Store      *client.StoreService
	Variants   *client.VariantService
	Webhooks   *client.WebhookService
}

// New returns the services of c at version unstable. It is cheap and does no I/O;
// views of several versions share the client's connections and rate limit.
func New(c *client.Client) *API {
	v := c.At(client.Unstable)
	return &API{
		Categories: client.NewCategoryService(v),
		Images:     client.NewImageService(v),
		Products:   client.NewProductService(v),
		Store:      client.NewStoreService(v),
		Variants:   client.NewVariantService(v),
		Webhooks:   client.NewWebhookService(v),
	}
}
