package payments_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

func ExampleTransactionService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	mug, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name:     client.Text{"en": "Mug"},
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(1050)), Stock: client.Set(client.Stock(5))}},
	})
	if err != nil {
		log.Fatal(err)
	}
	order, err := v202503.Orders(c).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products: []client.OrderProductInput{{VariantID: mug.Variants[0].ID, Quantity: 2}},
	})
	if err != nil {
		log.Fatal(err)
	}
	// The app describes its payment provider once, when it is installed.
	cash := provider()
	cash.Methods = []payments.MethodOffer{{Type: payments.MethodTypeCash}}
	cash.Options[0].MethodTypes = []payments.MethodType{payments.MethodTypeCash}
	cash.Rates = nil
	providerID, err := v202503.PaymentProviders(c).Create(ctx, cash)
	if err != nil {
		log.Fatal(err)
	}
	price := payments.Amount{Value: order.Total, Currency: order.Currency}
	tx, err := v202503.Transactions(c).Create(ctx, order.ID, payments.TransactionInput{
		PaymentProviderID: providerID,
		PaymentMethod:     payments.PaymentMethodInput{Type: payments.MethodTypeCash},
		FirstEvent:        payments.EventInput{Amount: price, Type: payments.EventTypeSale, Status: payments.EventPending},
		Info:              payments.InfoInput{ExternalID: "receipt-1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tx.Status, tx.PaymentMethod.Type)

	// The money came: the event marks the transaction, and with it the order, as paid.
	if _, err := v202503.Transactions(c).CreateEvent(ctx, order.ID, tx.ID, payments.EventInput{Amount: price, Type: payments.EventTypeSale, Status: payments.EventSuccess}); err != nil {
		log.Fatal(err)
	}
	order, err = v202503.Orders(c).Get(ctx, order.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(order.PaymentStatus, order.TotalPaid())
	// Output:
	// pending cash
	// paid 21.00
}
