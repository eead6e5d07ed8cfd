package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExamplePriceTableService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	api := v202503.New(srv.Client())
	ctx := context.Background()

	customers, err := api.Customers.List(client.CustomerFilter{}).Collect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	buyer := customers[0].ID
	// 5 percent off all products for orders of at least 300.00.
	table, err := api.PriceTables.Create(ctx, client.PriceTableInput{
		Name: "Wholesale", DefaultDiscount: client.Set(client.Cents(500)), CartMinimumPrice: client.Set(client.Cents(30000)),
	})
	if err != nil {
		log.Fatal(err)
	}
	// AddCustomers fails if one of them is in a table; EnsureCustomers may be repeated.
	for range 2 {
		if err := api.PriceTables.EnsureCustomers(ctx, table.ID, buyer); err != nil {
			log.Fatal(err)
		}
	}
	if err := api.PriceTables.ApproveCustomers(ctx, table.ID, buyer); err != nil {
		log.Fatal(err)
	}
	for c, err := range api.PriceTables.Customers(table.ID, client.PriceTableFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(table.Name, table.DefaultDiscount, c.ID == buyer, !c.ApprovedAt.IsZero())
	}
	// Output:
	// Wholesale 5.00 true true
}
