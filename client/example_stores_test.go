package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// An app of many stores has a token for each store, and gets its clients from one Stores.
func ExampleStores() {
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
	tokens := map[client.ID]client.Secret{} // the app's table of installations
	for _, s := range []*clienttest.Server{srv, second} {
		if tokens[s.StoreID()], err = s.Install(); err != nil {
			fmt.Println(err)
			return
		}
	}
	stores := &client.Stores{
		Config: client.Config{BaseURL: srv.URL(), UserAgent: "My App (dev@my.app)", HTTPClient: &http.Client{Transport: srv.Transport()}},
		Tokens: func(_ context.Context, store client.ID) (oauth2.TokenSource, error) {
			token, ok := tokens[store]
			if !ok {
				return nil, errors.New("the app is not installed")
			}
			return client.StaticToken(token), nil
		},
	}
	for _, store := range []client.ID{1001, 1002, 1003} {
		c, err := stores.Client(ctx, store)
		if err != nil {
			fmt.Println(err)
			continue
		}
		mug, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug of " + store.String()}})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(mug.Name["en"])
	}
	// Output:
	// Mug of 1001
	// Mug of 1002
	// client: token source of store 1003: the app is not installed
}

// A list of each store, for functions that read many stores.
func ExampleByStore() {
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
	stores := &client.Stores{
		Config: client.Config{BaseURL: srv.URL(), UserAgent: "My App (dev@my.app)", HTTPClient: &http.Client{Transport: srv.Transport()}},
		Tokens: func(context.Context, client.ID) (oauth2.TokenSource, error) { return client.StaticToken(token), nil },
	}
	products := client.ByStore(stores, func(c *client.Client) client.List[client.Product] {
		return v202503.Products(c).List(client.ProductFilter{Paging: client.Paging{PerPage: 1}})
	})
	list, err := products(context.Background(), srv.StoreID())
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := list.Page(context.Background())
	fmt.Println(len(page.Items), err)
	_, err = products(context.Background(), 0)
	fmt.Println(err)
	// Output:
	// 1 <nil>
	// client: Config.StoreID 0: must be the id of a store
}
