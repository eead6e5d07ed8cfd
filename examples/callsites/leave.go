package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
)

// follow makes an app that is notified when its installations end.
func follow(mux *http.ServeMux, install *oauth.Handler, stores *client.Stores, secrets []client.Secret, out io.Writer) error {
	// README: register
	install.OnInstalled = func(ctx context.Context, in oauth.Install) error {
		c, err := stores.Client(ctx, in.StoreID)
		if err != nil {
			return err
		}
		_, err = v202503.Webhooks(c).Ensure(ctx, "https://app.example/hooks", webhook.OrderPaid.Name, webhook.AppUninstalled.Name)
		return err // existing registrations are kept
	}
	// end
	mux.Handle("GET /oauth/callback", install)

	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	forget := func(ctx context.Context, d webhook.Delivery[webhook.StoreRedact]) error {
		fmt.Fprintf(out, "%s: the data of store %d is deleted\n", d.Event, d.StoreID)
		return install.Erase(ctx, d.StoreID)
	}
	// README: leave
	webhook.On(&events, webhook.AppUninstalled, func(ctx context.Context, d webhook.Delivery[webhook.App]) error {
		return install.Uninstall(ctx, d.StoreID) // retires the token
	})
	webhook.On(&events, webhook.StoreRedactRequested, forget) // handle customers/redact and customers/data_request too
	// The probe calls the API with the stored token. With an inbox, set it in the Worker.
	probe := webhook.ProbeBy(stores.Client)
	hooks := &webhook.Handler{Secrets: secrets, Registry: &events, Probe: probe}
	redact := &webhook.Handler{Secrets: secrets, Registry: &events, Probe: probe, Event: webhook.StoreRedactRequested.Name}
	// end
	judge := &client.Judge{FirstRefusal: true} // for tests: the reference server refuses no valid token
	hooks.Judge, redact.Judge = judge, judge
	hooks.Unknown = func(_ context.Context, d webhook.Delivery[webhook.Unknown]) error {
		fmt.Fprintf(out, "%s: %v\n", d.Event, d.Payload.Reason)
		return nil
	}
	for path, h := range map[string]*webhook.Handler{"POST /hooks": hooks, "POST /hooks/store/redact": redact} {
		if err := h.Check(); err != nil {
			return err
		}
		mux.Handle(path, h)
	}
	return nil
}

// leaves acts as a merchant who uninstalls the app and installs it again.
func leaves(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	app := platform.App()
	tokens := &oauth.MemoryStore{}
	install := &oauth.Handler{
		App:    oauth.App{ID: app.ID, Secret: app.Secret, AuthURL: app.AuthURL, Transport: platform.Transport()},
		Tokens: tokens, PublicURL: appURL,
	}
	stores := &client.Stores{
		Config: client.Config{
			BaseURL: platform.URL(), UserAgent: "My App (dev@my.app)", HTTPClient: &http.Client{Transport: platform.Transport()},
		},
		Tokens: oauth.Sources(tokens),
	}
	site := http.NewServeMux()
	if err := follow(site, install, stores, []client.Secret{app.Secret}, out); err != nil {
		return err
	}
	if err := platform.Partner(appURL, site); err != nil {
		return err
	}
	visit := func() error {
		page, err := platform.Browser().Get(appURL + "/oauth/callback")
		if err != nil {
			return err
		}
		if page.StatusCode != http.StatusOK {
			err = fmt.Errorf("installing: status %d", page.StatusCode)
		}
		return errors.Join(err, page.Body.Close())
	}
	if err := visit(); err != nil {
		return err
	}
	if err := platform.Uninstall(); err != nil { // store/redact comes with app/uninstalled, in either order
		return err
	}
	if err := platform.Settle(ctx); err != nil {
		return err
	}
	_, err := tokens.Load(ctx, platform.StoreID())
	fmt.Fprintln(out, "uninstalled:", err)
	if err := visit(); err != nil {
		return err
	}
	for _, d := range platform.Deliveries() {
		if d.Event != string(webhook.AppUninstalled.Name) {
			continue
		}
		if err := platform.Resend(d.ID); err != nil { // late: the app is installed again
			return err
		}
	}
	if err := platform.Settle(ctx); err != nil {
		return err
	}
	in, err := tokens.Load(ctx, platform.StoreID())
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "installed again: store", in.StoreID)
	return nil
}
