package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleEmailTemplateService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	for t, err := range v202503.EmailTemplates(c).List().All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		if t.Type != client.EmailOrderShipped {
			continue
		}
		in := client.EmailTemplateInput{Subject: client.Text{"es": "Tu pedido está en camino"}}
		if _, err := v202503.EmailTemplates(c).Update(ctx, t, in); err != nil {
			log.Fatal(err)
		}
		updated, err := v202503.EmailTemplates(c).Get(ctx, t.ID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(updated.Type, updated.Subject["es"])
	}
	// Output:
	// ordershipped Tu pedido está en camino
}
