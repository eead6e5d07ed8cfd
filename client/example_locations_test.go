package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleLocationService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	south, err := v202503.Locations(c).Create(ctx, client.LocationInput{
		Name: client.Text{"es_AR": "Depósito Sur"},
		Address: client.Set(client.LocationAddressInput{
			Zipcode: "2000", Street: "Mitre", City: "Rosario", Reference: "blue door",
			Province: client.NamedInput{Name: "Santa Fe", Code: "S"},
			Region:   client.NamedInput{Name: "Litoral", Code: "LIT"},
			Country:  client.NamedInput{Name: "Argentina", Code: "AR"},
		}),
	})
	if err != nil {
		log.Fatal(err)
	}
	south, err = v202503.Locations(c).MakeDefault(ctx, south.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(south.Name.Get("es_AR"), south.IsDefault, south.Tags)
	// Output:
	// Depósito Sur true [online offline]
}
