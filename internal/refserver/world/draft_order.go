package world

import "time"

// DraftOrder is an order that the merchant prepares. Confirming it makes it an
// order with the same id.
type DraftOrder struct {
	ID int64
	Sale
	// AppID is the app that created the draft, 0 for none.
	AppID int64
	// Status is open, closed or cancelled.
	Status string
	// PaymentStatus is pending, pending_confirmation or paid.
	PaymentStatus string
	OwnerNote     string
	// SaleChannel is what the creator called the channel.
	SaleChannel string
	// CancelReason is customer, fraud, inventory or other; empty for null.
	CancelReason string
	CancelledAt  time.Time
	ClosedAt     time.Time
}
