package client

import (
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// FulfillmentLine is one line of a fulfillment order.
type FulfillmentLine struct {
	ID ulid.ULID `json:"id"`
	// ExternalID is the id of the order's line.
	ExternalID Code               `json:"external_id"`
	Quantity   Int                `json:"quantity"`   // pieces
	Variant    FulfillmentVariant `json:"variant"`    // the variant to ship
	Product    FulfillmentProduct `json:"product"`    // the product of the variant
	UnitPrice  Amount             `json:"unit_price"` // of one piece, at the time of the purchase
	// UnitDimension is the size of one piece.
	UnitDimension FulfillmentDimension `json:"unit_dimension"`
	StockTransfer StockTransfer        `json:"stock_transfer"` // the location that the stock must be moved from first
	// Kit is nil for a line that is not a component of a kit.
	Kit *FulfillmentKit `json:"kit"`
	// CustomFields are present only if AggregateCustomFields was requested.
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

// FulfillmentDimension is the weight and the size of one piece.
type FulfillmentDimension struct {
	Weight Decimal `json:"weight"` // kilograms
	Width  Decimal `json:"width"`  // centimetres
	Height Decimal `json:"height"` // centimetres
	Depth  Decimal `json:"depth"`  // centimetres
	Extra  Extra   `json:",embed"`
}

// StockTransfer is the source of the stock of a line.
type StockTransfer struct {
	// FromLocationID is nil if the stock is not moved between locations.
	FromLocationID *ulid.ULID `json:"from_location_id"`
	Extra          Extra      `json:",embed"`
}

// FulfillmentKit names the kit that a line is a component of.
type FulfillmentKit struct {
	CatalogKitID Code  `json:"catalog_kit_id"` // the kit in the catalog; see KitService
	OrderKitID   Code  `json:"order_kit_id"`   // distinguishes several kits of one order
	Extra        Extra `json:",embed"`
}

// AssignedLocation is the location that ships a fulfillment order.
type AssignedLocation struct {
	LocationID ulid.ULID           `json:"location_id"` // a location of the store
	Name       Text                `json:"name"`        // of the location, by locale
	Address    *FulfillmentAddress `json:"address"`     // nil if unknown
	Extra      Extra               `json:",embed"`
}

// FulfillmentAddress is an address in a fulfillment order.
type FulfillmentAddress struct {
	Zipcode  Code   `json:"zipcode"`  // postal code
	Street   string `json:"street"`   // without the number
	Number   Code   `json:"number"`   // house number, which may have letters
	Floor    string `json:"floor"`    // floor or apartment
	Locality string `json:"locality"` // quarter or part of the city
	City     string `json:"city"`     // city or town
	// Reference is a hint for finding the address.
	Reference      string `json:"reference"`
	BetweenStreets string `json:"between_streets"` // the streets on both sides of it
	Province       Named  `json:"province"`        // province or state
	Region         Named  `json:"region"`          // region that the province is in
	Country        Named  `json:"country"`         // its code is an ISO 3166-1 code
	Extra          Extra  `json:",embed"`
}

// Named is a province, region or country with its code.
type Named struct {
	Name  string `json:"name"` // as people read it
	Code  string `json:"code"` // such as AR
	Extra Extra  `json:",embed"`
}

// Recipient is the person who receives a fulfillment order. Unknown members are empty.
type Recipient struct {
	Name  string `json:"name"`           // first and last name
	Phone string `json:"phone,omitzero"` // phone number
	// Identifier is the number of an identity document.
	Identifier Code `json:"identifier,omitzero"`
	// Email is present only for carriers that make labels.
	Email string `json:"email,omitzero"`
	Extra Extra  `json:",embed"`
}

// FulfillmentDiscount is a discount of a fulfillment order.
type FulfillmentDiscount struct {
	Type   FulfillmentDiscountType `json:"type"`   // the reason of the discount
	Amount Amount                  `json:"amount"` // the amount of the discount
	Extra  Extra                   `json:",embed"`
}

// FulfillmentDiscountType is the reason of a discount.
type FulfillmentDiscountType string

// The values of FulfillmentDiscountType.
const (
	FulfillmentDiscountShipping      FulfillmentDiscountType = "SHIPPING"           // a discount on the delivery
	FulfillmentDiscountPromotion     FulfillmentDiscountType = "PROMOTION"          // promotions
	FulfillmentDiscountPaymentMethod FulfillmentDiscountType = "PAYMENT_METHOD"     // the payment method
	FulfillmentDiscountTotal         FulfillmentDiscountType = "TOTAL_OF_DISCOUNTS" // the sum of the others
)

// Known reports whether the contract names the value.
func (t FulfillmentDiscountType) Known() bool {
	return wire.Known(t,
		FulfillmentDiscountShipping, FulfillmentDiscountPromotion, FulfillmentDiscountPaymentMethod, FulfillmentDiscountTotal,
	)
}
