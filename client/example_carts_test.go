package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// A coupon brings a customer with an abandoned checkout back.
func ExampleCheckoutService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	coupon, _, err := v202503.Coupons(c).CreateOrGet(ctx, client.CouponInput{
		Code: "COMEBACK", Type: client.CouponPercentage, Value: client.Set(client.MustMoney("10")),
	})
	if err != nil {
		log.Fatal(err)
	}
	for checkout, err := range v202503.Checkouts(c).List(client.CheckoutFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		before := checkout.Total
		if checkout, err = v202503.Checkouts(c).AttachCoupon(ctx, checkout.ID, coupon.ID); err != nil {
			log.Fatal(err)
		}
		fmt.Println("cheaper now:", checkout.Total.Cmp(before) < 0, "- send the customer to", checkout.AbandonedCheckoutURL != "")
	}
	// Output: cheaper now: true - send the customer to true
}

// For a few hours a checkout is also a cart, which an app can change.
func ExampleDatedCartService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client() // v1 has no Carts.Get
	ctx := context.Background()

	for checkout, err := range v202503.Checkouts(c).List(client.CheckoutFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		cart, err := v202503.Carts(c).Get(ctx, checkout.ID) // both have the same id
		fmt.Println(cart.ID == client.Code(checkout.ID.String()), err)
		discounts, err := v202503.Carts(c).Discounts(ctx, checkout.ID)
		fmt.Println(len(discounts), "discounts of this app", err)
	}
	// Output:
	// true <nil>
	// 0 discounts of this app <nil>
}

// A line that cannot be delivered is removed from a cart.
func ExampleCartService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	for checkout, err := range v1.Checkouts(c).List(client.CheckoutFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		line := checkout.Products[0].ID
		fmt.Println(v1.Carts(c).RemoveLineItem(ctx, checkout.ID, line))
		err = v1.Carts(c).RemoveLineItem(ctx, checkout.ID, line)
		fmt.Println("again:", errors.Is(err, client.ErrNotFound))
	}
	// Output:
	// <nil>
	// again: true
}

// The price and the stock of a kit follow from its components.
func ExampleKitService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	found, err := v202503.Products(c).List(client.ProductFilter{Query: "Camping set"}).Page(ctx)
	if err != nil {
		log.Fatal(err)
	}
	kit, err := v202503.Kits(c).Get(ctx, found.Items[0].ID) // a kit is also a product
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range kit.Components {
		fmt.Println(c.Quantity, "x", c.Name.Get("en"))
	}
	// Output:
	// 2 x Enamel mug
	// 2 x Enamel plate
}
