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

// forget deletes the checkouts that were kept for long enough. Ids follow
// creation, so the first one to be kept ends the search.
func (tx *Tx) forget() {
	for id, c := range tx.Checkouts.All() {
		if tx.now.Sub(c.CreatedAt) <= tx.limits.CheckoutKept {
			return
		}
		tx.Checkouts.Delete(id)
	}
}
