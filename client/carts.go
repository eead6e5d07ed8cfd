package client

import (
	"context"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Cart is a cart of the storefront. The contract names none of its members, so all members except the id are in Extra.
type Cart struct {
	ID    Code  `json:"id"`
	Extra Extra `json:",embed"`
}

// CartDiscount is a promotion of the app that applies to a cart.
type CartDiscount struct {
	PromotionID uuid.UUID `json:"promotion_id"` // the promotion
	// LineItems are the ids of the lines of the cart that it applies to.
	LineItems []Code `json:"line_items"`
	Extra     Extra  `json:",embed"`
}

// CartService changes carts with the scope write_orders. It finds only carts that can still be changed, so a cart that
// became an order is ErrNotFound. All versions have it.
type CartService engine.Service

// RemoveLineItem removes a line from a cart.
//
//api:endpoint DELETE /carts/{id}/line-items/{line_item_id}
func (s *CartService) RemoveLineItem(ctx context.Context, id, lineItemID ID) error {
	return engine.Delete(ctx, s, "/carts/{id}/line-items/{line_item_id}", id, lineItemID)
}

// RemoveCoupon removes a coupon from a cart.
//
//api:endpoint DELETE /carts/{id}/coupons/{coupon_id}
func (s *CartService) RemoveCoupon(ctx context.Context, id, couponID ID) error {
	return engine.Delete(ctx, s, "/carts/{id}/coupons/{coupon_id}", id, couponID)
}

// Discounts returns the promotions of the app that apply to a cart. The app must be enabled for discounts. No scope is
// required.
//
//api:endpoint GET /carts/{id}/discounts
func (s *CartService) Discounts(ctx context.Context, id ID) ([]CartDiscount, error) {
	out, err := engine.Get[struct {
		Data []CartDiscount `json:"data"`
	}](ctx, s, "/carts/{id}/discounts", nil, id)
	if err != nil {
		return nil, err
	}
	return out.Data, nil
}

// DatedCartService is the CartService of versions 2025-03 and unstable, which can also read a cart with the scope
// read_orders.
type DatedCartService struct{ *CartService }

// Get returns a cart, with the scope read_orders.
//
//api:endpoint GET /carts/{id}
func (s *DatedCartService) Get(ctx context.Context, id ID) (*Cart, error) {
	return engine.Get[Cart](ctx, s.CartService, "/carts/{id}", nil, id)
}
