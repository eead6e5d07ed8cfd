package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The parts between "README:" and "end" stand in README, letter by letter.

func connect(base string, storeID client.ID, token client.Secret, transport *http.Client) (*v202503.API, error) {
	// README: connect
	c, err := client.New(client.Config{
		BaseURL:   base,    // "https://api.example.com"
		StoreID:   storeID, // user_id of the installation
		Token:     client.StaticToken(token),
		UserAgent: "My App (dev@my.app)",
		// end
		HTTPClient: transport,
		// README: connect
	})
	if err != nil {
		return nil, err
	}
	api := v202503.New(c)
	// end
	return api, nil
}

func published(ctx context.Context, api *v202503.API) ([]string, error) {
	var names []string
	// README: list
	query := api.Products.List(client.ProductFilter{Published: client.Set(true)})
	for p, err := range query.All(ctx) {
		if err != nil {
			return nil, err
		}
		names = append(names, p.Name.Get("es", "en"))
	}
	// end
	return names, nil
}

func sell(ctx context.Context, api *v202503.API, product *client.Product) (*client.Variant, error) {
	// README: update
	variant, err := api.Variants.Update(ctx, product.ID, product.Variants[0].ID, client.VariantInput{
		PromotionalPrice: client.Set(client.MustMoney("17.90")), // a value
		SKU:              client.Null[string](),                 // null
		// Price is absent: it stays as it is.
	})
	// end
	return variant, err
}

func describe(ctx context.Context, api *v202503.API, id client.ID) string {
	// README: errors
	_, err := api.Products.Get(ctx, id)
	var failure *client.Error
	switch {
	case errors.Is(err, client.ErrNotFound):
		return "gone"
	case errors.Is(err, client.ErrOutcomeUnknown):
		return "a write may have been applied: read before repeating it"
	case errors.As(err, &failure):
		return failure.Description // what the platform said
	}
	// end
	return "found"
}

func receiver(secret client.Secret) (*webhook.Handler, <-chan client.ID) {
	paid := make(chan client.ID, 1)
	// README: webhook
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		paid <- d.Payload.ID
		return nil // 2xx is answered only now
	})
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}
	// end
	return hooks, paid
}

func delivery(secret client.Secret, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
	r.Header.Set(webhook.SignatureHeader, webhook.Sign(secret, []byte(body)))
	return r
}
