package main

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// change is an update of a variant and the expected price.
type change struct {
	what  string
	input client.VariantInput
	price *client.Money
}

// changePrices changes variants, reads each of them back and reverts the change.
func (s *session) changePrices(ctx context.Context) error {
	variants := s.priced(3)
	if len(variants) == 0 {
		s.t.note("skipped: no imported variant has a price")
		return nil
	}
	for i := range 3 {
		v := variants[i%len(variants)]
		if err := s.changePrice(ctx, v, changes(*v.Price)[i]); err != nil {
			return err
		}
	}
	return nil
}

// priced returns the first variants that have a price and no promotional price, of different products.
func (s *session) priced(n int) []client.Variant {
	var found []client.Variant
	for _, p := range s.catalog.products {
		if p.made == nil || len(found) == n {
			continue
		}
		for _, v := range p.made.Variants {
			if v.Price != nil && v.Price.Cmp(client.Cents(1)) > 0 && v.PromotionalPrice == nil {
				found = append(found, v)
				break
			}
		}
	}
	return found
}

// changes are the three kinds of change of a price.
func changes(price client.Money) []change {
	dearer, err := price.Add(client.Cents(100))
	if err != nil { // more than 18 digits
		dearer = client.Cents(100)
	}
	return []change{
		{"a value", client.VariantInput{Price: client.Set(dearer)}, &dearer},
		{"null, so that customers ask for it", client.VariantInput{Price: client.Null[client.Money]()}, nil},
		{"absent, with a promotional price of 0.01", client.VariantInput{PromotionalPrice: client.Set(client.Cents(1))}, &price},
	}
}

func (s *session) changePrice(ctx context.Context, v client.Variant, c change) error {
	if _, err := v202503.Variants(s.client).Update(ctx, v.ProductID, v.ID, c.input); err != nil {
		return err
	}
	s.inbox.expect(webhook.ProductUpdated, v.ProductID)
	got, err := v202503.Variants(s.client).Get(ctx, v.ProductID, v.ID)
	if err != nil {
		return err
	}
	var compared comparison
	compared.money("price", got.Price, client.NullIfNil(c.price))
	compared.money("promotional_price", got.PromotionalPrice, c.input.PromotionalPrice)
	s.t.check(len(compared.differ) == 0, "%-18s price %s, then %s: %s", show(v.SKU), show(v.Price), c.what, show(got.Price))
	s.t.list(compared.differ)
	_, err = v202503.Variants(s.client).Update(ctx, v.ProductID, v.ID, client.VariantInput{
		Price: client.NullIfNil(v.Price), PromotionalPrice: client.NullIfNil(v.PromotionalPrice),
	})
	return err
}
