package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleMetafieldService_CreateOrGet() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}})
	if err != nil {
		log.Fatal(err)
	}
	in := client.MetafieldInput{Namespace: "my_app", Key: "size_guide", Value: "mugs", OwnerResource: client.MetafieldOwnerProduct, OwnerID: mug.ID}
	for _, value := range []string{"mugs", "mugs", "cups"} {
		in.Value = value
		field, made, err := v202503.Metafields(c).CreateOrGet(ctx, in)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(made, field.Value, in.Differences(field))
	}
	// Output:
	// true mugs []
	// false mugs []
	// false mugs [value]
}
