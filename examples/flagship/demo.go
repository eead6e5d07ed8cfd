package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// public is the address at which the platform calls the app. The platform rejects local addresses, so the reference
// server forwards the calls.
const public = "https://app.example"

// demonstrate starts the reference server and the app on it, until ctx ends.
func demonstrate(ctx context.Context, o options, stdout io.Writer) error {
	if o.database == "" {
		dir, err := os.MkdirTemp("", "flagship-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // otherwise it stays in the temporary directory
		o.database = filepath.Join(dir, "app.db")
	}
	o.PublicURL, o.CallbackURL = "http://"+o.listen, public
	platform, err := clienttest.Start(clienttest.Options{
		Demo: true, RealTime: true, AutoApprove: true, RedirectURL: o.PublicURL + multistore.CallbackPath, Console: pages.At(o.console),
	})
	if err != nil {
		return err
	}
	defer platform.Close()
	if err := platform.Listen("127.0.0.1:0"); err != nil {
		return err
	}
	if err := platform.Forward(public, o.PublicURL); err != nil {
		return err
	}
	if err := addGift(ctx, platform); err != nil {
		return err
	}
	known := platform.App()
	o.API.BaseURL, o.OAuth.AuthURL, o.OAuth.ID, o.OAuth.Secret = platform.URL(), known.AuthURL, known.ID, known.Secret
	// A fixed key, so that a database of an earlier demonstration can be opened. A real app gets its key from the
	// environment.
	keys, err := sqlstore.ParseKeys("8c9aE1lM0m1m6wBn1vJ7k2xTjz3Yq0r5uQ4pV8sD6hE=")
	if err != nil {
		return err
	}
	o.Tokens = &sqlstore.Store{Keys: keys}
	if o.carts, err = client.ListedSources("127.0.0.1", ""); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "the reference server is at %s; open %s\n", o.API.BaseURL, o.PublicURL)
	if o.console != "" {
		fmt.Fprintf(stdout, "the console of the platform is at %s\n", platform.ConsoleURL())
	}
	return serve(ctx, o, stdout)
}

// addGift adds a product that customers get as a gift.
func addGift(ctx context.Context, platform *clienttest.Server) error {
	_, err := v202503.Products(platform.Client()).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Bicycle bell", "es": "Timbre de bicicleta"},
		Tags: client.Set("gift"), Published: client.Set(true),
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(500)), Stock: client.Set(client.Stock(100))}},
	})
	return err
}
