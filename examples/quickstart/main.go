// Command quickstart is a small app. A merchant installs it in a store, it lists the products, creates one, and
// receives the webhook about it.
//
//	go run ./examples/quickstart
//
// It requires only Go. The platform is the reference server, in this process, at an address of this machine. With
// -console 127.0.0.1:8082 a browser shows it until Ctrl-C. The app is in app.go; this file starts the platform and acts
// as the merchant. For a real platform, use its addresses and your app's id and secret in newApp.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
)

func main() { pages.Main(run) }

// run starts the platform and the app.
func run(ctx context.Context, console string, out io.Writer) (err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	site := "http://" + listener.Addr().String()
	platform, err := clienttest.Start(clienttest.Options{
		Demo: true, RealTime: true, AutoApprove: true, RedirectURL: site + "/oauth/callback", Console: pages.At(console),
	})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer platform.Close()
	// The platform sends webhooks to public addresses only, so the requests to one are forwarded to the app.
	const public = "https://app.example"
	if err := errors.Join(platform.Listen("127.0.0.1:0"), platform.Forward(public, site)); err != nil {
		return errors.Join(err, listener.Close())
	}
	known := platform.App()
	of := oauth.App{ID: known.ID, Secret: known.Secret, AuthURL: known.AuthURL, Name: "Quickstart"}
	a, err := newApp(of, platform.URL(), site, public+"/webhooks")
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server, served := webhook.Server("", a), make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() { _ = server.Close(); <-served }()
	return platform.PlayWithConsole(ctx, out, func(ctx context.Context) error {
		return play(ctx, a, platform, site, out)
	})
}

// play takes the steps one after another.
func play(ctx context.Context, a *app, platform *clienttest.Server, site string, out io.Writer) error {
	page, err := platform.Browser().Get(site + "/oauth/callback")
	if err != nil {
		return err
	}
	if page.StatusCode != http.StatusOK {
		err = fmt.Errorf("installing: the browser ends at status %d", page.StatusCode)
	}
	if err := errors.Join(err, page.Body.Close()); err != nil {
		return err
	}
	store := platform.StoreID()
	fmt.Fprintf(out, "1. The app is installed in store %d.\n", store)
	names, err := a.names(ctx, store)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "2. The store has %d products, such as %q.\n", len(names), names[0])
	product, err := a.create(ctx, store)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "3. The app created product %d for %s.\n", product.ID, product.Variants[0].Price)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	select {
	case id := <-a.created:
		if id != product.ID {
			return fmt.Errorf("the webhook is about product %d, must be about %d", id, product.ID)
		}
		fmt.Fprintf(out, "4. A webhook said that product %d was created. Its signature was verified.\n", id)
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the webhook: %w", ctx.Err())
	}
}
