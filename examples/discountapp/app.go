package main

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/oauth"
)

// app is a discount app in one store.
type app struct {
	client     *client.Client
	store      client.ID
	offers     *offers
	promotions *discounts.PromotionCache
	carts      *discounts.Handler
}

// newApp makes the handler of carts that come from the given addresses.
func newApp(c *client.Client, store client.ID, o *offers, from ...netip.Prefix) (*app, error) {
	a := &app{client: c, store: store, offers: o}
	a.promotions = &discounts.PromotionCache{Load: func(ctx context.Context, of client.ID) ([]promotions.Promotion, error) {
		if of != store {
			return nil, oauth.ErrNotInstalled // the app is in one store: carts of others are answered 310
		}
		return v202503.Promotions(c).List().Collect(ctx)
	}}
	sources := &client.Sources{}
	sources.Set(from...)
	a.carts = &discounts.Handler{Plans: o.plans(), Promotions: a.promotions, Sources: sources}
	return a, a.carts.Check()
}

// install finds the products of the offers, creates missing promotions, and registers the address for carts.
func (a *app) install(ctx context.Context, language, address string) error {
	if err := a.find(ctx, language); err != nil {
		return err
	}
	known := map[string]bool{}
	for p, err := range v202503.Promotions(a.client).List().All(ctx) {
		if err != nil {
			return err
		}
		known[p.Name] = true
	}
	for name, tier := range map[string]promotions.Tier{
		a.offers.ThreeForTwo.Promotion: promotions.TierLineItems,
		a.offers.Bundle.Promotion:      promotions.TierLineItems,
		a.offers.Tiers.Promotion:       promotions.TierCrossItems,
	} {
		if known[name] {
			continue
		}
		if _, err := v202503.Promotions(a.client).Create(ctx, promotions.Input{
			Name: name, Tier: tier, Active: client.Set(true),
			CombinationInput: promotions.CombinationInput{WithAppDiscounts: client.Set(true)},
		}); err != nil {
			return err
		}
	}
	if err := a.promotions.Refresh(ctx, a.store); err != nil {
		return err
	}
	return v202503.Discounts(a.client).Set(ctx, address)
}

// find looks up the category and the products of the offers.
func (a *app) find(ctx context.Context, language string) error {
	o := &a.offers.ThreeForTwo
	found, err := v202503.Categories(a.client).List(client.CategoryFilter{Handle: o.Category, Language: language}).Collect(ctx)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("the store has no category %q", o.Category)
	}
	o.category = found[0].ID
	a.offers.Bundle.products = nil
	for _, sku := range a.offers.Bundle.SKUs {
		p, err := v202503.Products(a.client).BySKU(ctx, sku)
		if err != nil {
			return fmt.Errorf("product %q: %w", sku, err)
		}
		a.offers.Bundle.products = append(a.offers.Bundle.products, p.ID)
	}
	return nil
}

// close ends the background work.
func (a *app) close() { _ = a.promotions.Close() }
