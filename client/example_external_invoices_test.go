package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/unstable"
)

func ExampleExternalInvoiceService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	const key = "35260100000000000191550010000000421000000428"
	for order, err := range unstable.Orders(c).List(client.OrderFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		if order.Storefront == client.StorefrontMarketplace {
			continue // the platform rejects invoices of imported orders
		}
		in := client.ExternalInvoiceInput{Key: key, Series: client.Set("1"), Number: client.Set("42")}
		if _, err := unstable.ExternalInvoices(c).Create(ctx, order.ID, in); err != nil {
			log.Fatal(err)
		}
		cancelled := client.ExternalInvoiceInput{Status: client.ExternalInvoiceCancelled}
		if err := unstable.ExternalInvoices(c).Update(ctx, order.ID, key, cancelled); err != nil {
			log.Fatal(err)
		}
		invoice, err := unstable.ExternalInvoices(c).Get(ctx, order.ID, key)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(invoice.Number, invoice.Status, invoice.Subtype)
		break
	}
	// Output:
	// 42 Cancelled sale
}
