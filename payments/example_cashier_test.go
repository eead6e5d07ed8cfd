package payments_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// Two customers give up. One has paid, and gets the money back, once. The payment of the other one arrives after its
// cancellation, and is not taken.
func ExampleCashier_Cancel() {
	ctx := context.Background()
	platform, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer platform.Close()
	transactions := v202503.Transactions(platform.Client())
	cashier := &payments.Cashier{ // with a sqlledger.Ledger, in an app
		Charge: func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
			fmt.Println("the bank reserves", p.Amount.Value, p.Amount.Currency)
			return p.Transaction(
				providers.EventInput{Amount: p.Amount, Type: providers.EventTypeAuthorization, Status: providers.EventSuccess},
				providers.InfoInput{Installments: client.Set(providers.InstallmentsInput{Quantity: 1})},
			), nil, nil
		},
		Void: func(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
			fmt.Println("the bank releases", v.Amount.Value, v.Amount.Currency) // for v.Key, or for v.PaymentKey
			return v.Event(providers.EventSuccess), nil
		},
		Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) { return transactions, nil },
	}
	paid, err := platform.Charge(client.Cents(2550)) // an order
	if err != nil {
		log.Fatal(err)
	}
	first, err := transactions.Get(ctx, paid.OrderID, paid.TransactionID)
	if err != nil {
		log.Fatal(err)
	}
	call := payments.ProcessRequest{ // by a payments.ProcessHandler
		StoreID: platform.StoreID(), OrderID: paid.OrderID, PaymentAttemptID: "a-1",
		PaymentProviderID: first.PaymentProviderID,
		PaymentMethod:     providers.PaymentMethod{Type: providers.MethodTypeCreditCard, ID: "visa"},
		Amount:            providers.Amount{Value: client.Cents(500), Currency: "ARS"},
	}
	if _, err := cashier.Process(ctx, call); err != nil {
		log.Fatal(err)
	}
	for range 2 { // by a payments.CancelHandler; the platform repeats it until it is answered 200
		fmt.Println("a-1 cancelled:", cashier.Cancel(ctx, "a-1"))
	}
	fmt.Println("a-2 cancelled:", cashier.Cancel(ctx, "a-2"))
	call.PaymentAttemptID = "a-2"
	_, err = cashier.Process(ctx, call)
	fmt.Println("a-2:", err)
	all, err := transactions.List(paid.OrderID).Collect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, tx := range all {
		fmt.Println("the platform knows:", tx.Status)
	}
	// Output:
	// the bank reserves 5.00 ARS
	// the bank releases 5.00 ARS
	// a-1 cancelled: <nil>
	// a-1 cancelled: <nil>
	// a-2 cancelled: <nil>
	// a-2: the attempt was cancelled before it was charged
	// the platform knows: paid
	// the platform knows: voided
}
