package carts

import (
	"context"
	"io"
	"net/http"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/discounts"
)

// ours returns the handler of this module with its defaults, and its resources.
func ours() (http.Handler, io.Closer, error) {
	fifty, err := discounts.BasisPoints(5000)
	if err != nil {
		return nil, nil, err
	}
	promotion := promotions.Promotion{ID: uuid.MustParse(half), Name: "Half", Tier: promotions.TierLineItems, Active: true}
	cache := &discounts.PromotionCache{Load: func(context.Context, client.ID) ([]promotions.Promotion, error) {
		return []promotions.Promotion{promotion}, nil
	}}
	h := &discounts.Handler{
		Guarded: true, Promotions: cache,
		Plans: discounts.Plans{LineItems: func(_ context.Context, p *discounts.LinePlan) error {
			offer, _ := p.Promotion(promotion.ID)
			for _, line := range p.Lines() {
				p.Discount(offer, line, fifty)
			}
			return nil
		}},
	}
	return h, cache, h.Check()
}
