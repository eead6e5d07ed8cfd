package client

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// OrderInput is the body of OrderService.Create. Customer and Products are required. The platform sets defaults for
// absent members.
type OrderInput struct {
	// Currency is an ISO 4217 code. The default is the currency of the store.
	Currency string `json:"currency,omitzero"`
	// Language is an ISO 639-1 code. The default is the main language of the store.
	Language string `json:"language,omitzero"`
	// Gateway is "not-provided" by default, or "offline".
	Gateway string `json:"gateway,omitzero"`
	// PaymentStatus is PaymentPending by default.
	PaymentStatus PaymentStatus `json:"payment_status,omitzero"`
	// Status is OrderOpen by default.
	Status OrderStatus `json:"status,omitzero"`
	// Fulfillment is ShippingStatusUnpacked by default. In v1 the member is named fulfillment_status; the client writes
	// the name of the version.
	Fulfillment ShippingStatus      `json:"fulfillment,omitzero"`
	Products    []OrderProductInput `json:"products"`
	// Total must be positive. The platform computes it if it is absent.
	Total Opt[Money] `json:"total,omitzero"`
	// InventoryBehaviour is InventoryBehaviourBypass by default.
	InventoryBehaviour InventoryBehaviour `json:"inventory_behaviour,omitzero"`
	Customer           OrderCustomerInput `json:"customer"`
	Note               string             `json:"note,omitzero"` // of the customer
	// BillingAddress and ShippingAddress may be incomplete. The platform fills missing texts with a placeholder, the
	// zipcode with 0000 and the country with that of the store.
	BillingAddress  OrderAddressInput `json:"billing_address,omitzero"`
	ShippingAddress OrderAddressInput `json:"shipping_address,omitzero"`
	// ShippingPickupType is PickupTypePickup by default.
	ShippingPickupType PickupType `json:"shipping_pickup_type,omitzero"`
	// Shipping is "branch", "table" or "not-provided".
	Shipping string `json:"shipping,omitzero"`
	// ShippingOption is the name of the shipping method that customers see.
	ShippingOption         string `json:"shipping_option,omitzero"`
	ShippingTrackingNumber string `json:"shipping_tracking_number,omitzero"` // of the carrier
	// ShippingCostCustomer is 0 by default, which means free shipping.
	ShippingCostCustomer Opt[Money] `json:"shipping_cost_customer,omitzero"`
	ShippingCostOwner    Opt[Money] `json:"shipping_cost_owner,omitzero"` // the amount that the merchant pays to the carrier
	// ShippingMinDays and ShippingMaxDays are weekdays.
	ShippingMinDays Opt[int] `json:"shipping_min_days,omitzero"`
	ShippingMaxDays Opt[int] `json:"shipping_max_days,omitzero"`
	// SendConfirmationEmail and SendFulfillmentEmail are false by default.
	SendConfirmationEmail bool `json:"send_confirmation_email,omitzero"`
	SendFulfillmentEmail  bool `json:"send_fulfillment_email,omitzero"`
	// LocationID is the location whose stock is used.
	LocationID ulid.ULID `json:"location_id,omitzero"`
}

// OrderProductInput is a line of a new order.
type OrderProductInput struct {
	VariantID ID  `json:"variant_id"` // required
	Quantity  int `json:"quantity"`   // pieces, at least 1
	// Price is for one piece. The default is the price of the variant.
	Price Opt[Money] `json:"price,omitzero"`
}

// OrderCustomerInput is the customer of a new order.
type OrderCustomerInput struct {
	Name  string `json:"name"`           // first and last name; required
	Email string `json:"email"`          // email address; required
	Phone string `json:"phone,omitzero"` // phone number
	// Document is the number of an identity document.
	Document string `json:"document,omitzero"`
}

// OrderAddressInput is an address of a new order.
type OrderAddressInput struct {
	FirstName string `json:"first_name,omitzero"` // of the recipient
	LastName  string `json:"last_name,omitzero"`  // of the recipient
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
	// Customs is free-form data of a shipping address, such as reference and between_streets.
	Customs map[string]string `json:"customs,omitzero"`
}

// InventoryBehaviour is the effect of a new order on the stock.
type InventoryBehaviour string

// The values of InventoryBehaviour.
const (
	InventoryBehaviourBypass InventoryBehaviour = "bypass" // the stock is not changed
	InventoryBehaviourClaim  InventoryBehaviour = "claim"  // the stock is reserved; the platform rejects the order if it is insufficient
)

// Known reports whether the contract names the value.
func (b InventoryBehaviour) Known() bool {
	return wire.Known(b, InventoryBehaviourBypass, InventoryBehaviourClaim)
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

// OrderUpdate is the body of OrderService.Update. Other members of an order cannot be changed by it.
type OrderUpdate struct {
	// OwnerNote is the note of the merchant. Null removes it.
	OwnerNote Opt[string] `json:"owner_note,omitzero"`
	// Status is OrderOpen, OrderClosed or OrderCancelled; in v1 also "paid".
	Status OrderStatus `json:"status,omitzero"`
}

// OrderPaid is a status that only v1 accepts in OrderUpdate. It marks the order as paid.
const OrderPaid OrderStatus = "paid"

func (in OrderUpdate) check(v Version) error {
	if in.OwnerNote.IsZero() && in.Status == "" {
		return engine.Invalid("owner_note", "", "a note or a status to change")
	}
	if in.Status == OrderPaid && v != VersionV1 {
		return fmt.Errorf("status: %s: %w", wire.Quote(string(in.Status)), ErrNotInVersion)
	}
	if in.Status != "" && in.Status != OrderPaid && !in.Status.Known() {
		return engine.Invalid("status", in.Status, "open, closed or cancelled")
	}
	return nil
}

// OrderCancel is the body of OrderService.Cancel. The zero value means CancelReasonOther, with email and restock.
type OrderCancel struct {
	Reason CancelReason `json:"reason,omitzero"` // empty means CancelReasonOther
	// Email sends an email to the customer. The default is true.
	Email Opt[bool] `json:"email,omitzero"`
	// Restock returns the products to the stock. The default is true.
	Restock Opt[bool] `json:"restock,omitzero"`
}
