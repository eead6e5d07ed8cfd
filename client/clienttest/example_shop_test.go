package clienttest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"

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
	c := srv.Client()
	mugs, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1000))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	people, err := v202503.Customers(c).List(client.CustomerFilter{}).Page(ctx)
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

// Two visitors want the same coupon, which may be used once.
func ExampleBasket_Buy() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	c := srv.Client()
	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1250))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := v202503.Coupons(c).Create(ctx, client.CouponInput{
		Code: "ONCE", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000)), MaxUses: client.Set(client.Int(1)),
	}); err != nil {
		log.Fatal(err)
	}
	if _, err := addCarrier(ctx, srv, nil); err != nil { // a carrier of the app, with an option
		log.Fatal(err)
	}
	post := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // shipping.Handler in an app
		fmt.Fprint(w, `{"rates":[{"name":"Two days","code":"standard","price":6,"currency":"ARS","type":"ship","reference":"r"}]}`)
	})
	if err := srv.Partner("https://post.example", post); err != nil {
		log.Fatal(err)
	}
	buy := func() (clienttest.Bought, error) {
		basket, err := srv.Shop().NewCart(clienttest.Visitor{})
		if err != nil {
			log.Fatal(err)
		}
		if _, err := basket.Add(ctx, mug.Variants[0].ID, 2); err != nil {
			log.Fatal(err)
		}
		if _, err := basket.ApplyCoupon(ctx, "ONCE"); err != nil {
			log.Fatal(err)
		}
		quote, err := basket.Quote(ctx, clienttest.ShippingAddress{Country: "AR", PostalCode: "2000"})
		if err != nil {
			log.Fatal(err)
		}
		return basket.Buy(ctx, clienttest.Purchase{
			Contact: clienttest.Contact{Name: "Ana Paz", Email: "ana@mail.example"}, Rate: quote.Options[0].Choice(),
		})
	}

	bought, err := buy()
	if err != nil {
		log.Fatal(err)
	}
	order, err := v202503.Orders(c).Get(ctx, bought.OrderID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.Subtotal, "-", order.DiscountCoupon, "+", bought.Shipping, "=", order.Total, order.PaymentStatus)

	_, err = buy()
	fmt.Println(errors.Is(err, clienttest.ErrPurchaseRefused))
	// Output:
	// 25.00 - 2.50 + 7.50 = 30.00 pending
	// true
}

// A customer leaves before paying, the app sends a reminder with a coupon, and the customer comes back.
func ExampleBasket_Abandon() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	c := srv.Client()
	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1250))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	shop := srv.Shop()
	basket, err := shop.NewCart(clienttest.Visitor{})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := basket.Add(ctx, mug.Variants[0].ID, 2); err != nil {
		log.Fatal(err)
	}
	if _, err := basket.SetContact(ctx, clienttest.Contact{Name: "Ana Paz", Email: "ana@mail.example"}); err != nil {
		log.Fatal(err)
	}
	id, err := basket.Abandon(ctx)
	if err != nil {
		log.Fatal(err)
	}

	left, err := v202503.Checkouts(c).Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(left.ContactEmail, left.Total)
	coupon, err := v202503.Coupons(c).Create(ctx, client.CouponInput{
		Code: "BACK", Type: client.CouponPercentage, Value: client.Set(client.Cents(1000)),
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := v202503.Checkouts(c).AttachCoupon(ctx, id, coupon.ID); err != nil {
		log.Fatal(err)
	}

	bought, err := shop.Checkout(id).Buy(ctx, clienttest.Purchase{})
	fmt.Println(bought.Total, err)
	// Output:
	// ana@mail.example 25.00
	// 22.50 <nil>
}

// The customer comes back to a checkout that was abandoned.
func ExampleShop_Checkout() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	c := srv.Client()
	left, err := v202503.Checkouts(c).List(client.CheckoutFilter{}).Page(ctx)
	if err != nil {
		log.Fatal(err)
	}
	bought, err := srv.Shop().Checkout(left.Items[0].ID).Buy(ctx, clienttest.Purchase{}) // with the contact that it has
	if err != nil {
		log.Fatal(err)
	}
	done, err := v202503.Checkouts(c).Get(ctx, left.Items[0].ID)
	fmt.Println(bought.Total.Cmp(done.Total) == 0, !done.CompletedAt.IsZero(), err)
	// Output:
	// true true <nil>
}
