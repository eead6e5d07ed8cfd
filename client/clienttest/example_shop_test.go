package clienttest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// What a customer can do with a cart. Discount apps are sent it after each change.
func ExampleBasket() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	api := v202503.New(srv.Client())
	mugs, err := api.Products.Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1000))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	people, err := api.Customers.List(client.CustomerFilter{}).Page(ctx)
	if err != nil {
		log.Fatal(err)
	}
	basket, err := srv.Shop().NewCart(clienttest.Visitor{Language: "es"})
	if err != nil {
		log.Fatal(err)
	}
	show := func(what string, c clienttest.Cart, err error) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-11s %5s\n", what, c.Total)
	}

	cart, err := basket.Add(ctx, mugs.Variants[0].ID, 2)
	show("two mugs", cart, err)
	line := cart.Lines[0].ID
	cart, err = basket.SetQuantity(ctx, line, 3)
	show("three", cart, err)
	cart, err = basket.SetDestination(ctx, clienttest.Destination{Country: "AR", City: "Rosario", Zipcode: "2000", Cost: client.Cents(500)})
	show("delivered", cart, err)
	cart, err = basket.ApplyCoupon(ctx, "FREESHIP")
	show("for nothing", cart, err)
	cart, err = basket.RemoveCoupon(ctx, "FREESHIP")
	show("no coupon", cart, err)
	cart, err = basket.SetCustomer(ctx, people.Items[0].ID)
	show("logged in", cart, err)
	cart, err = basket.SetPayment(ctx, clienttest.Payment{Method: "credit_card", CreditCardCompany: "visa", Installments: 3})
	show("by card", cart, err)
	_, err = basket.Remove(ctx, line)
	if err != nil {
		log.Fatal(err)
	}
	cart, err = basket.Cart()
	show("empty", cart, err)
	// Output:
	// two mugs    20.00
	// three       30.00
	// delivered   35.00
	// for nothing 30.00
	// no coupon   35.00
	// logged in   35.00
	// by card     35.00
	// empty        5.00
}
