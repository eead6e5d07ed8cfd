package client

import "github.com/oklog/ulid/v2"

// FulfillmentLine is one line of a fulfillment order.
type FulfillmentLine struct {
	ID ulid.ULID `json:"id"`
	// ExternalID is the id of the order's line.
	ExternalID Code               `json:"external_id"`
	Quantity   Int                `json:"quantity"`
	Variant    FulfillmentVariant `json:"variant"`
	Product    FulfillmentProduct `json:"product"`
	UnitPrice  Amount             `json:"unit_price"`
	// UnitDimension is of one piece.
	UnitDimension FulfillmentDimension `json:"unit_dimension"`
	StockTransfer StockTransfer        `json:"stock_transfer"`
	// Kit is nil for a line that is no component of a kit.
	Kit *FulfillmentKit `json:"kit"`
	// CustomFields are told if AggregateCustomFields is asked for.
	CustomFields Object `json:"custom_fields,omitzero"`
	CreatedAt    Time   `json:"created_at"`
	UpdatedAt    Time   `json:"updated_at"`
	Extra        Extra  `json:",embed"`
}

// FulfillmentVariant names the variant of a line.
type FulfillmentVariant struct {
	// VariantID holds the digits of an ID.
	VariantID Code  `json:"variant_id"`
	Extra     Extra `json:",embed"`
}

// FulfillmentProduct names the product of a line.
type FulfillmentProduct struct {
	// ProductID holds the digits of an ID.
	ProductID Code  `json:"product_id"`
	Extra     Extra `json:",embed"`
}

// FulfillmentDimension is the size of one piece: kilograms and centimetres.
type FulfillmentDimension struct {
	Weight Decimal `json:"weight"`
	Width  Decimal `json:"width"`
	Height Decimal `json:"height"`
	Depth  Decimal `json:"depth"`
	Extra  Extra   `json:",embed"`
}

// StockTransfer tells where the stock of a line comes from.
type StockTransfer struct {
	// FromLocationID is nil if the stock is not moved between locations.
	FromLocationID *ulid.ULID `json:"from_location_id"`
	Extra          Extra      `json:",embed"`
}

// FulfillmentKit names the kit that a line is a component of.
type FulfillmentKit struct {
	CatalogKitID Code  `json:"catalog_kit_id"`
	OrderKitID   Code  `json:"order_kit_id"`
	Extra        Extra `json:",embed"`
}

// AssignedLocation is the location that ships a fulfillment order.
type AssignedLocation struct {
	LocationID ulid.ULID           `json:"location_id"`
	Name       Text                `json:"name"`
	Address    *FulfillmentAddress `json:"address"`
	Extra      Extra               `json:",embed"`
}

// FulfillmentAddress is an address in a fulfillment order.
type FulfillmentAddress struct {
	Zipcode  Code   `json:"zipcode"`
	Street   string `json:"street"`
	Number   Code   `json:"number"`
	Floor    string `json:"floor"`
	Locality string `json:"locality"`
	City     string `json:"city"`
	// Reference is what helps to find the place.
	Reference      string `json:"reference"`
	BetweenStreets string `json:"between_streets"`
	Province       Named  `json:"province"`
	Region         Named  `json:"region"`
	Country        Named  `json:"country"`
	Extra          Extra  `json:",embed"`
}

// Named is a region or a country with its code.
type Named struct {
	Name  string `json:"name"`
	Code  string `json:"code"`
	Extra Extra  `json:",embed"`
}

// Recipient is who receives a fulfillment order. What is not told is empty.
type Recipient struct {
	Name  string `json:"name"`
	Phone string `json:"phone,omitzero"`
	// Identifier is the number of an identity document.
	Identifier Code `json:"identifier,omitzero"`
	// Email is told to carriers that make labels.
	Email string `json:"email,omitzero"`
	Extra Extra  `json:",embed"`
}

// FulfillmentDiscount is what is taken off a fulfillment order.
type FulfillmentDiscount struct {
	Type   FulfillmentDiscountType `json:"type"`
	Amount Amount                  `json:"amount"`
	Extra  Extra                   `json:",embed"`
}

// FulfillmentDiscountType says what a discount comes from.
type FulfillmentDiscountType string

// The values of FulfillmentDiscountType.
const (
	ShippingDiscount      FulfillmentDiscountType = "SHIPPING"
	PromotionDiscount     FulfillmentDiscountType = "PROMOTION"
	PaymentMethodDiscount FulfillmentDiscountType = "PAYMENT_METHOD"
	TotalOfDiscounts      FulfillmentDiscountType = "TOTAL_OF_DISCOUNTS"
)

// Known reports whether the contract names the value.
func (t FulfillmentDiscountType) Known() bool {
	switch t {
	case ShippingDiscount, PromotionDiscount, PaymentMethodDiscount, TotalOfDiscounts:
		return true
	}
	return false
}
