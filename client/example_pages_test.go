package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleContentPageService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	about, err := v202503.Pages(c).Create(ctx, client.ContentPageInput{Publish: true, Texts: map[string]client.ContentPageText{
		"es_AR": {Title: "Nosotros", Content: client.Set("<p>Somos dos.</p>")},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(about.Name.Get("es_AR", "es"), about.Published)
	// Output:
	// Nosotros true
}
