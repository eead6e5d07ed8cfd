package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Billing is to whom an order, a draft or a checkout is billed.
type Billing struct {
	BillingName     string `json:"billing_name"`     // who is billed
	BillingPhone    string `json:"billing_phone"`    // phone number
	BillingAddress  string `json:"billing_address"`  // the street
	BillingNumber   Code   `json:"billing_number"`   // house number, which may have letters
	BillingFloor    string `json:"billing_floor"`    // floor or apartment
	BillingLocality string `json:"billing_locality"` // quarter or part of the city
	BillingZipcode  Code   `json:"billing_zipcode"`  // postal code
	BillingCity     string `json:"billing_city"`     // city or town
	BillingProvince string `json:"billing_province"` // province or state
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
	ShippingOptionCode      *string `json:"shipping_option_code,omitzero"`      // the carrier's code for the option
	ShippingOptionReference *string `json:"shipping_option_reference,omitzero"` // the carrier's own, as it gave it with its rates
	// ShippingPickupDetails describes the place to pick up; nil when shipped.
	ShippingPickupDetails   *PickupDetails `json:"shipping_pickup_details,omitzero"`
	ShippingTrackingNumber  *Code          `json:"shipping_tracking_number,omitzero"`   // nil if there is none
	ShippingTrackingURL     *string        `json:"shipping_tracking_url,omitzero"`      // where it can be followed
	ShippingStoreBranchName *string        `json:"shipping_store_branch_name,omitzero"` // the branch where it is picked up
	ShippingPickupType      PickupType     `json:"shipping_pickup_type,omitzero"`       // brought to the customer, or picked up
	// ShippingSuboption is the chosen place to pick up; not Valid when shipped.
	ShippingSuboption Nullable[PickupOption] `json:"shipping_suboption,omitzero"`
}

// PickupType says how the goods reach the customer.
type PickupType string

// The values of PickupType.
const (
	PickupTypeShip   PickupType = "ship"   // brought to the customer
	PickupTypePickup PickupType = "pickup" // picked up by the customer
	// PickupTypeNonShippable is for digital goods; only fulfillment orders have it.
	PickupTypeNonShippable PickupType = "non-shippable"
)

// Known reports whether the contract names the value.
func (p PickupType) Known() bool {
	return enum.Known(p, PickupTypeShip, PickupTypePickup, PickupTypeNonShippable)
}

// PickupDetails describes the place to pick up an order: a text, or an object
// whose members the contract does not name.
type PickupDetails struct {
	Text   string // set if the platform printed a text
	Object Object // set if it printed an object
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
	Name      string `json:"name"`                // who lives there
	FirstName string `json:"first_name,omitzero"` // of who lives there
	LastName  string `json:"last_name,omitzero"`  // of who lives there
	Address   string `json:"address"`             // the street
	Number    Code   `json:"number"`              // house number, which may have letters
	Floor     string `json:"floor"`               // floor or apartment
	Locality  string `json:"locality"`            // quarter or part of the city
	City      string `json:"city"`                // city or town
	Province  string `json:"province"`            // province or state
	// Country is a country code; empty if it is not told.
	Country string `json:"country"`
	Zipcode Code   `json:"zipcode"` // postal code
	Phone   string `json:"phone"`   // phone number
	Default bool   `json:"default"` // the customer's default address
	// Customs is free information, such as reference and between_streets.
	Customs   Object `json:"customs,omitzero"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	Extra     Extra  `json:",embed" wire:"methods"`

	bare bool // it came as a string
}

// MarshalJSON writes an object, or the string that it was read from.
func (a OrderAddress) MarshalJSON() ([]byte, error) {
	if a.bare {
		return wire.Marshal(a.Address)
	}
	type plain OrderAddress
	return wire.MarshalRecord((*plain)(&a))
}

// UnmarshalJSON reads an object, or the bare string of a street; [], "", false and null read as the zero OrderAddress.
func (a *OrderAddress) UnmarshalJSON(data []byte) error {
	type plain OrderAddress
	var v plain
	switch {
	case kind(data) == '"' && !none(data):
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
	ContactEmail          string `json:"contact_email"`          // where the customer is written to
	ContactName           string `json:"contact_name"`           // first and last name
	ContactPhone          string `json:"contact_phone"`          // phone number
	ContactIdentification Code   `json:"contact_identification"` // number of a tax or identity document
}

// ShippingContact is where a checkout is shipped, beside the street in
// ShippingAddress. Drafts have it in the answer to Create.
type ShippingContact struct {
	ShippingName     string `json:"shipping_name,omitzero"`     // who receives it
	ShippingPhone    string `json:"shipping_phone,omitzero"`    // phone number
	ShippingNumber   Code   `json:"shipping_number,omitzero"`   // house number, which may have letters
	ShippingFloor    string `json:"shipping_floor,omitzero"`    // floor or apartment
	ShippingLocality string `json:"shipping_locality,omitzero"` // quarter or part of the city
	ShippingZipcode  Code   `json:"shipping_zipcode,omitzero"`  // postal code
	ShippingCity     string `json:"shipping_city,omitzero"`     // city or town
	ShippingProvince string `json:"shipping_province,omitzero"` // province or state
	// ShippingCountry is a country code.
	ShippingCountry string `json:"shipping_country,omitzero"`
}

// PromotionalDiscount is what promotions take off.
type PromotionalDiscount struct {
	// ID is 0 if there is no promotion.
	ID                  ID    `json:"id"`
	StoreID             ID    `json:"store_id"` // the store that it belongs to
	OrderID             ID    `json:"order_id"` // the order or checkout
	CreatedAt           Time  `json:"created_at"`
	TotalDiscountAmount Money `json:"total_discount_amount"` // what all promotions take off together
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
	BrowserIP string `json:"browser_ip"` // personal data in some countries
	UserAgent string `json:"user_agent"` // as the browser sent it
	Extra     Extra  `json:",embed"`
}
