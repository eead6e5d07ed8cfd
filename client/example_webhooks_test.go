package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleWebhookService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	if _, err := v202503.Webhooks(c).Create(ctx, client.WebhookInput{Event: "product/created", URL: "https://app.example/hooks"}); err != nil {
		log.Fatal(err)
	}
	for w, err := range v202503.Webhooks(c).List(client.WebhookFilter{}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(w.Event, w.URL)
	}
	// Output:
	// product/created https://app.example/hooks
}
