package client

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/printable"
)

// OrderInput is the body of OrderService.Create. Customer and Products are
// required; what else is left out gets the platform's default.
type OrderInput struct {
	// Currency is an ISO 4217 code, the store's by default.
	Currency string `json:"currency,omitzero"`
	// Language is an ISO 639-1 code, the store's main language by default.
	Language string `json:"language,omitzero"`
	// Gateway is "not-provided" by default, or "offline".
	Gateway string `json:"gateway,omitzero"`
	// PaymentStatus is PaymentPending by default.
	PaymentStatus PaymentStatus `json:"payment_status,omitzero"`
	// Status is OrderOpen by default.
	Status OrderStatus `json:"status,omitzero"`
	// Fulfillment is ShippingStatusUnpacked by default. v1 calls it fulfillment_status; it is
	// written under the name of the version.
	Fulfillment ShippingStatus      `json:"fulfillment,omitzero"`
	Products    []OrderProductInput `json:"products"`
	// Total is computed if it is left out; it must be positive.
	Total Opt[Money] `json:"total,omitzero"`
	// InventoryBehaviour is InventoryBehaviourBypass by default.
	InventoryBehaviour InventoryBehaviour `json:"inventory_behaviour,omitzero"`
	Customer           OrderCustomerInput `json:"customer"`
	Note               string             `json:"note,omitzero"` // the customer's
	// BillingAddress and ShippingAddress: what they leave out is filled with a text
	// that says so, the zipcode with 0000 and the country with the store's.
	BillingAddress  OrderAddressInput `json:"billing_address,omitzero"`
	ShippingAddress OrderAddressInput `json:"shipping_address,omitzero"`
	// ShippingPickupType is PickupTypePickup by default.
	ShippingPickupType PickupType `json:"shipping_pickup_type,omitzero"`
	// Shipping is "branch", "table" or "not-provided".
	Shipping string `json:"shipping,omitzero"`
	// ShippingOption is the name of the way of shipping that customers see.
	ShippingOption         string `json:"shipping_option,omitzero"`
	ShippingTrackingNumber string `json:"shipping_tracking_number,omitzero"` // the carrier's
	// ShippingCostCustomer is 0, which is free, by default.
	ShippingCostCustomer Opt[Money] `json:"shipping_cost_customer,omitzero"`
	ShippingCostOwner    Opt[Money] `json:"shipping_cost_owner,omitzero"` // what the merchant pays the carrier
	// ShippingMinDays and ShippingMaxDays are weekdays.
	ShippingMinDays Opt[int] `json:"shipping_min_days,omitzero"`
	ShippingMaxDays Opt[int] `json:"shipping_max_days,omitzero"`
	// SendConfirmationEmail and SendFulfillmentEmail are false by default.
	SendConfirmationEmail bool `json:"send_confirmation_email,omitzero"`
	SendFulfillmentEmail  bool `json:"send_fulfillment_email,omitzero"`
	// LocationID is the location that the stock is taken from.
	LocationID ulid.ULID `json:"location_id,omitzero"`
}

// OrderProductInput is a line of a new order.
type OrderProductInput struct {
	VariantID ID  `json:"variant_id"` // required
	Quantity  int `json:"quantity"`   // pieces, at least 1
	// Price of one piece is the variant's by default.
	Price Opt[Money] `json:"price,omitzero"`
}

// OrderCustomerInput is the customer of a new order.
type OrderCustomerInput struct {
	Name  string `json:"name"`           // first and last name; required
	Email string `json:"email"`          // where the customer is written to; required
	Phone string `json:"phone,omitzero"` // phone number
	// Document is the number of an identity document.
	Document string `json:"document,omitzero"`
}

// OrderAddressInput is an address of a new order.
type OrderAddressInput struct {
	FirstName string `json:"first_name,omitzero"` // of who lives there
	LastName  string `json:"last_name,omitzero"`  // of who lives there
	Address   string `json:"address,omitzero"`    // the street
	Number    string `json:"number,omitzero"`     // house number
	Floor     string `json:"floor,omitzero"`      // floor or apartment
	Locality  string `json:"locality,omitzero"`   // quarter or part of the city
	City      string `json:"city,omitzero"`       // city or town
	Province  string `json:"province,omitzero"`   // province or state
	Zipcode   string `json:"zipcode,omitzero"`    // postal code
	// Country is a country code.
	Country string `json:"country,omitzero"`
	Phone   string `json:"phone,omitzero"` // phone number
	// Customs is free information of a shipping address, such as reference and
	// between_streets.
	Customs map[string]string `json:"customs,omitzero"`
}

// InventoryBehaviour says what a new order does to the stock.
type InventoryBehaviour string

// The values of InventoryBehaviour.
const (
	InventoryBehaviourBypass InventoryBehaviour = "bypass" // the stock is left alone
	InventoryBehaviourClaim  InventoryBehaviour = "claim"  // the stock is reserved; too little refuses the order
)

// Known reports whether the contract names the value.
func (b InventoryBehaviour) Known() bool {
	return enum.Known(b, InventoryBehaviourBypass, InventoryBehaviourClaim)
}

func (in OrderInput) check() error {
	if in.Customer.Name == "" {
		return engine.Invalid("customer.name", "", "the customer's name")
	}
	if in.Customer.Email == "" {
		return engine.Invalid("customer.email", "", "the customer's email")
	}
	if len(in.Products) == 0 {
		return engine.Invalid("products", len(in.Products), "at least one product")
	}
	for i, p := range in.Products {
		if err := checkLine(p.VariantID, p.Quantity); err != nil {
			return fmt.Errorf("products[%d].%w", i, err)
		}
		if price := p.Price.Or(Money{}); price.Cmp(Money{}) < 0 {
			return fmt.Errorf("products[%d].%w", i, engine.Invalid("price", price, "0 or more"))
		}
	}
	if total, ok := in.Total.Get(); ok && total.Cmp(Money{}) <= 0 {
		return engine.Invalid("total", total, "more than 0")
	}
	if in.InventoryBehaviour != "" && !in.InventoryBehaviour.Known() {
		return engine.Invalid("inventory_behaviour", in.InventoryBehaviour, "bypass or claim")
	}
	if p := in.ShippingPickupType; p != "" && p != PickupTypeShip && p != PickupTypePickup {
		return engine.Invalid("shipping_pickup_type", p, "ship or pickup")
	}
	return nil
}

func checkLine(variant ID, quantity int) error {
	if variant <= 0 {
		return engine.Invalid("variant_id", variant, "the id of a variant")
	}
	if quantity <= 0 {
		return engine.Invalid("quantity", quantity, "1 or more")
	}
	return nil
}

// body returns the input with the member names of the version.
func (in OrderInput) body(v Version) any {
	if v != VersionV1 {
		return in
	}
	status := in.Fulfillment
	in.Fulfillment = ""
	return struct {
		OrderInput
		FulfillmentStatus ShippingStatus `json:"fulfillment_status,omitzero"`
	}{in, status}
}

// OrderUpdate is the body of OrderService.Update: nothing else of an order can be
// changed by it.
type OrderUpdate struct {
	// OwnerNote: Null removes it.
	OwnerNote Opt[string] `json:"owner_note,omitzero"`
	// Status is OrderOpen, OrderClosed or OrderCancelled; in v1 also "paid".
	Status OrderStatus `json:"status,omitzero"`
}

// OrderPaid is a status that v1 takes in OrderUpdate; it marks the order as paid.
const OrderPaid OrderStatus = "paid"

func (in OrderUpdate) check(v Version) error {
	if in.OwnerNote.IsZero() && in.Status == "" {
		return engine.Invalid("owner_note", "", "a note or a status to change")
	}
	if in.Status == OrderPaid && v != VersionV1 {
		return fmt.Errorf("status: %s: %w", printable.Quote(string(in.Status)), ErrNotInVersion)
	}
	if in.Status != "" && in.Status != OrderPaid && !in.Status.Known() {
		return engine.Invalid("status", in.Status, "open, closed or cancelled")
	}
	return nil
}

// OrderCancel is the body of OrderService.Cancel. The zero OrderCancel means
// CancelReasonOther, with mail and restock.
type OrderCancel struct {
	Reason CancelReason `json:"reason,omitzero"` // empty is CancelReasonOther
	// Email tells the customer; true by default.
	Email Opt[bool] `json:"email,omitzero"`
	// Restock puts the stock back; true by default.
	Restock Opt[bool] `json:"restock,omitzero"`
}
