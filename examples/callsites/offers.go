package main

import (
	"context"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/oauth"
)

// discounter takes ten percent off each cart.
func discounter(ctx context.Context, c *client.Client, storeID client.ID, platform string) (*discounts.Handler, error) {
	// README: discounts
	_, _, err := v202503.Promotions(c).CreateOrGet(ctx, promotions.Input{Name: "Welcome", Tier: promotions.TierCrossItems, Active: client.Set(true)})
	if err != nil {
		return nil, err
	}
	tenPercent, err := discounts.Percent(client.MustMoney("10"))
	if err != nil {
		return nil, err
	}
	sources, err := client.ListedSources(platform, "") // addresses that send carts; 127.0.0.1 if the platform is on your machine
	if err != nil {
		return nil, err
	}
	carts := &discounts.Handler{
		Plans: discounts.Plans{CrossItems: func(ctx context.Context, p *discounts.CrossPlan) error {
			if offer, ok := p.Named("Welcome"); ok { // and the merchant has not switched it off
				p.Discount(offer, tenPercent)
			}
			return nil // discounts that are not in p are removed from the cart
		}},
		Promotions: &discounts.PromotionCache{Load: func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
			if store != storeID { // the app is in one store; an app of many uses discounts.LoadBy
				return nil, oauth.ErrNotInstalled // carts of other stores are answered 310
			}
			return v202503.Promotions(c).List().Collect(ctx)
		}},
		Sources: sources,
	}
	err = v202503.Discounts(c).Set(ctx, "https://app.example/carts") // where carts is mounted
	// end
	return carts, err
}

// discounted makes a customer fill a cart.
func discounted(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	c := platform.Client()
	carts, err := discounter(ctx, c, platform.StoreID(), "192.0.2.1") // where this platform calls from
	if err != nil {
		return err
	}
	defer func() { _ = carts.Promotions.Close() }()
	if err := carts.Check(); err != nil {
		return err
	}
	if err := platform.Partner("https://app.example", carts); err != nil {
		return err
	}
	mug, err := importMug(ctx, c)
	if err != nil {
		return err
	}
	basket, err := platform.Shop().NewCart(clienttest.Visitor{})
	if err != nil {
		return err
	}
	cart, err := basket.Add(ctx, mug.Variants[0].ID, 2)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "a cart of", cart.Subtotal, "costs", cart.Total)
	return nil
}
