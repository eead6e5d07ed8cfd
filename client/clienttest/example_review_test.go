package clienttest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// The merchant accepts a payment that looked like fraud.
func ExampleServer_ReviewPayment() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	ctx := context.Background()
	app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // a payments.ReviewHandler in an app
		fmt.Println(r.Method, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	})
	if err := srv.Partner("https://pay.example", app); err != nil {
		log.Fatal(err)
	}
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		log.Fatal(err)
	}
	tx, err := v202503.Transactions(srv.Client()).Get(ctx, charge.OrderID, charge.TransactionID)
	if err != nil {
		log.Fatal(err)
	}
	// Package payments has types for this.
	suspicious := client.Request{Method: http.MethodPost, Path: "/orders/{order_id}/transactions", Args: []any{charge.OrderID}, Body: fields{
		"payment_provider_id": tx.PaymentProviderID, "payment_method": fields{"type": "credit_card", "id": "visa"},
		"info": fields{"external_id": "sale-7", "installments": fields{"quantity": 1}},
		"first_event": fields{
			"type": "needs_merchant_review", "status": "success", "amount": fields{"value": "25.50", "currency": charge.Currency},
			"info": fields{"risk_level": "high", "accept_url": "https://pay.example/accept", "cancel_url": "https://pay.example/cancel"},
		},
	}}
	if err := srv.Client().Do(ctx, suspicious, tx); err != nil {
		log.Fatal(err)
	}
	call, err := srv.ReviewPayment(ctx, tx.ID, true)
	fmt.Println(call.Kind, call.Status, call.Outcome, err)
	// Output:
	// POST /accept
	// accept_review 204 accepted <nil>
}
