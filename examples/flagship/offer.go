package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
)

// gift is the promotion, as the merchant sees it.
const gift = "A gift from us"

// wiring

// prepareOffer registers the promotion, and where carts are sent to.
func (a *app) prepareOffer(ctx context.Context, api *v202503.API) error {
	in := discounts.Input{Name: gift, Tier: discounts.TierLineItems, Active: client.Set(true)}
	_, _, err := api.Promotions.CreateOrGet(ctx, in)
	return errors.Join(err, api.Discounts.Set(ctx, a.hooksURL+"/carts"))
}

// offers answers the carts of all stores.
func (a *app) offers() *discounts.Handler {
	from := new(discounts.Sources)
	from.Set(a.cartsFrom...)
	return &discounts.Handler{
		Plans: discounts.Plans{LineItems: a.plan}, Sources: from,
		Registry: &discounts.Registry{Broadcast: a.db.broadcast, Load: discounts.LoadBy(a.stores.Promotions)},
	}
}

// end

// plan gives one piece of the cheapest product that the merchant has tagged "gift", if something else is in the cart
// too.
func (a *app) plan(ctx context.Context, p *discounts.LinePlan) error {
	promotion, ok := p.Named(gift)
	if !ok {
		return nil // the merchant has switched it off
	}
	var free *discounts.Line
	others := 0
	for _, line := range p.Lines() {
		is, err := a.isGift(ctx, p.Cart().StoreID, line.ProductID)
		switch {
		case err != nil:
			return err
		case !is:
			others++
		case line.Price.Cmp(client.Cents(0)) > 0 && (free == nil || line.Price.Cmp(free.Price) < 0):
			free = &line
		}
	}
	if free == nil || others == 0 {
		return nil
	}
	amount, err := discounts.Fixed(free.Price)
	if err != nil {
		return err
	}
	p.Discount(promotion, *free, amount)
	p.Show(promotion, map[string]string{"es": "Un regalo nuestro", "en": "A gift from us"})
	return nil
}

// isGift reads the copy. The API would be too slow, since the platform waits 800 ms for the whole answer.
func (a *app) isGift(ctx context.Context, store, product client.ID) (is bool, err error) {
	var n int
	err = a.db.QueryRowContext(ctx, "SELECT gift FROM product WHERE store_id = $1 AND id = $2", store, product).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) { // it is new, and its webhook on its way
		err = nil
	}
	return n == 1, err
}
