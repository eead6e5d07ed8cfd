package world

import (
	"encoding/json"
	"time"

	"github.com/shopspring/decimal"
)

// Sale is what an order, a draft order and an abandoned checkout have in common.
type Sale struct {
	Token                 string
	ContactName           string
	ContactEmail          string
	ContactPhone          string
	ContactIdentification string
	Billing               Billing
	ShippingAddress       Address
	// Customs is free-form information about the shipping address, for example
	// reference and between_streets.
	Customs map[string]json.RawMessage
	// Shipping is the method; the rest of it is in the option.
	Shipping                string
	ShippingOption          string
	ShippingOptionCode      string
	ShippingOptionReference string
	ShippingPickupDetails   string
	ShippingStoreBranchName string
	ShippingPickupType      string
	// ShippingSuboption is the id of a pickup option, empty for none.
	ShippingSuboption string
	// ShippingMinDays and ShippingMaxDays count weekdays; nil is null.
	ShippingMinDays      *int
	ShippingMaxDays      *int
	ShippingCostOwner    decimal.Decimal
	ShippingCostCustomer decimal.Decimal
	// Coupons are ids of those applied.
	Coupons  []int64
	Subtotal decimal.Decimal
	// Discount is all that was taken off, of which the two below are parts.
	Discount        decimal.Decimal
	DiscountCoupon  decimal.Decimal
	DiscountGateway decimal.Decimal
	// Promotions are what apps take off. An order has them as they were when it was made.
	Promotions []SalePromotion
	// PromotionsID is that of what promotions take off, 0 for null.
	PromotionsID int64
	// Excess is the part of the discounts that exceeds the amount, without the coupons.
	Excess      decimal.Decimal
	Total       decimal.Decimal
	TotalUSD    decimal.Decimal
	Weight      decimal.Decimal
	Currency    string
	Language    string
	Gateway     string
	GatewayName string
	// GatewayID is the external transaction, GatewayLink its page.
	GatewayID         string
	GatewayLink       string
	PaymentMethod     string
	CreditCardCompany string
	// Installments is 0 for a single payment.
	Installments int
	Storefront   string
	Note         string
	Extra        map[string]json.RawMessage
	Lines        []Line
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// SalePromotion is what a promotion of an app takes off a line, or off all of them.
type SalePromotion struct {
	AppID int64
	// PromotionID is a UUID; Name is that of the promotion.
	PromotionID, Name string
	Tier              Tier
	// LineID is 0 for a promotion over all lines.
	LineID int64
	// Reduction is how much the app takes off, Amount what that came to.
	Reduction Reduction
	Amount    decimal.Decimal
}

// Line is an article of a sale as it was at the time.
type Line struct {
	ID        int64
	ProductID int64
	VariantID int64
	Name      string
	Price     decimal.Decimal
	// CompareAtPrice and Cost are not valid for null.
	CompareAtPrice, Cost decimal.NullDecimal
	// BasePrice is what the line of a cart would cost without the price table that
	// Price is of; not valid where no table applies.
	BasePrice decimal.NullDecimal
	// Promotional is set if the variant had a promotional price.
	Promotional                  bool
	Quantity                     int64
	Weight, Width, Height, Depth decimal.Decimal
	FreeShipping                 bool
	// ImageID is 0 for a product without images.
	ImageID       int64
	VariantValues []string
	// Properties are what the customer wrote to the article, by name.
	Properties map[string]json.RawMessage
	SKU        string
	Barcode    string
	// UnclaimedStock is how many pieces were bought without being in stock.
	UnclaimedStock int64
	// Kit is nil for what was not sold as a part of a kit.
	Kit *SoldKit
	// Claims say where the stock of the line was taken from.
	Claims []Claim
}

// SoldKit is a kit as it was sold. The lines of its components have equal ones.
type SoldKit struct {
	// ProductID is the kit of the catalog, VariantID its variant, OrderKitID this sale of it.
	ProductID, VariantID, OrderKitID int64
	Name                             string
	// ImageID is 0 for a kit without images.
	ImageID int64
	Price   decimal.Decimal
}

// Claim is stock that was taken for a line of an order.
type Claim struct {
	VariantID  int64
	LocationID string
	Quantity   int64
}
