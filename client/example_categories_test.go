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
	c := srv.Client()
	ctx := context.Background()

	kitchen, err := v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Kitchen"}})
	if err != nil {
		log.Fatal(err)
	}
	mugs, err := v202503.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": "Mugs"}, Parent: client.Set(kitchen.ID)})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := v202503.Categories(c).Update(ctx, kitchen.ID, client.CategoryInput{Visibility: client.VisibilityHidden}); err != nil {
		log.Fatal(err)
	}
	for c, err := range v202503.Categories(c).List(client.CategoryFilter{ParentID: kitchen.ID}).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Name.Get("en"), c.Visibility)
	}
	mugs, err = v202503.Categories(c).Update(ctx, mugs.ID, client.CategoryInput{Parent: client.Null[client.ID]()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("at the top:", mugs.Parent == nil)
	// Output:
	// Mugs soft-hidden
	// at the top: true
}
