package world

import "time"

// Checkout is a purchase that was left at its second step or later. It can be
// read for Limits.CheckoutReadable.
type Checkout struct {
	ID int64
	Sale
	// AbandonedURL leads the customer back to it.
	AbandonedURL string
}

// Cart is what a customer has chosen so far. It is found for as long as it can
// still be changed.
type Cart struct {
	ID        int64
	Token     string
	Lines     []Line
	Coupons   []int64
	Currency  string
	Language  string
	CreatedAt time.Time
	UpdatedAt time.Time
}
