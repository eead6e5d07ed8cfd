package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleProductService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name:       client.Text{"es": "Taza", "en": "Mug"},
		Tags:       client.Set(client.JoinTags("clay", "kitchen")),
		Attributes: []client.Text{client.Plain("Size")},
		Variants: []client.VariantInput{
			{Values: []client.Text{client.Plain("S")}, Price: client.Set(client.Cents(1050)), Stock: client.Set(client.Stock(5))},
			{Values: []client.Text{client.Plain("L")}, Price: client.Set(client.Cents(1290)), Stock: client.Set(client.StockUnlimited)},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Set the brand and disable free shipping. Other members are left unchanged.
	if _, err := v202503.Products(c).Update(ctx, mug.ID, client.ProductInput{Brand: client.Set("Potter"), FreeShipping: client.Set(false)}); err != nil {
		log.Fatal(err)
	}
	for p, err := range v202503.Products(c).List(client.ProductFilter{Published: client.Set(true)}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Name.Get("en"), *p.Brand, p.TagList())
		for _, v := range p.Variants {
			fmt.Println(v.Values[0], v.Price, "unlimited:", v.Stock == nil)
		}
	}
	// Output:
	// Mug Potter [clay kitchen]
	// S 10.50 unlimited: false
	// L 12.90 unlimited: true
}
