package contract

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// listProducts is the first program that README shows.
func listProducts(ctx context.Context, storeID client.ID) error {
	// README: the first call
	c, err := client.New(client.Config{
		BaseURL:   os.Getenv("COMMERCE_BASE_URL"),
		StoreID:   storeID, // from client.ParseID(os.Getenv("COMMERCE_STORE_ID"))
		Token:     client.StaticToken(client.Secret(os.Getenv("COMMERCE_TOKEN"))),
		UserAgent: "My App (dev@my.app)",
	})
	if err != nil {
		return err
	}
	for product, err := range v202503.Products(c).List(client.ProductFilter{}).All(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(product.ID, product.Name.Get("en", "es"))
	}
	// end
	return nil
}

func Example_firstCall() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		log.Fatal(err)
	}
	token, err := srv.Install()
	if err != nil {
		log.Fatal(err)
	}
	os.Setenv("COMMERCE_BASE_URL", srv.URL())
	os.Setenv("COMMERCE_TOKEN", string(token))
	ctx := context.Background()
	mug := client.ProductInput{Name: client.Text{"en": "Mug", "es": "Taza"}}
	if _, err := v202503.Products(srv.Client()).Create(ctx, mug); err != nil {
		log.Fatal(err)
	}
	if err := listProducts(ctx, srv.StoreID()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1000002 Mug
}
