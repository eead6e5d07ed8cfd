package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleCustomerService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	ana, err := v202503.Customers(c).Create(ctx, client.CustomerInput{
		Name: "Ana Paz", Email: "ana@example.com",
		Addresses: []client.CustomerAddressInput{{Address: "Mitre", Number: "15", City: "Rosario", Country: "AR", Default: client.Set(true)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := v202503.Customers(c).Update(ctx, ana.ID, client.CustomerInput{Note: client.Set("prefers mornings")}); err != nil {
		log.Fatal(err)
	}
	for c, err := range v202503.Customers(c).List(client.CustomerFilter{Query: "paz"}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Name, c.DefaultAddress.V.City, c.Note)
	}
	// Output:
	// Ana Paz Rosario prefers mornings
}
