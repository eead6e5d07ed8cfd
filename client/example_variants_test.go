package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleVariantService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name:       client.Text{"en": "Mug"},
		Attributes: []client.Text{client.Plain("Size")},
		Variants:   []client.VariantInput{{Values: []client.Text{client.Plain("S")}, Stock: client.Set(client.Stock(5))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	small := client.StockTarget{VariantID: mug.Variants[0].ID}
	if _, err := v202503.Variants(c).AdjustStock(ctx, mug.ID, small, -2); err != nil {
		log.Fatal(err)
	}
	// S remains and M is new. Other variants of the product would be deleted.
	variants, err := v202503.Variants(c).Replace(ctx, mug.ID, []client.VariantInput{
		{Values: []client.Text{client.Plain("S")}, Price: client.Set(client.Cents(900))},
		{Values: []client.Text{client.Plain("M")}, Price: client.Set(client.Cents(1100)), Stock: client.Set(client.Stock(7))},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range variants {
		fmt.Println(v.Values[0], v.Price, *v.Stock)
	}
	// Output:
	// S 9.00 3
	// M 11.00 7
}

func ExampleDuplicateVariantIDs() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name:       client.Text{"en": "Mug"},
		Attributes: []client.Text{client.Plain("Size")},
		Variants:   []client.VariantInput{{Values: []client.Text{client.Plain("S")}}, {Values: []client.Text{client.Plain("M")}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	small := mug.Variants[0].ID
	_, err = v202503.Variants(c).Patch(ctx, mug.ID, []client.VariantPatch{
		{ID: small, VariantInput: client.VariantInput{Values: []client.Text{client.Plain("M")}}},
	})
	for _, id := range client.DuplicateVariantIDs(err) {
		fmt.Println("repeated:", id == small)
	}
	// Output:
	// repeated: true
}
