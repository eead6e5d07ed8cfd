package main

import (
	"context"
	"crypto/rsa"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// processor takes each payment of a customer once. The ledger is a sqlledger.Ledger; nil means the memory of the
// process.
func processor(c *client.Client, ledger payments.Ledger, platformKeys []*rsa.PublicKey, now func() time.Time) *payments.ProcessHandler {
	// README: payments
	cashier := &payments.Cashier{
		Ledger: ledger, // a sqlledger.Ledger, shared by all replicas
		Charge: func(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			// Call the bank here, with p.Key as the idempotency key.
			sale := providers.EventInput{Amount: p.Amount, Type: providers.EventTypeSale, Status: providers.EventSuccess, AuthorizationCode: "OK-1"}
			info := providers.InfoInput{Installments: client.Set(providers.InstallmentsInput{Quantity: 1})}
			return p.Transaction(sale, info), nil, nil // the order is paid by the event, not by the answer
		},
		Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) {
			return v202503.Transactions(c), nil // an app of many stores uses client.ByStore
		},
	}
	process := &payments.ProcessHandler{
		Callback: payments.Callback{Keys: platformKeys, Origin: "https://pay.example"}, // keys from payments.ParseKeys
		Process:  cashier.Process,
	}
	// end
	cashier.Now, process.Now = now, now
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
	c := platform.Client()
	tx, err := v202503.Transactions(c).Get(ctx, first.OrderID, first.TransactionID)
	if err != nil {
		return err
	}
	process := processor(c, nil, []*rsa.PublicKey{key}, platform.Clock().Now)
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
