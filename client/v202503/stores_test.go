package v202503_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
)

// Each call loads the token of its store: installs and uninstalls take effect at once.
func ExampleStores() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	ctx := context.Background()
	tokens := &oauth.MemoryStore{} // filled by an oauth.Handler
	stores := &v202503.Stores{
		Config: client.Config{BaseURL: srv.URL(), UserAgent: "My App (dev@my.app)", HTTPClient: &http.Client{Transport: srv.Transport()}},
		Tokens: oauth.Sources(tokens),
	}
	name := func() {
		api, err := stores.API(ctx, srv.StoreID())
		if err != nil {
			fmt.Println(err)
			return
		}
		store, err := api.Store.Get(ctx)
		if errors.Is(err, oauth.ErrNotInstalled) {
			fmt.Println("not installed")
			return
		}
		fmt.Println(store.Name.Get("en"), err)
	}
	name()
	token, err := srv.Install()
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := tokens.Swap(ctx, srv.StoreID(), 0, &oauth.Install{StoreID: srv.StoreID(), Token: token, Generation: 1}); err != nil {
		fmt.Println(err)
		return
	}
	name()
	// Output:
	// not installed
	// Demo Store <nil>
}

// The Stores of each version ask for its paths, and share one client for a store.
func TestStoresOfVersions(t *testing.T) {
	srv := clienttest.New(t)
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	tokens := &oauth.MemoryStore{}
	if _, err := tokens.Swap(t.Context(), srv.StoreID(), 0, &oauth.Install{StoreID: srv.StoreID(), Token: token, Generation: 1}); err != nil {
		t.Fatal(err)
	}
	config := client.Config{BaseURL: srv.URL(), UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: srv.Transport()}}
	first := &v1.Stores{Config: config, Tokens: oauth.Sources(tokens)}
	newest := &v202503.Stores{Config: config, Tokens: oauth.Sources(tokens)}
	next := &unstable.Stores{Config: config, Tokens: oauth.Sources(tokens)}
	for version, get := range map[client.Version]func() error{
		client.VersionV1: func() error {
			api, err := first.API(t.Context(), srv.StoreID())
			return errors.Join(err, ignored(api.Store.Get(t.Context())))
		},
		client.Version202503: func() error {
			api, err := newest.API(t.Context(), srv.StoreID())
			return errors.Join(err, ignored(api.Store.Get(t.Context())))
		},
		client.VersionUnstable: func() error {
			api, err := next.API(t.Context(), srv.StoreID())
			return errors.Join(err, ignored(api.Store.Get(t.Context())))
		},
	} {
		if err := get(); err != nil {
			t.Error(err)
		}
		sent := srv.Requests()
		if path := sent[len(sent)-1].Path; !strings.HasPrefix(path, "/"+string(version)+"/") {
			t.Errorf("asked for %s, want version %s", path, version)
		}
	}
	a, err := newest.Client(t.Context(), srv.StoreID())
	if err != nil {
		t.Fatal(err)
	}
	b, err := newest.Client(t.Context(), srv.StoreID())
	if err != nil || a != b {
		t.Errorf("two clients for one store, %v", err)
	}
	newest.Forget(srv.StoreID())
	if b, err = newest.Client(t.Context(), srv.StoreID()); err != nil || a == b {
		t.Errorf("the client was not forgotten, %v", err)
	}
	if api, err := newest.API(t.Context(), 0); err == nil || api != nil {
		t.Errorf("store 0: %v, %v; want an error", api, err)
	}
	newest.CloseIdleConnections()
}

func ignored[T any](_ T, err error) error { return err }

// A list of each store, for the functions that read many stores.
func ExampleListOf() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	token, err := srv.Install()
	if err != nil {
		fmt.Println(err)
		return
	}
	stores := &v202503.Stores{
		Config: client.Config{BaseURL: srv.URL(), UserAgent: "My App (dev@my.app)", HTTPClient: &http.Client{Transport: srv.Transport()}},
		Tokens: func(context.Context, client.ID) (oauth2.TokenSource, error) { return client.StaticToken(token), nil },
	}
	products := v202503.ListOf(stores, func(api *v202503.API) client.List[client.Product] {
		return api.Products.List(client.ProductFilter{Paging: client.Paging{PerPage: 1}})
	})
	list, err := products(context.Background(), srv.StoreID())
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := list.Page(context.Background())
	fmt.Println(len(page.Items), err)
	// Output: 1 <nil>
}
