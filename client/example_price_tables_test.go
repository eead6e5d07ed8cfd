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
	c := srv.Client()
	ctx := context.Background()

	customers, err := v202503.Customers(c).List(client.CustomerFilter{}).Collect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	buyer := customers[0].ID
	// 5 percent off all products for orders of at least 300.00.
	table, err := v202503.PriceTables(c).Create(ctx, client.PriceTableInput{
		Name: "Wholesale", DefaultDiscount: client.Set(client.Cents(500)), CartMinimumPrice: client.Set(client.Cents(30000)),
	})
	if err != nil {
		log.Fatal(err)
	}
	// AddCustomers fails if one of them is in a table; EnsureCustomers may be repeated.
	for range 2 {
		if err := v202503.PriceTables(c).EnsureCustomers(ctx, table.ID, buyer); err != nil {
			log.Fatal(err)
		}
	}
	if err := v202503.PriceTables(c).ApproveCustomers(ctx, table.ID, buyer); err != nil {
		log.Fatal(err)
	}
	for c, err := range v202503.PriceTables(c).Customers(table.ID, client.PriceTableFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(table.Name, table.DefaultDiscount, c.ID == buyer, !c.ApprovedAt.IsZero())
	}
	// Output:
	// Wholesale 5.00 true true
}
