package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
)

// appURL is the address of the app's site.
const appURL = "https://app.example"

// The parts between "README:" and "end" are equal to blocks of README and of the pages.

// installer mounts the handler that installs the app, and returns the store of the tokens.
func installer(mux *http.ServeMux, secret client.Secret, authURL string, appID client.ID, platform http.RoundTripper) oauth.TokenStore {
	// README: install
	tokens := &oauth.MemoryStore{} // a restart loses all tokens; a sqlstore.Store keeps them in your database
	install := &oauth.Handler{
		App:       oauth.App{ID: appID, Secret: secret, AuthURL: authURL, Name: "My App"},
		Tokens:    tokens,
		PublicURL: "https://app.example", // http://localhost:8080 during development
		ReturnTo:  "/welcome",
	}
	mux.Handle("GET /oauth/callback", install) // the redirect URL; a visit without a code begins an installation
	// end
	install.App.Transport = platform
	return tokens
}

// connect returns the API of a store with a known token.
func connect(ctx context.Context, base, store, token string, transport http.RoundTripper) (*client.Client, error) {
	// README: connect
	storeID, err := client.ParseID(store) // user_id in the answer to the token request
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Config{
		BaseURL:   base, // "https://api.example.com"
		StoreID:   storeID,
		Token:     client.StaticToken(client.Secret(token)),
		UserAgent: "My App (dev@my.app)",
		// end
		HTTPClient: &http.Client{Transport: transport},
		// README: connect
	})
	if err != nil {
		return nil, err
	}
	shop, err := v202503.Store(c).Get(ctx) // v202503 has a function for each service of version 2025-03
	// end
	if err == nil && shop.ID != storeID {
		err = fmt.Errorf("store %d answered instead of %d", shop.ID, storeID)
	}
	return c, err
}

// connectMany returns the API of any store that has installed the app.
func connectMany(ctx context.Context, base string, tokens oauth.TokenStore, storeID client.ID, transport *http.Client) (*client.Client, error) {
	// README: stores
	stores := &client.Stores{
		Config: client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"},
		Tokens: oauth.Sources(tokens), // the next call uses the token of a new installation
	}
	// end
	stores.Config.HTTPClient = transport
	// README: stores
	c, err := stores.Client(ctx, storeID)
	// end
	return c, err
}

// installs acts as a merchant who installs the app, and greets the store.
func installs(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	site := http.NewServeMux()
	site.HandleFunc("GET /welcome", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "welcome") })
	app := platform.App()
	tokens := installer(site, app.Secret, app.AuthURL, app.ID, platform.Transport())
	if err := platform.Partner(appURL, site); err != nil {
		return err
	}
	page, err := platform.Browser().Get(appURL + "/oauth/callback")
	if err != nil {
		return err
	}
	defer func() { _ = page.Body.Close() }()
	shown, err := io.ReadAll(page.Body)
	if err != nil {
		return err
	}
	c, err := connectMany(ctx, platform.URL(), tokens, platform.StoreID(), &http.Client{Transport: platform.Transport()})
	if err != nil {
		return err
	}
	store, err := v202503.Store(c).Get(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "installed: the browser ends at %q, and the token opens store %d\n", shown, store.ID)
	return nil
}
