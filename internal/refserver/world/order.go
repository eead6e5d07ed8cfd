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
	// PaymentStatus is authorized, pending, paid, abandoned, refunded or voided, or
	// partially_paid or partially_refunded.
	PaymentStatus string
	// ShippingStatus is unpacked, in_preparation, partially_packed, packed,
	// partially_fulfilled, fulfilled or delivered; unfulfilled is packed.
	ShippingStatus string
	NextAction     string
	// TotalPaid is what the customer paid, with Fees on top of the price.
	TotalPaid decimal.Decimal
	Fees      decimal.Decimal
	OwnerNote string
	// Invoicing is who the bill is made out to, beyond the billing address.
	Invoicing Invoicing
	// BrowserIP and UserAgent are empty for null.
	BrowserIP string
	UserAgent string
	// CancelReason is customer, fraud, inventory or other; empty for null.
	CancelReason           string
	ShippingTrackingNumber string
	ShippingTrackingURL    string
	// ShippingCarrierName is empty for null, as it is for custom shipping.
	ShippingCarrierName string
	LandingURL          string
	CancelledAt         time.Time
	ClosedAt            time.Time
	ReadAt              time.Time
	ShippedAt           time.Time
	PaidAt              time.Time
	// IsSubscription is set for an order of a subscription, and IsFirst too for
	// that with which it began.
	IsSubscription bool
	IsFirst        bool
	// Values are what became of what is owed and paid, the oldest first.
	Values        []OrderValue
	Editions      []Edition
	Subscriptions []Subscription
	// Rates are what the customer chose of the carriers' offers, one for each origin.
	Rates []Rate
	// SoldBy is the seller staff user who started the sale, empty for none.
	SoldBy string
}

// Invoicing is the data of an invoice without the address. Empty texts are null.
type Invoicing struct {
	// CustomerType is person or company.
	CustomerType      string
	BusinessName      string
	TradeName         string
	StateRegistration string
	DocumentType      string
	FiscalRegime      string
	InvoiceUse        string
}

// firstOrder is the number of the first order of a store.
const firstOrder = 100

// NextOrderNumber returns a number that no order of the store has had.
func (tx *Tx) NextOrderNumber() int64 {
	n := max(tx.store.LastOrder+1, firstOrder)
	for {
		if _, taken := tx.Orders.Find("number", strconv.FormatInt(n, 10)); !taken {
			break
		}
		n++
	}
	tx.store.LastOrder = n
	return n
}

// Packed marks the type: a store has many.
func (Order) Packed() {}

// Indexes find an order by its number and the orders of a customer.
func (o Order) Indexes() []table.Entry {
	entries := []table.Entry{table.Unique("number", strconv.FormatInt(o.Number, 10))}
	if o.CustomerID != 0 {
		entries = append(entries, table.Multi("customer", strconv.FormatInt(o.CustomerID, 10)))
	}
	return entries
}
