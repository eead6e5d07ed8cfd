package world

import (
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// FulfillmentOrder is the part of an order that leaves from one location.
type FulfillmentOrder struct {
	// ID is a ULID. The ids of an order's fulfillment orders sort as they were made.
	ID      string
	OrderID int64
	// Number counts the fulfillment orders of the order from 1.
	Number int
	Status FulfillmentStatus
	// LocationID is where it leaves from.
	LocationID  string
	Lines       []FulfillmentLine
	Recipient   Recipient
	Destination Destination
	Shipping    Shipment
	Discounts   []FulfillmentDiscount
	Currency    string
	Tracking    TrackingInfo
	// StatusHistory and TrackingHistory have the oldest change first.
	StatusHistory   []StatusChange
	TrackingHistory []TrackingChange
	// FulfilledAt is when it was delivered, zero for null.
	FulfilledAt time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Packed marks the type: a store has many.
func (FulfillmentOrder) Packed() {}

// Indexes find the fulfillment orders of an order.
func (f FulfillmentOrder) Indexes() []table.Entry {
	return []table.Entry{table.Multi("order", strconv.FormatInt(f.OrderID, 10))}
}

// FulfillmentStatus is how far a fulfillment order is.
type FulfillmentStatus string

// The statuses. ReadyForPickup is only for a fulfillment order that the customer picks up.
const (
	Unpacked       FulfillmentStatus = "UNPACKED"
	Packed         FulfillmentStatus = "PACKED"
	Dispatched     FulfillmentStatus = "DISPATCHED"
	ReadyForPickup FulfillmentStatus = "READY_FOR_PICKUP"
	Delivered      FulfillmentStatus = "DELIVERED"
)

// The types of a shipment.
const (
	Ship         = "ship"
	Pickup       = "pickup"
	NonShippable = "non-shippable"
)

// FulfillmentLine is a quantity of a line of the order.
type FulfillmentLine struct {
	// ID is a ULID; LineID is that of the order's line.
	ID                           string
	LineID                       int64
	ProductID                    int64
	VariantID                    int64
	Quantity                     int64
	UnitPrice                    decimal.Decimal
	Kit                          *SoldKit // nil for what is no part of a kit
	Weight, Width, Height, Depth decimal.Decimal
	CreatedAt                    time.Time
	UpdatedAt                    time.Time
}

// Recipient is who receives. Texts are empty for null.
type Recipient struct {
	Name       string
	Phone      string
	Identifier string
	Email      string
}

// Destination is where a fulfillment order goes to. Texts are empty for null.
type Destination struct {
	Zipcode        string
	Street         string
	Number         string
	Floor          string
	Locality       string
	City           string
	Reference      string
	BetweenStreets string
	Province       Region
	Region         Region
	Country        Region
}

// Shipment is how a fulfillment order is brought to its recipient.
type Shipment struct {
	// Type is Ship, Pickup or NonShippable.
	Type    string
	Carrier Carriage
	Option  ShipmentOption
	// MerchantCost is paid to the carrier, ConsumerCost by the customer.
	MerchantCost decimal.Decimal
	ConsumerCost decimal.Decimal
	// The dates are zero for null.
	MinDeliveryDate time.Time
	MaxDeliveryDate time.Time
	Pickup          PickupDetails
	Extras          ShipmentExtras
}

// Carriage names the carrier of a shipment.
type Carriage struct {
	ID string
	// Code is api, custom, locale, international, native, draft or default.
	Code string
	Name string
	// AppID is the carrier's app, 0 for none.
	AppID int64
}

// ShipmentOption is what the customer chose of what a carrier offers.
type ShipmentOption struct {
	Name              string
	Code              string
	Reference         string
	AllowFreeShipping bool
}

// PickupDetails is where a Pickup waits; LocationID is empty if that is unknown.
type PickupDetails struct {
	LocationID    string
	StoreBranchID string
	Name          string
	Address       Destination
	Hours         []PickupHours
}

// PickupHours are the hours of one day: MONDAY to SUNDAY, from "0800" to "1800".
type PickupHours struct {
	Day, Start, End string
}

// ShipmentExtras are what a carrier asks for or allows.
type ShipmentExtras struct {
	PhoneRequired bool
	IDRequired    bool
	AcceptsCOD    bool
	ShowTime      bool
}

// FulfillmentDiscount is an amount that was taken off: SHIPPING, PROMOTION,
// PAYMENT_METHOD or TOTAL_OF_DISCOUNTS.
type FulfillmentDiscount struct {
	Type   string
	Amount decimal.Decimal
}

// StatusChange is one entry of a status history.
type StatusChange struct {
	From, To   FulfillmentStatus
	HappenedAt time.Time
	CreatedAt  time.Time
}
