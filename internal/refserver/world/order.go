package world

import (
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Order is a purchase that was completed.
type Order struct {
	ID int64
	// Number counts the orders of the store from 100.
	Number int64
	Sale
	// CustomerID is 0 for an order without a customer.
	CustomerID int64
	// AppID is the app that created the order, 0 for none.
	AppID int64
	// Status is open, closed or cancelled.
	Status string
	// PaymentStatus is authorized, pending, paid, abandoned, refunded or voided.
	PaymentStatus string
	// ShippingStatus is unpacked, unfulfilled, fulfilled or in_preparation.
	ShippingStatus string
	NextAction     string
	TotalPaid      decimal.Decimal
	OwnerNote      string
	// CancelReason is customer, fraud, inventory or other; empty for null.
	CancelReason           string
	ShippingTrackingNumber string
	ShippingTrackingURL    string
	LandingURL             string
	CancelledAt            time.Time
	ClosedAt               time.Time
	ReadAt                 time.Time
	ShippedAt              time.Time
	PaidAt                 time.Time
}

// Indexes find an order by its number and the orders of a customer.
func (o Order) Indexes() []table.Entry {
	entries := []table.Entry{table.Unique("number", strconv.FormatInt(o.Number, 10))}
	if o.CustomerID != 0 {
		entries = append(entries, table.Multi("customer", strconv.FormatInt(o.CustomerID, 10)))
	}
	return entries
}
