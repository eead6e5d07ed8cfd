package clienttest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// The calls that a payment app gets, from a payment that is tried to one that is given up.
func ExampleServer_ProcessPayment() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	order, err := srv.Charge(client.Cents(2550))
	if err != nil {
		log.Fatal(err)
	}
	tx, err := v202503.Transactions(srv.Client()).Get(ctx, order.OrderID, order.TransactionID)
	if err != nil {
		log.Fatal(err)
	}
	app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // the handlers of package payments in an app
		switch r.URL.Path {
		case "/process":
			w.WriteHeader(http.StatusCreated)
		case "/status":
			_, _ = io.WriteString(w, `{"transactions":[]}`)
		}
	})
	if err := srv.Partner("https://pay.example", app); err != nil {
		log.Fatal(err)
	}
	err = srv.SetPaymentURLs(clienttest.PaymentURLs{
		Process: "https://pay.example/process", Cancel: "https://pay.example/cancel", Status: "https://pay.example/status",
	})
	if err != nil {
		log.Fatal(err)
	}

	tried, err := srv.ProcessPayment(ctx, clienttest.PaymentAttempt{
		OrderID: order.OrderID, ProviderID: tx.PaymentProviderID, MethodType: "credit_card", MethodID: "visa", Amount: client.Cents(100),
	})
	fmt.Println(tried.Kind, tried.Status, err)
	call, err := srv.PaymentStatus(ctx, tx.PaymentProviderID, order.OrderID)
	fmt.Println(call.Kind, call.Outcome, err)
	call, err = srv.CancelPayment(ctx, tx.PaymentProviderID, tried.Attempt) // until it is answered 200
	fmt.Println(call.Kind, call.Outcome, err)
	// Output:
	// process 201 <nil>
	// status accepted <nil>
	// cancel accepted <nil>
}

// The platform gets new credentials of a store when the old ones have run out.
func ExampleServer_RefreshPaymentToken() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	app := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"access_token":"new","refresh_token":"next","expires_in":3600}`)
	})
	if err := srv.Partner("https://pay.example", app); err != nil {
		log.Fatal(err)
	}
	order, err := srv.Charge(client.Cents(2550))
	if err != nil {
		log.Fatal(err)
	}
	tx, err := v202503.Transactions(srv.Client()).Get(ctx, order.OrderID, order.TransactionID)
	if err != nil {
		log.Fatal(err)
	}
	// Package payments has types for this.
	provider := client.Request{Path: "/payment_providers/{id}", Args: []any{tx.PaymentProviderID}}
	if err := srv.Client().Do(ctx, provider, &provider.Body); err != nil {
		log.Fatal(err)
	}
	provider.Body.(fields)["authentication"] = fields{
		"type": "oauth", "client_id": "store-7", "client_secret": "s3cret", "refresh_token": "last", "refresh_token_url": "https://pay.example/refresh",
	}
	provider.Method, provider.Secrets = http.MethodPut, true
	if err := srv.Client().Do(ctx, provider, nil); err != nil {
		log.Fatal(err)
	}
	call, err := srv.RefreshPaymentToken(ctx, tx.PaymentProviderID)
	fmt.Println(call.Kind, call.Status, call.Outcome, err)
	// Output:
	// refresh 200 accepted <nil>
}

// A customer who is known buys a mug, and the order is paid. An app that counts what its customers spend handles the
// webhook order/paid.
func ExampleServer_Pay() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx, c := context.Background(), srv.Client()
	ana, err := v202503.Customers(c).Create(ctx, client.CustomerInput{Name: "Ana Paz", Email: "ana@mail.example"})
	if err != nil {
		log.Fatal(err)
	}
	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(2000))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	cart, err := srv.Shop().NewCart(clienttest.Visitor{CustomerID: ana.ID})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := cart.Add(ctx, mug.Variants[0].ID, 2); err != nil {
		log.Fatal(err)
	}
	bought, err := cart.Buy(ctx, clienttest.Purchase{})
	if err != nil {
		log.Fatal(err)
	}
	paid, err := srv.Pay(bought.OrderID)
	if err != nil {
		log.Fatal(err)
	}
	order, err := v202503.Orders(c).Get(ctx, bought.OrderID)
	fmt.Println(paid.Amount, order.PaymentStatus, order.Customer.ID == ana.ID, err)
	// Output:
	// 40.00 paid true <nil>
}
