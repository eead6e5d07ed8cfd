package client_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// OnAttempt observes a call and each of its requests.
func ExampleConfig_onAttempt() {
	srv, err := clienttest.Start(clienttest.Options{})
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
	c, err := client.New(client.Config{
		BaseURL: srv.URL(), StoreID: srv.StoreID(), Token: client.StaticToken(token), UserAgent: "My App (dev@my.app)",
		HTTPClient: &http.Client{Transport: srv.Transport()},
		OnAttempt: func(ctx context.Context, a client.Attempt) (context.Context, func(client.AttemptEnd)) {
			what := "call"
			if a.Number > 0 {
				what = fmt.Sprint("attempt ", a.Number)
			}
			return ctx, func(e client.AttemptEnd) { fmt.Println(what, a.Method, a.Route, e.Status, e.Again) }
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := v202503.Products(c).Get(context.Background(), 42); err != nil {
		fmt.Println(err)
	}
	// Output:
	// attempt 1 GET /products/{id} 404 false
	// call GET /products/{id} 404 false
	// GET /products/{id}: 404 Not Found: Product with such id does not exist (request 1)
}
