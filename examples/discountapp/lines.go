package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// lines plans the two offers on lines. A piece is in one of them at most: what the
// bundle takes does not count for three for two.
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

// discount takes so many hundredths off each line.
func discount(p *discounts.LinePlan, of offer, basket []discounts.Line, off []int64) error {
	promotion, ok := p.Named(of.Promotion)
	if !ok {
		return nil // the merchant has switched it off
	}
	for i, line := range basket {
		if off[i] == 0 {
			continue
		}
		amount, err := discounts.Minor(off[i])
		if err != nil {
			return err
		}
		p.Discount(promotion, line, amount)
		p.Show(promotion, of.Text)
	}
	return nil
}

// threeForTwo gives the cheapest of three pieces of a category away.
type threeForTwo struct {
	offer
	Category string `json:"category"` // its handle

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
	slices.SortStableFunc(in, func(a, b int) int { return cmp.Compare(cents(basket[a].Price), cents(basket[b].Price)) })
	off := make([]int64, len(basket))
	gifts := pieces / 3
	for _, i := range in {
		n := min(gifts, free[i])
		off[i] = n * cents(basket[i].Price)
		gifts -= n
	}
	return discount(p, o.offer, basket, off)
}

// bundle is a kit that costs less than its parts.
type bundle struct {
	offer
	SKUs  []string     `json:"skus"`
	Price client.Money `json:"price"`

	products []client.ID
}

func (o *bundle) plan(p *discounts.LinePlan, basket []discounts.Line, free []int64) error {
	at := make([]int, len(o.products)) // the line of each part
	kits, full := int64(-1), int64(0)
	for n, product := range o.products {
		i := slices.IndexFunc(basket, func(l discounts.Line) bool { return l.ProductID == product })
		if i < 0 {
			return nil
		}
		if at[n] = i; kits < 0 || free[i] < kits {
			kits = free[i]
		}
		full += cents(basket[i].Price)
	}
	saving := (full - cents(o.Price)) * kits
	if kits <= 0 || saving <= 0 {
		return nil
	}
	// Each part bears its share. What rounding left goes by hundredths to parts that cost more than their share: a free
	// one has nothing to take it off.
	off := make([]int64, len(basket))
	left := saving
	for _, i := range at {
		free[i] -= kits
		off[i] = saving * cents(basket[i].Price) / full
		left -= off[i]
	}
	for _, i := range at {
		if left > 0 && off[i] < kits*cents(basket[i].Price) {
			off[i]++
			left--
		}
	}
	return discount(p, o.offer, basket, off)
}
