package world

import (
	"encoding/json"
	"time"

	"github.com/shopspring/decimal"
)

// Sale is what an order and an abandoned checkout have in common.
type Sale struct {
	Token                 string
	ContactName           string
	ContactEmail          string
	ContactPhone          string
	ContactIdentification string
	Billing               Billing
	ShippingAddress       Address
	// Shipping is the method; the rest of it is in the option.
	Shipping             string
	ShippingOption       string
	ShippingOptionCode   string
	ShippingPickupType   string
	ShippingMinDays      int
	ShippingMaxDays      int
	ShippingCostOwner    decimal.Decimal
	ShippingCostCustomer decimal.Decimal
	// Coupons are ids of those applied.
	Coupons  []int64
	Subtotal decimal.Decimal
	// Discount is all that was taken off, of which the two below are parts.
	Discount        decimal.Decimal
	DiscountCoupon  decimal.Decimal
	DiscountGateway decimal.Decimal
	Total           decimal.Decimal
	TotalUSD        decimal.Decimal
	Weight          decimal.Decimal
	Currency        string
	Language        string
	Gateway         string
	GatewayName     string
	PaymentMethod   string
	Storefront      string
	Note            string
	Extra           map[string]json.RawMessage
	Lines           []Line
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// Line is an article of a sale as it was at the time.
type Line struct {
	ID                           int64
	ProductID                    int64
	VariantID                    int64
	Name                         string
	Price                        decimal.Decimal
	Quantity                     int64
	Weight, Width, Height, Depth decimal.Decimal
	FreeShipping                 bool
	// ImageID is 0 for a product without images.
	ImageID       int64
	VariantValues []string
	SKU           string
	Barcode       string
}
