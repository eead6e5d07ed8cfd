package world

import (
	"encoding/json"
	"time"

	"github.com/shopspring/decimal"
)

// Rate is a way of delivery that a customer may choose.
type Rate struct {
	// Carrier and ID are 0 for a contingency; ID is that of the carrier's option.
	Carrier, ID int64
	// Location is the origin.
	Location string
	// Type is Ship or Pickup.
	Code, Name, Type string
	// Price is the customer's, with the merchant's additional cost, and 0 for free
	// shipping. Merchant is what the merchant pays the carrier.
	Price, Merchant decimal.Decimal
	Currency        string
	// The dates have the merchant's additional days; they are zero for null.
	MinDelivery, MaxDelivery time.Time
	IDRequired               bool
	PhoneRequired            bool
	AcceptsCOD               bool
	// AllowFree is what the option says about free shipping.
	AllowFree bool
	// Available is false for a pickup point that has not all items.
	Available bool
	Reference string
	// Point is {"address", "hours"} of a pickup rate as they were answered, else nil.
	Point json.RawMessage
}

// Quote is what a customer was offered last for a cart, or for a checkout, under the id
// of it.
type Quote struct {
	CartID int64
	// To is the destination.
	To Address
	// Items are what was to be delivered.
	Items []QuotedItem
	Rates []Rate
}

// QuotedItem is a number of pieces of a variant that leave from a location.
type QuotedItem struct {
	VariantID  int64
	Quantity   int64
	LocationID string
}
