package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleStoreService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()

	store, err := v202503.Store(c).Get(context.Background(), "id", "main_language", "languages", "features")
	if err != nil {
		log.Fatal(err)
	}
	main := store.Languages[store.MainLanguage]
	fmt.Println(main.Active, len(main.Currency))
	fmt.Println("several locations:", store.HasFeature(client.FeatureInventoryLevels))
	// Output:
	// true 3
	// several locations: true
}
