package clienttest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// A program of its own gets a client as it would for a real platform.
func ExampleServer_Install() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	token, err := srv.Install("read_products") // a merchant approves just this
	if err != nil {
		log.Fatal(err)
	}
	c, err := client.New(client.Config{
		BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(token), UserAgent: "My App (dev@my.app)",
		HTTPClient: &http.Client{Transport: srv.Transport()},
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	_, err = v202503.Products(c).List(client.ProductFilter{}).Page(ctx)
	fmt.Println("read:", err)
	_, err = v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
	fmt.Println("write:", errors.Is(err, client.ErrForbidden))

	if _, err := srv.Install(); err != nil { // a new token ends the one before
		log.Fatal(err)
	}
	_, err = v202503.Store(c).Get(ctx)
	fmt.Println("old token:", errors.Is(err, client.ErrUnauthorized))
	// Output:
	// read: <nil>
	// write: true
	// old token: true
}

// What happens to an app when a merchant does not pay, or does not want it any more.
func ExampleServer_Uninstall() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	fmt.Println(srv.Suspend(true))
	_, err = v202503.Store(c).Get(ctx)
	fmt.Println(errors.Is(err, client.ErrPaymentRequired), srv.Suspend(false))

	fmt.Println(srv.Uninstall())
	_, err = v202503.Store(c).Get(ctx)
	fmt.Println(errors.Is(err, client.ErrUnauthorized))
	// Output:
	// <nil>
	// true <nil>
	// <nil>
	// true
}

// Tests of one costly store begin where the first one began.
func ExampleServer_Snapshot() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()
	count := func() int {
		page, err := v202503.Categories(c).List(client.CategoryFilter{}).Page(ctx)
		if err != nil {
			log.Fatal(err)
		}
		return page.Total
	}

	before, snapshot := count(), srv.Snapshot()
	if _, err := srv.Seed(ctx, "/categories", client.CategoryInput{Name: client.Text{"en": "Kitchen"}}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(count() - before)
	srv.Restore(snapshot)
	fmt.Println(count() - before)
	// Output:
	// 1
	// 0
}

// What an app asked, and what of it the platform did not understand.
func ExampleServer_Requests() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	err = srv.Client().Do(context.Background(), client.Request{
		Method: http.MethodPost, Path: "/categories", Body: map[string]any{"name": map[string]string{"en": "Kitchen"}, "colour": "red"},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range srv.Requests() {
		fmt.Println(r.Method, r.Status, r.Unread)
	}
	// Output: POST 201 [colour]
}

// A program in another process, or in another language, needs a real socket.
func ExampleServer_Listen() {
	srv, err := clienttest.Start(clienttest.Options{RealTime: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		log.Fatal(err)
	}
	store, err := v202503.Store(srv.Client()).Get(context.Background())
	fmt.Println(store.ID == srv.StoreID(), srv.Clock() == nil, err)
	// Output: true true <nil>
}

// An app of many stores meets what happens to one of them: it must not stop the others.
func ExampleServer_AddStore() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	second, err := srv.AddStore(1002)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := second.Uninstall(); err != nil {
		fmt.Println(err)
	}
	for _, s := range []*clienttest.Server{srv, second} {
		_, err := v202503.Products(s.Client()).List(client.ProductFilter{}).Page(ctx)
		fmt.Println(s.StoreID(), errors.Is(err, client.ErrUnauthorized))
	}
	// Output:
	// 1001 false
	// 1002 true
}

// A merchant opens the app, approves it at the platform, and returns to the app with a code.
func ExampleServer_Browser() {
	srv, err := clienttest.Start(clienttest.Options{AutoApprove: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	app := http.NewServeMux() // with an oauth.Handler in an app
	app.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("%s/apps/%d/authorize?state=42", srv.App().AuthURL, srv.App().ID), http.StatusFound)
	})
	app.HandleFunc("GET /oauth/callback", func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("code:", r.FormValue("code") != "", "state:", r.FormValue("state"))
	})
	if err := srv.Partner("https://app.example", app); err != nil {
		log.Fatal(err)
	}
	page, err := srv.Browser().Get("https://app.example/")
	if err != nil {
		log.Fatal(err)
	}
	defer page.Body.Close()
	fmt.Println(page.Status)
	// Output:
	// code: true state: 42
	// 200 OK
}
