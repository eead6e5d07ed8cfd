package main

import (
	"context"
	"crypto/rsa"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// processor takes whatever a customer wants to pay.
func processor(api *v202503.API, platformKeys []*rsa.PublicKey, now func() time.Time) *payments.ProcessHandler {
	// README: payments
	process := &payments.ProcessHandler{
		Callback: payments.Callback{Keys: platformKeys, Origin: "https://pay.example"}, // keys by payments.ParseKeys
		Process: func(ctx context.Context, r payments.ProcessRequest) (any, error) {
			sale := payments.EventInput{Amount: r.Amount, Type: payments.EventTypeSale, Status: payments.EventSuccess, AuthorizationCode: "OK-1"}
			info := payments.InfoInput{ExternalID: "sale-1", Installments: client.Set(payments.InstallmentsInput{Quantity: 1})}
			// An app of many stores asks its client.Stores for the client of r.StoreID.
			_, err := api.Transactions.Create(ctx, r.OrderID, r.Transaction(sale, info))
			return nil, err // the order is paid by the event, not by this answer
		},
	}
	// end
	process.Now = now
	return process
}

// pays takes a second payment for an order that has one.
func pays(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	key, err := platform.PaymentKey()
	if err != nil {
		return err
	}
	first, err := platform.Charge(client.MustMoney("25.50"))
	if err != nil {
		return err
	}
	api := v202503.New(platform.Client())
	tx, err := api.Transactions.Get(ctx, first.OrderID, first.TransactionID)
	if err != nil {
		return err
	}
	process := processor(api, []*rsa.PublicKey{key}, platform.Clock().Now)
	if err := process.Check(); err != nil {
		return err
	}
	if err := platform.Partner("https://pay.example", process); err != nil {
		return err
	}
	if err := platform.SetPaymentURLs(clienttest.PaymentURLs{Process: "https://pay.example/process"}); err != nil {
		return err
	}
	call, err := platform.ProcessPayment(ctx, clienttest.PaymentAttempt{
		OrderID: first.OrderID, ProviderID: tx.PaymentProviderID, MethodType: "credit_card", MethodID: "visa", Amount: client.Cents(100),
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "payment:", call.Status, call.Outcome)
	return nil
}
