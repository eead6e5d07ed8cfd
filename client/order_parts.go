package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Billing is the billing name and address of an order, a draft or a checkout.
type Billing struct {
	BillingName     string `json:"billing_name"`     // name of the billed person or company
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

// Delivery is the shipping of an order, a draft or a checkout as a whole. In orders of version 2025-03 all members are
// empty, because each fulfillment order has its own.
type Delivery struct {
	// Shipping is the shipping method used.
	Shipping string `json:"shipping,omitzero"`
	// ShippingMinDays and ShippingMaxDays are weekdays and may be negative; nil if absent.
	ShippingMinDays *Int `json:"shipping_min_days,omitzero"`
	ShippingMaxDays *Int `json:"shipping_max_days,omitzero"`
	// ShippingCostOwner is the amount that the store pays to the carrier. ShippingCostCustomer is the amount that the
	// customer pays.
	ShippingCostOwner    *Money `json:"shipping_cost_owner,omitzero"`
	ShippingCostCustomer *Money `json:"shipping_cost_customer,omitzero"`
	// ShippingOption is the option of the carrier; nil if there is none.
	ShippingOption          *string `json:"shipping_option,omitzero"`
	ShippingOptionCode      *string `json:"shipping_option_code,omitzero"`      // the carrier's code for the option
	ShippingOptionReference *string `json:"shipping_option_reference,omitzero"` // the carrier's reference, as sent with its rates
	// ShippingPickupDetails describes the pickup place; nil if the order is shipped.
	ShippingPickupDetails   *PickupDetails `json:"shipping_pickup_details,omitzero"`
	ShippingTrackingNumber  *Code          `json:"shipping_tracking_number,omitzero"`   // nil if absent
	ShippingTrackingURL     *string        `json:"shipping_tracking_url,omitzero"`      // tracking page of the shipment
	ShippingStoreBranchName *string        `json:"shipping_store_branch_name,omitzero"` // the branch for pickup
	ShippingPickupType      PickupType     `json:"shipping_pickup_type,omitzero"`       // shipped to the customer or picked up
	// ShippingSuboption is the chosen pickup place; not Valid if the order is shipped.
	ShippingSuboption Nullable[PickupOption] `json:"shipping_suboption,omitzero"`
}

// PickupType is the way in which the products reach the customer.
type PickupType string

// The values of PickupType.
const (
	PickupTypeShip   PickupType = "ship"   // shipped to the customer
	PickupTypePickup PickupType = "pickup" // picked up by the customer
	// PickupTypeNonShippable is for digital goods; only fulfillment orders have it.
	PickupTypeNonShippable PickupType = "non-shippable"
)

// Known reports whether the contract names the value.
func (p PickupType) Known() bool {
	return wire.Known(p, PickupTypeShip, PickupTypePickup, PickupTypeNonShippable)
}

// PickupDetails describes the place where an order is picked up. It is a text, or an object whose members the contract
// does not name.
type PickupDetails struct {
	Text   string // set if the platform sent a text
	Object Object // set if the platform sent an object
}

// MarshalJSON writes the object if there is one, otherwise the text.
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
	if wire.Kind(data) == '"' {
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

// PickupOption is a place where an order can be picked up.
type PickupOption struct {
	ID    Code  `json:"id"`
	Extra Extra `json:",embed"`
}

// Totals are the amounts of an order, a draft or a checkout, in Currency.
type Totals struct {
	// Subtotal is the price of the products before shipping.
	Subtotal Money `json:"subtotal"`
	Discount Money `json:"discount"`
	// DiscountCoupon and DiscountGateway are the parts of Discount from a coupon and from the payment method.
	DiscountCoupon  Money `json:"discount_coupon"`
	DiscountGateway Money `json:"discount_gateway"`
	// Total includes shipping and discounts. TotalUSD is the same amount in US dollars.
	Total    Money `json:"total"`
	TotalUSD Money `json:"total_usd"`
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
}

// OrderAddress is the shipping address of an order or a draft. If the platform sends only a string, it is in Address
// and the other fields are empty.
type OrderAddress struct {
	// ID is 0 for an address that is not among the saved addresses of the customer.
	ID        ID     `json:"id"`
	Name      string `json:"name"`                // name of the recipient
	FirstName string `json:"first_name,omitzero"` // of the recipient
	LastName  string `json:"last_name,omitzero"`  // of the recipient
	Address   string `json:"address"`             // the street
	Number    Code   `json:"number"`              // house number, which may have letters
	Floor     string `json:"floor"`               // floor or apartment
	Locality  string `json:"locality"`            // quarter or part of the city
	City      string `json:"city"`                // city or town
	Province  string `json:"province"`            // province or state
	// Country is a country code; empty if absent.
	Country string `json:"country"`
	Zipcode Code   `json:"zipcode"` // postal code
	Phone   string `json:"phone"`   // phone number
	Default bool   `json:"default"` // the customer's default address
	// Customs is free-form data, such as reference and between_streets.
	Customs   Object `json:"customs,omitzero"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	Extra     Extra  `json:",embed" wire:"methods"`

	bare bool // the platform sent a string
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
	case wire.Kind(data) == '"' && !wire.None(data):
		v.bare = true
		if err := wire.Unmarshal(data, &v.Address); err != nil {
			return fmt.Errorf("address: %w", err)
		}
	case !wire.None(data):
		if err := wire.Unmarshal(data, &v); err != nil {
			return fmt.Errorf("address: %w", err)
		}
	}
	*a = OrderAddress(v)
	return nil
}

// Contact is the buyer of an order, a draft or a checkout.
type Contact struct {
	ContactEmail          string `json:"contact_email"`          // email address of the customer
	ContactName           string `json:"contact_name"`           // first and last name
	ContactPhone          string `json:"contact_phone"`          // phone number
	ContactIdentification Code   `json:"contact_identification"` // number of a tax or identity document
}

// ShippingContact is the shipping address of a checkout, without the street, which is in ShippingAddress. For drafts,
// the answer to Create has it.
type ShippingContact struct {
	ShippingName     string `json:"shipping_name,omitzero"`     // name of the recipient
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

// PromotionalDiscount is the discount of promotions.
type PromotionalDiscount struct {
	// ID is 0 if there is no promotion.
	ID                  ID    `json:"id"`
	StoreID             ID    `json:"store_id"` // the store of the order
	OrderID             ID    `json:"order_id"` // the order or checkout that is discounted
	CreatedAt           Time  `json:"created_at"`
	TotalDiscountAmount Money `json:"total_discount_amount"` // the sum of all promotional discounts
	// Contents and PromotionsApplied are as sent by the platform; the contract does not describe their members.
	Contents          Object `json:"contents"`
	PromotionsApplied Object `json:"promotions_applied"`
	Extra             Extra  `json:",embed"`
}

// PaymentDetails describes the payment of an order.
type PaymentDetails struct {
	// Method is the kind of payment, such as credit_card or custom; empty until one is chosen.
	Method string `json:"method"`
	// CreditCardCompany is nil for other payment methods.
	CreditCardCompany *string `json:"credit_card_company"`
	// Installments is 0 if absent.
	Installments Int   `json:"installments"`
	Extra        Extra `json:",embed"`
}

// ClientDetails describes the browser in which the order was placed.
type ClientDetails struct {
	BrowserIP string `json:"browser_ip"` // personal data in some countries
	UserAgent string `json:"user_agent"` // user agent string of the browser
	Extra     Extra  `json:",embed"`
}
