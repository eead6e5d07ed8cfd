package apptables

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
)

// A customer pays. The bank moves the money, but its answer is lost, so the call is answered 503. Another replica
// continues when the call arrives there, with the same key.
func Example_ledger() {
	ctx := context.Background()
	platform, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer platform.Close()
	file := "ledger-example.db"
	defer func() { _ = errors.Join(os.Remove(file), os.Remove(file+"-wal"), os.Remove(file+"-shm")) }()
	db, err := connect(file) // sql.Open
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ledger := &sqlledger.Ledger{DB: db}
	if err := ledger.Migrate(ctx); err != nil {
		log.Fatal(err)
	}
	transactions := v202503.Transactions(platform.Client())
	moved := map[string]bool{} // by the bank, by key
	replica := func() *payments.Cashier {
		return &payments.Cashier{
			Ledger: ledger,
			Lease:  1, // an app leaves it as it is: nobody waits 15 s for an example
			Charge: func(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
				if !moved[p.Key] {
					moved[p.Key] = true
					fmt.Println("the bank moves", p.Amount.Value, p.Amount.Currency)
					return providers.TransactionInput{}, nil, errors.New("the bank does not answer")
				}
				return p.Transaction(
					providers.EventInput{
						Amount: p.Amount, Type: providers.EventTypeSale, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
					},
					providers.InfoInput{Installments: client.Set(providers.InstallmentsInput{Quantity: 1})},
				), nil, nil
			},
			Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) {
				return transactions, nil
			},
		}
	}
	order, err := platform.Charge(client.Cents(2550))
	if err != nil {
		log.Fatal(err)
	}
	first, err := transactions.Get(ctx, order.OrderID, order.TransactionID)
	if err != nil {
		log.Fatal(err)
	}
	call := payments.ProcessRequest{ // by a payments.ProcessHandler
		StoreID: platform.StoreID(), OrderID: order.OrderID, PaymentAttemptID: "a-1",
		PaymentProviderID: first.PaymentProviderID,
		PaymentMethod:     providers.PaymentMethod{Type: providers.MethodTypeCreditCard, ID: "visa"},
		Amount:            providers.Amount{Value: client.Cents(500), Currency: "ARS"},
	}
	for range 3 {
		_, err := replica().Process(ctx, call)
		fmt.Println("answered:", err)
	}
	all, err := transactions.List(order.OrderID).Collect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all)-1, "payment reported")
	// Output:
	// the bank moves 5.00 ARS
	// answered: the bank does not answer
	// answered: <nil>
	// answered: <nil>
	// 1 payment reported
}
