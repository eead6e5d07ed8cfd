package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

// wiring

// offers answers the carts of all stores. With PostgreSQL there can be other replicas, which a broadcast reaches.
func (a *app) offers() *discounts.Handler {
	a.Promotions = &discounts.PromotionCache{Load: discounts.LoadBy(client.ByStore(a.Stores, v202503.Promotions))}
	if inbox, ok := a.Inbox.(*postgres.Inbox); ok {
		a.Promotions.Broadcast = inbox.Broadcast()
	}
	return &discounts.Handler{Plans: discounts.Plans{LineItems: a.plan}, Sources: a.carts, Promotions: a.Promotions}
}

// end of wiring

// gift is the name of the promotion, as the merchant sees it.
const gift = "A gift from us"

// promotion is registered in each store.
var promotion = promotions.Input{Name: gift, Tier: promotions.TierLineItems, Active: client.Set(true)}

var offerTables = []string{
	// The merchants' changes of the offer.
	`CREATE TABLE IF NOT EXISTS offer (
		store_id BIGINT PRIMARY KEY,
		tag      TEXT NOT NULL,
		most     TEXT NOT NULL)`, // price; empty for any
}

// offer is a merchant's decision.
type offer struct {
	Tag  string // products with it are gifts
	Most string // the highest price of a gift; empty for any
}

// offerOf returns the offer of a store.
func (a *app) offerOf(ctx context.Context, store client.ID) (offer, error) {
	o := offer{Tag: "gift"}
	err := a.db.QueryRowContext(ctx, "SELECT tag, most FROM offer WHERE store_id = $1", store).Scan(&o.Tag, &o.Most)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return o, err
}

// check describes why an offer of a form is rejected, in words for the merchant.
func (o offer) check() error {
	if o.Tag == "" || len(o.Tag) > 50 || strings.ContainsAny(o.Tag, ",\x00") || strings.TrimSpace(o.Tag) != o.Tag {
		return fmt.Errorf("The tag %q must have 1 to 50 letters and no comma.", o.Tag)
	}
	if price, err := client.ParseMoney(o.Most); o.Most != "" && (err != nil || price.Cmp(client.Cents(0)) <= 0) {
		return fmt.Errorf("The highest price %q must be an amount such as 10.00, or empty.", o.Most)
	}
	return nil
}

// setOffer stores the offer of a store. All replicas read it with the next cart. Products that have the tag of before,
// if there is one, get the new tag.
func (a *app) setOffer(ctx context.Context, store client.ID, before string, o offer) error {
	tx, err := a.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	_, err = tx.ExecContext(ctx, `INSERT INTO offer (store_id, tag, most) VALUES ($1, $2, $3)
		ON CONFLICT (store_id) DO UPDATE SET tag = excluded.tag, most = excluded.most`, store, o.Tag, o.Most)
	if err == nil && before != "" && before != o.Tag {
		err = a.rename(ctx, tx, store, before, o.Tag)
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

// plan makes one piece of the cheapest gift in the cart free, if something else is in the cart too.
func (a *app) plan(ctx context.Context, p *discounts.LinePlan) error {
	promotion, ok := p.Named(gift)
	if !ok {
		return nil // the merchant has switched it off
	}
	o, err := a.offerOf(ctx, p.Cart().StoreID)
	if err != nil {
		return err
	}
	var free *discounts.Line
	others := 0
	for _, line := range p.Lines() {
		is, err := a.isGift(ctx, p.Cart().StoreID, line.ProductID, o)
		switch {
		case err != nil:
			return err
		case !is:
			others++
		case o.allows(line.Price) && (free == nil || line.Price.Cmp(free.Price) < 0):
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

func (o offer) allows(price client.Money) bool {
	most, err := client.ParseMoney(o.Most)
	return price.Cmp(client.Cents(0)) > 0 && (o.Most == "" || err == nil && price.Cmp(most) <= 0)
}

// isGift reads the copy. The API would be too slow, since the platform waits 800 ms for the whole answer.
func (a *app) isGift(ctx context.Context, store, product client.ID, o offer) (bool, error) {
	var tags string
	row := a.db.QueryRowContext(ctx, "SELECT tags FROM product WHERE store_id = $1 AND id = $2", store, product)
	err := row.Scan(&tags)
	if errors.Is(err, sql.ErrNoRows) { // a new product, whose webhook has not arrived
		err = nil
	}
	return strings.Contains(tags, ","+o.Tag+","), err
}
