package main

import (
	"context"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// lines plans the two offers on lines. A piece is in at most one of them. Pieces of the bundle do not count for three
// for two.
func (o *offers) lines(_ context.Context, p *discounts.LinePlan) error {
	basket := p.Lines()
	free := make([]int64, len(basket)) // pieces of each line that are in no offer yet
	for i, line := range basket {
		free[i] = int64(line.Quantity)
	}
	if err := o.Bundle.plan(p, basket, free); err != nil {
		return err
	}
	return o.ThreeForTwo.plan(p, basket, free)
}

// discount takes an amount off each line.
func discount(p *discounts.LinePlan, of offer, basket []discounts.Line, off []client.Money) error {
	promotion, ok := p.Named(of.Promotion)
	if !ok {
		return nil // the merchant has switched it off
	}
	for i, line := range basket {
		if off[i].Equal(client.Money{}) {
			continue
		}
		amount, err := discounts.Fixed(off[i])
		if err != nil {
			return err
		}
		p.Discount(promotion, line, amount)
		p.Show(promotion, of.Text)
	}
	return nil
}

// threeForTwo makes the cheapest of three pieces of a category free.
type threeForTwo struct {
	offer
	Category string // its handle

	category client.ID
}

func (o *threeForTwo) plan(p *discounts.LinePlan, basket []discounts.Line, free []int64) error {
	var in []int // the lines of the category, the cheapest first
	pieces := int64(0)
	for i, line := range basket {
		if line.In(o.category) {
			in, pieces = append(in, i), pieces+free[i]
		}
	}
	slices.SortStableFunc(in, func(a, b int) int { return basket[a].Price.Cmp(basket[b].Price) })
	off := make([]client.Money, len(basket))
	gifts := pieces / 3
	for _, i := range in {
		n := min(gifts, free[i])
		gifts -= n
		var err error
		if off[i], err = basket[i].Price.Mul(n); err != nil {
			return err
		}
	}
	return discount(p, o.offer, basket, off)
}

// bundle is a kit that costs less than its parts.
type bundle struct {
	offer
	SKUs  []string
	Price client.Money

	products []client.ID
}

func (o *bundle) plan(p *discounts.LinePlan, basket []discounts.Line, free []int64) error {
	at := make([]int, len(o.products)) // the line of each part
	prices := make([]client.Money, len(o.products))
	kits := int64(-1)
	for n, product := range o.products {
		i := slices.IndexFunc(basket, func(l discounts.Line) bool { return l.ProductID == product })
		if i < 0 {
			return nil
		}
		if at[n] = i; kits < 0 || free[i] < kits {
			kits = free[i]
		}
		prices[n] = basket[i].Price
	}
	full, err := client.Money{}.Add(prices...)
	if err != nil {
		return err
	}
	if kits <= 0 || full.Cmp(o.Price) <= 0 {
		return nil
	}
	saving, err := o.saving(full, kits)
	if err != nil {
		return err
	}
	shares, err := saving.SplitBy(prices, p.Cart().Currency) // a free part has no share
	if err != nil {
		return err
	}
	off := make([]client.Money, len(basket))
	for n, i := range at {
		free[i] -= kits
		off[i] = shares[n]
	}
	return discount(p, o.offer, basket, off)
}

// saving returns how much less a number of kits costs than their parts.
func (o *bundle) saving(full client.Money, kits int64) (client.Money, error) {
	each, err := full.Sub(o.Price)
	if err != nil {
		return client.Money{}, err
	}
	return each.Mul(kits)
}
