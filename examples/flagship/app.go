package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
	"github.com/commerceplatform/commerce-go/webhook"
)

// app is one process of the app.
type app struct {
	options
	db       *database
	tokens   *sqlstore.Store
	cache    *sqlrates.Cache
	stores   *v202503.Stores
	install  *oauth.Handler
	sessions *oauth.Sessions
	events   *webhook.Registry
	carts    *discounts.Handler
	rates    *shipping.Handler
	copies   *client.Copies
}

// serve is the app until ctx ends.
func serve(ctx context.Context, o options, stdout io.Writer) (err error) {
	db, err := openDatabase(ctx, o.database)
	if err != nil {
		return err
	}
	a := newApp(o, db)
	defer func() { err = errors.Join(err, a.carts.Registry.Close(), db.close()) }()
	wrong := []error{a.migrate(ctx), a.tokens.Check(ctx), a.install.Check(), a.carts.Check(), a.rates.Check()}
	mux, ready := http.NewServeMux(), &webhook.Ready{Wait: o.wait}
	mux.Handle("GET /readyz", ready)
	mux.Handle("GET /oauth/callback", a.install) // a plain visit begins an installation
	mux.HandleFunc("GET /{$}", a.page)
	mux.Handle("POST /carts", a.carts)
	mux.Handle("POST /rates/", a.rates)
	for path, event := range map[string]webhook.Name{ // those of data protection are in the settings of the app
		"/hooks": "", "/redact/store": webhook.StoreRedactRequested.Name,
		"/redact/customers": webhook.CustomerRedactRequested.Name, "/data-request": webhook.CustomerDataRequested.Name,
	} {
		hooks := &webhook.Handler{Secrets: []client.Secret{o.secret}, Registry: a.events, Inbox: db.inbox, Event: event}
		mux.Handle("POST "+path, hooks)
		wrong = append(wrong, hooks.Check())
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "listening at http://%s\n", listener.Addr())
	return ready.Serve(ctx, listener, webhook.Server(o.listen, mux), a.worker().Run, a.sweep().Run, a.copies.Run)
}

func newApp(o options, db *database) *app {
	// README: replicas
	a := &app{options: o, db: db, tokens: &sqlstore.Store{DB: db.DB, Keys: o.keys}, cache: &sqlrates.Cache{DB: db.DB}}
	a.sessions = &oauth.Sessions{Key: o.secret.Derive("sessions"), Tokens: a.tokens, PublicURL: o.publicURL}
	config := client.Config{BaseURL: o.baseURL, UserAgent: "Gifts and a local courier (dev@app.example)"}
	a.stores = &v202503.Stores{Config: config, Tokens: oauth.Sources(a.tokens)}
	// end
	a.install, a.carts, a.rates, a.events = a.installer(), a.offers(), a.courier(), a.handlers()
	a.copies = &client.Copies{ // in all replicas: where two copy one store, one of them stops
		Stores: a.tokens.Stores, Of: []func(context.Context, client.ID) (client.Copier, error){a.products, a.orders},
		Prepare: a.prepare, OnGone: a.end, Every: o.every,
	}
	return a
}
