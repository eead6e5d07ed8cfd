package providers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
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
	cash.Methods = []providers.MethodOffer{{Type: providers.MethodTypeCash}}
	cash.Options[0].MethodTypes = []providers.MethodType{providers.MethodTypeCash}
	cash.Rates = nil
	providerID, err := v202503.PaymentProviders(c).Create(ctx, cash)
	if err != nil {
		log.Fatal(err)
	}
	price := providers.Amount{Value: order.Total, Currency: order.Currency}
	tx, err := v202503.Transactions(c).Create(ctx, order.ID, providers.TransactionInput{
		PaymentProviderID: providerID,
		PaymentMethod:     providers.PaymentMethodInput{Type: providers.MethodTypeCash},
		FirstEvent:        providers.EventInput{Amount: price, Type: providers.EventTypeSale, Status: providers.EventPending},
		Info:              providers.InfoInput{ExternalID: "receipt-1"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tx.Status, tx.PaymentMethod.Type)

	// The money came: the event marks the transaction, and with it the order, as paid.
	if _, err := v202503.Transactions(c).CreateEvent(ctx, order.ID, tx.ID, providers.EventInput{Amount: price, Type: providers.EventTypeSale, Status: providers.EventSuccess}); err != nil {
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
