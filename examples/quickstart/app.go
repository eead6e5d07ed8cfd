package main

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
)

// app is an app of any number of stores. In a real one, tokens are in a database: see oauth/sqlstore.
type app struct {
	install *oauth.Handler
	hooks   *webhook.Handler
	stores  *client.Stores
	created chan client.ID // products that webhooks named
}

// newApp makes the app. The platform sends webhooks to the address hooks.
func newApp(of oauth.App, api, site, hooks string) (*app, error) {
	tokens := new(oauth.MemoryStore)
	a := &app{created: make(chan client.ID, 10)}
	a.stores = &client.Stores{
		Config: client.Config{BaseURL: api, UserAgent: "Quickstart (dev@app.example)"}, Tokens: oauth.Sources(tokens),
	}
	a.install = &oauth.Handler{
		App: of, Tokens: tokens, PublicURL: site, ReturnTo: "/welcome",
		OnInstalled: func(ctx context.Context, in oauth.Install) error {
			c, err := a.stores.Client(ctx, in.StoreID)
			if err != nil {
				return err
			}
			_, err = v202503.Webhooks(c).Ensure(ctx, hooks, webhook.ProductCreated.Name)
			return err
		},
	}
	var events webhook.Registry
	webhook.On(&events, webhook.ProductCreated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		select {
		case a.created <- d.Payload.ID:
			return nil // only now is the delivery answered 200
		case <-ctx.Done():
			return ctx.Err() // 503, so the platform sends it again
		}
	})
	a.hooks = &webhook.Handler{Secrets: []client.Secret{of.Secret}, Registry: &events}
	return a, a.hooks.Check()
}

// ServeHTTP serves the site of the app.
func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mux := http.NewServeMux()
	mux.Handle("GET /oauth/callback", a.install) // a plain visit begins an installation
	mux.Handle("POST /webhooks", a.hooks)
	mux.HandleFunc("GET /welcome", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("Welcome")) })
	mux.ServeHTTP(w, r)
}

// names lists the products of a store. It requests the pages of the list as the loop proceeds.
func (a *app) names(ctx context.Context, store client.ID) (names []string, err error) {
	c, err := a.stores.Client(ctx, store)
	if err != nil {
		return nil, err
	}
	for p, err := range v202503.Products(c).List(client.ProductFilter{}).All(ctx) {
		if err != nil {
			return nil, err
		}
		names = append(names, p.Name.Get("en"))
	}
	return names, nil
}

// create creates a product with one variant.
func (a *app) create(ctx context.Context, store client.ID) (*client.Product, error) {
	c, err := a.stores.Client(ctx, store)
	if err != nil {
		return nil, err
	}
	return v202503.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Teapot"},
		Variants: []client.VariantInput{{
			SKU: client.Set("TEAPOT-1"), Price: client.Set(client.MustMoney("30.00")), Stock: client.Set(client.StockUnlimited),
		}},
	})
}
