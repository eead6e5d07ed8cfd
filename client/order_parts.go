package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Billing is to whom an order, a draft or a checkout is billed.
type Billing struct {
	BillingName     string `json:"billing_name"`
	BillingPhone    string `json:"billing_phone"`
	BillingAddress  string `json:"billing_address"` // the street
	BillingNumber   Code   `json:"billing_number"`
	BillingFloor    string `json:"billing_floor"`
	BillingLocality string `json:"billing_locality"`
	BillingZipcode  Code   `json:"billing_zipcode"`
	BillingCity     string `json:"billing_city"`
	BillingProvince string `json:"billing_province"`
	// BillingCountry is a country code.
	BillingCountry string `json:"billing_country"`
}

// Delivery is how an order, a draft or a checkout is shipped as a whole. Orders of
// version 2025-03 tell it per fulfillment order instead; all is empty there.
type Delivery struct {
	// Shipping is the shipping method used.
	Shipping string `json:"shipping,omitzero"`
	// ShippingMinDays and ShippingMaxDays are weekdays, also negative ones; nil if
	// they are not told.
	ShippingMinDays *Int `json:"shipping_min_days,omitzero"`
	ShippingMaxDays *Int `json:"shipping_max_days,omitzero"`
	// ShippingCostOwner is what the store pays to the carrier, ShippingCostCustomer
	// what the customer pays.
	ShippingCostOwner    *Money `json:"shipping_cost_owner,omitzero"`
	ShippingCostCustomer *Money `json:"shipping_cost_customer,omitzero"`
	// The option of the carrier; nil where there is none.
	ShippingOption          *string `json:"shipping_option,omitzero"`
	ShippingOptionCode      *string `json:"shipping_option_code,omitzero"`
	ShippingOptionReference *string `json:"shipping_option_reference,omitzero"`
	// ShippingPickupDetails describes the place to pick up; nil when shipped.
	ShippingPickupDetails   *PickupDetails `json:"shipping_pickup_details,omitzero"`
	ShippingTrackingNumber  *Code          `json:"shipping_tracking_number,omitzero"`
	ShippingTrackingURL     *string        `json:"shipping_tracking_url,omitzero"`
	ShippingStoreBranchName *string        `json:"shipping_store_branch_name,omitzero"`
	ShippingPickupType      PickupType     `json:"shipping_pickup_type,omitzero"`
	// ShippingSuboption is the chosen place to pick up; not Valid when shipped.
	ShippingSuboption Lax[PickupOption] `json:"shipping_suboption,omitzero"`
}

// PickupType says how the goods reach the customer.
type PickupType string

// The values of PickupType.
const (
	Ship   PickupType = "ship"
	Pickup PickupType = "pickup"
	// NonShippable is for digital goods; only fulfillment orders have it.
	NonShippable PickupType = "non-shippable"
)

// Known reports whether the contract names the value.
func (p PickupType) Known() bool { return p == Ship || p == Pickup || p == NonShippable }

// PickupDetails describes the place to pick up an order: a text, or an object
// whose members the contract does not name.
type PickupDetails struct {
	Text   string
	Object Object
}

// MarshalJSON writes the object if there is one, and else the text.
func (d PickupDetails) MarshalJSON() ([]byte, error) {
	if d.Object.Members != nil || d.Object.Items != nil {
		return wire.Marshal(d.Object)
	}
	return wire.Marshal(d.Text)
}

// UnmarshalJSON reads a text or an object.
func (d *PickupDetails) UnmarshalJSON(data []byte) error {
	var v PickupDetails
	var err error
	if kind(data) == '"' {
		err = wire.Unmarshal(data, &v.Text)
	} else {
		err = v.Object.UnmarshalJSON(data)
	}
	if err != nil {
		return fmt.Errorf("pickup details: %w", err)
	}
	*d = v
	return nil
}

// PickupOption is a place to pick up an order.
type PickupOption struct {
	ID    Code  `json:"id"`
	Extra Extra `json:",embed"`
}

// Totals are the amounts of an order, a draft or a checkout, in Currency.
type Totals struct {
	// Subtotal is the price of the products before shipping.
	Subtotal Money `json:"subtotal"`
	Discount Money `json:"discount"`
	// DiscountCoupon and DiscountGateway are the parts of Discount that a coupon and
	// the way of payment gave.
	DiscountCoupon  Money `json:"discount_coupon"`
	DiscountGateway Money `json:"discount_gateway"`
	// Total includes shipping and discounts. TotalUSD is the same in US dollars.
	Total    Money `json:"total"`
	TotalUSD Money `json:"total_usd"`
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
}

// OrderAddress is where an order or a draft is shipped. Where the platform prints
// only a string, it is in Address and the other fields are empty.
type OrderAddress struct {
	// ID is 0 for an address that is not one of the customer's own.
	ID        ID     `json:"id"`
	Name      string `json:"name"`
	FirstName string `json:"first_name,omitzero"`
	LastName  string `json:"last_name,omitzero"`
	Address   string `json:"address"` // the street
	Number    Code   `json:"number"`
	Floor     string `json:"floor"`
	Locality  string `json:"locality"`
	City      string `json:"city"`
	Province  string `json:"province"`
	// Country is a country code; empty if it is not told.
	Country string `json:"country"`
	Zipcode Code   `json:"zipcode"`
	Phone   string `json:"phone"`
	Default bool   `json:"default"`
	// Customs is free information, such as reference and between_streets.
	Customs   Object `json:"customs,omitzero"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	Extra     Extra  `json:",embed"`

	bare bool // it came as a string
}

// MarshalJSON writes an object, or the string that it was read from.
func (a OrderAddress) MarshalJSON() ([]byte, error) {
	if a.bare {
		return wire.Marshal(a.Address)
	}
	type plain OrderAddress
	return wire.Marshal(plain(a))
}

// UnmarshalJSON reads an object, or the bare string of a street.
func (a *OrderAddress) UnmarshalJSON(data []byte) error {
	type plain OrderAddress
	var v plain
	switch {
	case kind(data) == '"':
		v.bare = true
		if err := wire.Unmarshal(data, &v.Address); err != nil {
			return fmt.Errorf("address: %w", err)
		}
	case !none(data):
		if err := wire.Unmarshal(data, &v); err != nil {
			return fmt.Errorf("address: %w", err)
		}
	}
	*a = OrderAddress(v)
	return nil
}

// Contact is who buys.
type Contact struct {
	ContactEmail          string `json:"contact_email"`
	ContactName           string `json:"contact_name"`
	ContactPhone          string `json:"contact_phone"`
	ContactIdentification Code   `json:"contact_identification"`
}

// ShippingContact is where a checkout is shipped, beside the street in
// ShippingAddress. Drafts have it in the answer to Create.
type ShippingContact struct {
	ShippingName     string `json:"shipping_name,omitzero"`
	ShippingPhone    string `json:"shipping_phone,omitzero"`
	ShippingNumber   Code   `json:"shipping_number,omitzero"`
	ShippingFloor    string `json:"shipping_floor,omitzero"`
	ShippingLocality string `json:"shipping_locality,omitzero"`
	ShippingZipcode  Code   `json:"shipping_zipcode,omitzero"`
	ShippingCity     string `json:"shipping_city,omitzero"`
	ShippingProvince string `json:"shipping_province,omitzero"`
	// ShippingCountry is a country code.
	ShippingCountry string `json:"shipping_country,omitzero"`
}

// PromotionalDiscount is what promotions take off.
type PromotionalDiscount struct {
	// ID is 0 if there is no promotion.
	ID                  ID    `json:"id"`
	StoreID             ID    `json:"store_id"`
	OrderID             ID    `json:"order_id"`
	CreatedAt           Time  `json:"created_at"`
	TotalDiscountAmount Money `json:"total_discount_amount"`
	// Contents and PromotionsApplied are as the promotions made them; the contract
	// names no members.
	Contents          Object `json:"contents"`
	PromotionsApplied Object `json:"promotions_applied"`
	Extra             Extra  `json:",embed"`
}

// PaymentDetails is how an order was paid.
type PaymentDetails struct {
	// Method is the kind of payment, such as credit_card or custom; empty if none
	// was chosen yet.
	Method string `json:"method"`
	// CreditCardCompany is nil for other methods.
	CreditCardCompany *string `json:"credit_card_company"`
	// Installments is 0 if it is not told.
	Installments Int   `json:"installments"`
	Extra        Extra `json:",embed"`
}

// ClientDetails tells about the browser that the order came from.
type ClientDetails struct {
	BrowserIP string `json:"browser_ip"`
	UserAgent string `json:"user_agent"`
	Extra     Extra  `json:",embed"`
}
