package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// public is where the platform calls the app. It refuses local addresses, so the reference server forwards them.
const public = "https://app.example"

// demonstrate starts the reference server and the app on it, until ctx ends.
func demonstrate(ctx context.Context, o options, stdout io.Writer) error {
	if o.database == "" {
		dir, err := os.MkdirTemp("", "flagship-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // otherwise it stays in the directory for such files
		o.database = filepath.Join(dir, "app.db")
	}
	o.publicURL, o.hooksURL = "http://"+o.listen, public
	platform, err := clienttest.Start(clienttest.Options{
		Demo: true, RealTime: true, AutoApprove: true, RedirectURL: o.publicURL + "/oauth/callback",
	})
	if err != nil {
		return err
	}
	defer platform.Close()
	if err := platform.Listen("127.0.0.1:0"); err != nil {
		return err
	}
	if err := platform.Forward(public, o.publicURL); err != nil {
		return err
	}
	known := platform.App()
	o.baseURL, o.authURL, o.appID, o.secret = platform.URL(), known.AuthURL, int64(known.ID), known.Secret
	// A fixed key, so that a database of an earlier demonstration can be opened. An app gets its own from the environment.
	if o.keys, err = sqlstore.ParseKeys("8c9aE1lM0m1m6wBn1vJ7k2xTjz3Yq0r5uQ4pV8sD6hE="); err != nil {
		return err
	}
	o.cartsFrom = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	fmt.Fprintf(stdout, "the reference server is at %s; open %s\n", o.baseURL, o.publicURL)
	return serve(ctx, o, stdout)
}
