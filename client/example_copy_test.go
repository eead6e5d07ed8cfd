package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleCopy() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()
	product(ctx, c)

	rows := &shelf{} // a real app uses a database and sqlcopy.Mirror
	products := &client.Copy[client.Product]{
		List:   v202503.Products(c).List(client.ProductFilter{}),
		Mirror: &mirrorOf[client.Product]{shelf: rows, id: func(p *client.Product) client.ID { return p.ID }},
	}
	if err := products.Run(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(rows.rows), "product")

	for id := range rows.rows { // the webhook product/deleted
		if err := v202503.Products(c).Delete(ctx, id); err != nil {
			log.Fatal(err)
		}
		if err := products.Deleted(ctx, id); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(rows.rows), "products")
	// Output:
	// 1 product
	// 0 products
}
