package promotions_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// When it is installed, an app registers its promotions and the address that carts are sent to.
func ExamplePromotionService() {
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	id, err := v202503.Promotions(c).Create(ctx, promotions.Input{Name: "3 for 2", Tier: promotions.TierLineItems,
		Active: client.Set(true)})
	if err != nil {
		log.Fatal(err)
	}
	if err := v202503.Discounts(c).Set(ctx, "https://app.example/carts"); err != nil {
		log.Fatal(err)
	}
	if err := v202503.Promotions(c).Update(ctx, id, promotions.Update{Active: client.Set(false)}); err != nil {
		log.Fatal(err)
	}
	for p, err := range v202503.Promotions(c).List().All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Name, p.Tier, p.Active)
	}
	fmt.Println(v202503.Promotions(c).Delete(ctx, id))
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
	c := srv.Client()

	fmt.Println(v202503.Discounts(c).Set(context.Background(), "https://app.example/carts"))
	err = v202503.Discounts(c).Set(context.Background(), "https://localhost/carts")
	fmt.Println(errors.Is(err, client.ErrValidation))
	// Output:
	// <nil>
	// true
}
