package main

import (
	"context"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
)

// tiers take a percentage off the cart that grows with the cart.
type tiers struct {
	offer
	Steps []step // the lowest first
}

type step struct {
	From, Percent client.Money
}

func (o *tiers) plan(_ context.Context, p *discounts.CrossPlan) error {
	promotion, ok := p.Named(o.Promotion)
	if !ok {
		return nil // the merchant has switched it off
	}
	for _, s := range o.Steps {
		if p.Cart().Totals.Subtotal.Cmp(s.From) < 0 {
			break
		}
		percent, err := discounts.Percent(s.Percent)
		if err != nil {
			return err
		}
		p.Discount(promotion, percent) // the last discount is used
		p.Show(promotion, o.Text)
	}
	return nil
}
