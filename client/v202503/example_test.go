package v202503_test

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// The same client serves several versions.
func ExampleStore() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	c := srv.Client() // client.New for a real platform
	store, err := v202503.Store(c).Get(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(store.Name.Get("en"), store.MainCurrency)
	// Output: Demo Store ARS
}
