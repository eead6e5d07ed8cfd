package oauth_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"

	"github.com/commerceplatform/commerce-go/oauth"
)

func ExampleApp_AuthorizeURL() {
	app := oauth.App{ID: 123, Secret: "from the partner panel", AuthURL: "https://auth.platform.example"}
	u, err := app.AuthorizeURL("a-state-of-my-own")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u)
	fmt.Println(app.Secret)
	// Output:
	// https://auth.platform.example/apps/123/authorize?state=a-state-of-my-own
	// [redacted]
}

func ExampleScopes_Has() {
	granted := oauth.ParseScopes("write_products, read_orders")
	fmt.Println(granted.Has(oauth.ScopeReadProducts))  // write implies read
	fmt.Println(granted.Has(oauth.ScopeReadLocations)) // comes with products
	fmt.Println(granted.Missing(oauth.ScopeReadOrders, oauth.ScopeWriteOrders))
	// Output:
	// true
	// true
	// write_orders
}

func ExampleHandler() {
	// A platform that approves everything.
	var callback string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /apps/123/authorize", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, callback+"?code=abc&state="+r.FormValue("state"), http.StatusFound)
	})
	mux.HandleFunc("POST /apps/authorize/token", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"access_token":"t0k3n","token_type":"bearer","scope":"write_products","user_id":"789"}`)
	})
	platform := httptest.NewServer(mux)
	defer platform.Close()

	// The app.
	install := &oauth.Handler{
		App:      oauth.App{ID: 123, Secret: "from the partner panel", AuthURL: platform.URL},
		Tokens:   &oauth.MemoryStore{},
		ReturnTo: "/welcome",
		OnInstalled: func(ctx context.Context, in oauth.Install) error {
			fmt.Println("store", in.StoreID, "granted", in.Scopes, "by token", in.Token)
			return nil
		},
	}
	site := http.NewServeMux()
	site.Handle("/oauth/callback", install)
	site.HandleFunc("GET /welcome", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "Welcome!") })
	app := httptest.NewServer(site)
	defer app.Close()
	callback = app.URL + "/oauth/callback"

	// A merchant's browser.
	browser := app.Client()
	browser.Jar, _ = cookiejar.New(nil)
	resp, err := browser.Get(callback)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	page, _ := io.ReadAll(resp.Body)
	fmt.Println(string(page))
	// Output:
	// store 789 granted write_products by token [redacted]
	// Welcome!
}
