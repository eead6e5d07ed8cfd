package discounts_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
)

// When it is installed, an app registers its promotions and the address that carts are sent to.
func ExamplePromotionService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	api := v202503.New(srv.Client())
	ctx := context.Background()

	id, err := api.Promotions.Create(ctx, discounts.Input{Name: "3 for 2", Tier: discounts.TierLineItems,
		Active: client.Set(true)})
	if err != nil {
		log.Fatal(err)
	}
	if err := api.Discounts.Set(ctx, "https://app.example/carts"); err != nil {
		log.Fatal(err)
	}
	if err := api.Promotions.Update(ctx, id, discounts.Update{Active: client.Set(false)}); err != nil {
		log.Fatal(err)
	}
	for p, err := range api.Promotions.List().All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Name, p.Tier, p.Active)
	}
	fmt.Println(api.Promotions.Delete(ctx, id))
	// Output:
	// 3 for 2 line_item false
	// <nil>
}

// Carts go to one address per store, which can be changed and not be taken away.
func ExampleCallbackService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	api := v202503.New(srv.Client())

	fmt.Println(api.Discounts.Set(context.Background(), "https://app.example/carts"))
	err = api.Discounts.Set(context.Background(), "https://localhost/carts")
	fmt.Println(errors.Is(err, client.ErrValidation))
	// Output:
	// <nil>
	// true
}
