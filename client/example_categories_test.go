package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleCategoryService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	api := v202503.New(srv.Client())
	ctx := context.Background()

	kitchen, err := api.Categories.Create(ctx, client.CategoryInput{Name: client.Text{"en": "Kitchen"}})
	if err != nil {
		log.Fatal(err)
	}
	mugs, err := api.Categories.Create(ctx, client.CategoryInput{Name: client.Text{"en": "Mugs"}, Parent: client.Set(kitchen.ID)})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := api.Categories.Update(ctx, kitchen.ID, client.CategoryInput{Visibility: client.VisibilityHidden}); err != nil {
		log.Fatal(err)
	}
	for c, err := range api.Categories.List(client.CategoryFilter{ParentID: kitchen.ID}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Name.Get("en"), c.Visibility)
	}
	mugs, err = api.Categories.Update(ctx, mugs.ID, client.CategoryInput{Parent: client.Null[client.ID]()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("at the top:", mugs.Parent == nil)
	// Output:
	// Mugs soft-hidden
	// at the top: true
}
