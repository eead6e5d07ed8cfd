package world

import "time"

// Checkout is a purchase that was left at its second step or later. It can be
// read for Limits.CheckoutReadable and is deleted after Limits.CheckoutKept.
type Checkout struct {
	// ID is that of the cart it came from.
	ID int64
	Sale
	// AbandonedURL leads the customer back to it.
	AbandonedURL string
	// BegunAt is when its cart was begun, which ids follow; zero for CreatedAt.
	BegunAt time.Time
	// CompletedAt is zero until the checkout has become the order OrderID.
	CompletedAt time.Time
	OrderID     int64
}

// Cart is what a customer has chosen so far. It is found for as long as it can
// still be changed.
type Cart struct {
	ID       int64
	Token    string
	Lines    []Line
	Coupons  []int64
	Currency string
	Language string
	// Promotions are what discount apps take off.
	Promotions []CartPromotion
	// Converted is set once the cart became an order or left for another checkout.
	Converted bool
	// OrderID is the order that it became, 0 for none.
	OrderID   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// CartPromotion is a promotion of an app on lines of a cart.
type CartPromotion struct {
	AppID int64
	// PromotionID is a UUID.
	PromotionID string
	LineItems   []int64
}

// forget deletes the checkouts that were kept for long enough. Ids follow the beginning
// of carts, so the first whose cart is no older ends the search.
func (tx *Tx) forget() {
	for id, c := range tx.Checkouts.All() {
		begun := c.BegunAt
		if begun.IsZero() {
			begun = c.CreatedAt
		}
		if tx.now.Sub(begun) <= tx.limits.CheckoutKept {
			return
		}
		if tx.now.Sub(c.CreatedAt) > tx.limits.CheckoutKept {
			tx.Checkouts.Delete(id)
		}
	}
}
