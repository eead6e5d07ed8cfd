package client

import (
	"fmt"
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// FulfillmentOrderInput is the body of FulfillmentOrderService.Update. At least one member must be present.
type FulfillmentOrderInput struct {
	// Status is the new status. FulfillmentUnpacked requires the status packed, and FulfillmentReadyForPickup requires
	// pickup. Non-shippable fulfillment orders accept only FulfillmentDelivered. To mark an order as delivered, prefer
	// a tracking event with the status delivered.
	Status           FulfillmentStatus             `json:"status,omitzero"`
	TrackingInfo     Opt[TrackingInfoInput]        `json:"tracking_info,omitzero"`     // the carrier's tracking; null removes it
	Destination      Opt[FulfillmentAddressInput]  `json:"destination,omitzero"`       // the address of the delivery
	Shipping         Opt[FulfillmentShippingInput] `json:"shipping,omitzero"`          // the shipping method
	Recipient        Opt[RecipientInput]           `json:"recipient,omitzero"`         // the person who receives it
	AssignedLocation Opt[AssignedLocationInput]    `json:"assigned_location,omitzero"` // the location that ships it
}

func (in FulfillmentOrderInput) check() error {
	if reflect.ValueOf(in).IsZero() {
		return engine.Invalid("status", "", "set, unless another member is")
	}
	switch in.Status {
	case "", FulfillmentUnpacked, FulfillmentPacked, FulfillmentDispatched, FulfillmentReadyForPickup, FulfillmentDelivered:
	default:
		return engine.Invalid("status", in.Status, "UNPACKED, PACKED, DISPATCHED, READY_FOR_PICKUP or DELIVERED")
	}
	if l, ok := in.AssignedLocation.Get(); ok && l.LocationID == (ulid.ULID{}) {
		return engine.Invalid("assigned_location.location_id", l.LocationID, "the id of a location")
	}
	for i, h := range in.Shipping.Or(FulfillmentShippingInput{}).PickupDetails.Or(FulfillmentPickupInput{}).PickupHours.Or(nil) {
		if !h.Day.Known() {
			return engine.Invalid(fmt.Sprintf("shipping.pickup_details.pickup_hours[%d].day", i), h.Day, "MONDAY to SUNDAY")
		}
	}
	return nil
}

// TrackingInfoInput is the new tracking info.
type TrackingInfoInput struct {
	// Code and URL are the tracking code and address. Null removes them.
	Code Opt[string] `json:"code,omitzero"`
	URL  Opt[string] `json:"url,omitzero"`
	// NotifyCustomer sends an e-mail to the customer; false by default.
	NotifyCustomer bool `json:"notify_customer,omitzero"`
}

// FulfillmentAddressInput is a new destination. Absent members may remain unchanged. Set a member to Null if the new
// address does not have it, such as a floor.
type FulfillmentAddressInput struct {
	Zipcode        string      `json:"zipcode,omitzero"`         // postal code
	Street         string      `json:"street,omitzero"`          // without the number
	Number         Opt[string] `json:"number,omitzero"`          // house number
	Floor          Opt[string] `json:"floor,omitzero"`           // floor or apartment
	Locality       Opt[string] `json:"locality,omitzero"`        // quarter or part of the city
	City           string      `json:"city,omitzero"`            // city or town
	Reference      Opt[string] `json:"reference,omitzero"`       // a hint for finding it
	BetweenStreets Opt[string] `json:"between_streets,omitzero"` // the streets on both sides of it
	Province       NamedInput  `json:"province,omitzero"`        // province or state
	Region         NamedInput  `json:"region,omitzero"`          // region that the province is in
	Country        NamedInput  `json:"country,omitzero"`         // its code is an ISO 3166-1 code
}

// NamedInput is a province, region or country with its code.
type NamedInput struct {
	Name string `json:"name,omitzero"` // as people read it
	Code string `json:"code,omitzero"` // such as AR
}

// FulfillmentShippingInput is a new shipping method.
type FulfillmentShippingInput struct {
	Type    PickupType                   `json:"type,omitzero"`    // delivery or pickup
	Carrier Opt[FulfillmentCarrierInput] `json:"carrier,omitzero"` // the carrier
	Option  Opt[FulfillmentOptionInput]  `json:"option,omitzero"`  // the option of the carrier
	// MerchantCost is the amount that the store pays to the carrier. ConsumerCost is the amount that the customer pays.
	MerchantCost    Opt[AmountInput] `json:"merchant_cost,omitzero"`
	ConsumerCost    Opt[AmountInput] `json:"consumer_cost,omitzero"`
	MinDeliveryDate Opt[Time]        `json:"min_delivery_date,omitzero"` // the earliest expected time
	MaxDeliveryDate Opt[Time]        `json:"max_delivery_date,omitzero"` // the latest expected time
	// PickupDetails is the pickup place.
	PickupDetails Opt[FulfillmentPickupInput] `json:"pickup_details,omitzero"`
	Extras        Opt[ShippingExtrasInput]    `json:"extras,omitzero"` // details of the option
}

// FulfillmentCarrierInput is a new carrier.
type FulfillmentCarrierInput struct {
	CarrierID string      `json:"carrier_id,omitzero"` // of a carrier of the store
	Code      CarrierCode `json:"code,omitzero"`       // the kind of carrier
	Name      string      `json:"name,omitzero"`       // as the customer sees it
}

// FulfillmentOptionInput is a new option of the carrier.
type FulfillmentOptionInput struct {
	Name              string      `json:"name,omitzero"`                // as the customer sees it
	Code              string      `json:"code,omitzero"`                // of the carrier's option
	Reference         Opt[string] `json:"reference,omitzero"`           // the carrier's own reference
	AllowFreeShipping Opt[bool]   `json:"allow_free_shipping,omitzero"` // whether the merchant allows free shipping
}

// FulfillmentPickupInput is a new pickup place.
type FulfillmentPickupInput struct {
	// LocationID is the location. Null means that the place is no location of the store.
	LocationID    Opt[ulid.ULID]               `json:"location_id,omitzero"`
	StoreBranchID string                       `json:"store_branch_id,omitzero"` // deprecated by the platform
	Name          string                       `json:"name,omitzero"`            // of the place
	Address       Opt[FulfillmentAddressInput] `json:"address,omitzero"`         // of the place
	PickupHours   Opt[[]PickupHoursInput]      `json:"pickup_hours,omitzero"`    // the opening hours; replaces all hours
}

// PickupHoursInput are the opening hours on one weekday.
type PickupHoursInput struct {
	Day Weekday `json:"day"` // WeekdayMonday to WeekdaySunday
	// Start and End are hours and minutes, such as "0800".
	Start string `json:"start"`
	End   string `json:"end"`
}

// ShippingExtrasInput are new details of the option. It has no members that the platform computes, such as free
// shipping.
type ShippingExtrasInput struct {
	PhoneRequired Opt[bool] `json:"phone_required,omitzero"` // a phone number of the customer is required
	IDRequired    Opt[bool] `json:"id_required,omitzero"`    // an identification of the customer is required
	AcceptsCOD    Opt[bool] `json:"accepts_cod,omitzero"`    // cash on delivery
	ShowTime      Opt[bool] `json:"show_time,omitzero"`      // the customer sees the time of delivery
}

// AmountInput is an amount whose value is written as a JSON number.
type AmountInput struct {
	Value Money // exact
	// Currency is an ISO 4217 code.
	Currency string
}

// MarshalJSON writes {value, currency} with the value as a number.
func (in AmountInput) MarshalJSON() ([]byte, error) {
	return Amount{Value: in.Value, Currency: in.Currency}.MarshalJSON()
}

// RecipientInput is a new recipient. Absent members may remain unchanged. Set a member to Null if the new recipient
// does not have it.
type RecipientInput struct {
	Name       string      `json:"name,omitzero"`       // first and last name
	Phone      Opt[string] `json:"phone,omitzero"`      // phone number
	Identifier Opt[string] `json:"identifier,omitzero"` // number of an identity document
}

// AssignedLocationInput is the location that ships the fulfillment order.
type AssignedLocationInput struct {
	LocationID ulid.ULID `json:"location_id"` // a location of the store
}
