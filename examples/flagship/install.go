package main

import (
	"context"
	"errors"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// installer installs the app. Any replica may begin and any other one end an installation.
func (a *app) installer() *oauth.Handler {
	return &oauth.Handler{
		App:    oauth.App{ID: client.ID(a.appID), Secret: a.secret, AuthURL: a.authURL, Name: "Gifts and a local courier"},
		Tokens: a.tokens, States: a.tokens, Verify: oauth.AliveBy(a.stores.Config),
		PublicURL: a.publicURL, ReturnTo: "/", OnInstalled: a.begin, SignIn: a.sessions.SignIn,
	}
}

// begin prepares a store that has just installed the app, perhaps again.
func (a *app) begin(ctx context.Context, in oauth.Install) error {
	a.carts.Registry.Install(in.StoreID)
	err := a.forgetCopies(ctx, in.StoreID) // those of an earlier installation
	a.copies.Wake()
	return errors.Join(err, a.prepare(ctx, in.StoreID))
}

// prepare registers at the platform what the app needs in a store, and leaves what is there. Each process repeats it
// when it starts, because one may have died before it had prepared a store.
func (a *app) prepare(ctx context.Context, store client.ID) error {
	api, err := a.stores.API(ctx, store)
	if err != nil {
		return err
	}
	_, err = api.Webhooks.Ensure(ctx, a.hooksURL+"/hooks", a.events.Names()...)
	return errors.Join(err, a.prepareOffer(ctx, api), a.prepareCourier(ctx, api))
}

// end forgets the token of a store, unless it is alive because the app was installed again.
func (a *app) end(ctx context.Context, store client.ID) error {
	err := a.install.Uninstall(ctx, store)
	a.carts.Registry.Uninstall(store)
	return err
}
