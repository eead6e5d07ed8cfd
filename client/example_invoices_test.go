package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleInvoiceService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	for order, err := range v202503.Orders(c).List(client.OrderFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		invoices, err := v202503.Invoices(c).Put(ctx, order.ID, client.Invoice{Key: "5551", Link: "https://invoices.example/5551"})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(invoices), invoices[0].Link)
		break
	}
	// Output:
	// 1 https://invoices.example/5551
}
