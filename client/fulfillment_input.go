package client

import (
	"fmt"
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// FulfillmentOrderInput is the body of FulfillmentOrderService.Update: any
// combination of its members.
type FulfillmentOrderInput struct {
	// Status: FulfillmentUnpacked only from packed, FulfillmentReadyForPickup only
	// for pickup, and only FulfillmentDelivered for non-shippable ones. A tracking
	// event with the status delivered is the better way to FulfillmentDelivered.
	Status           FulfillmentStatus             `json:"status,omitzero"`
	TrackingInfo     Opt[TrackingInfoInput]        `json:"tracking_info,omitzero"`     // where the carrier's tracking is; null takes it away
	Destination      Opt[FulfillmentAddressInput]  `json:"destination,omitzero"`       // where it goes
	Shipping         Opt[FulfillmentShippingInput] `json:"shipping,omitzero"`          // how it gets there
	Recipient        Opt[RecipientInput]           `json:"recipient,omitzero"`         // who receives it
	AssignedLocation Opt[AssignedLocationInput]    `json:"assigned_location,omitzero"` // where it leaves from
}

func (in FulfillmentOrderInput) check() error {
	if reflect.ValueOf(in).IsZero() {
		return engine.Invalid("status", "", "at least one member to change")
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
	// Code and URL: Null removes them.
	Code Opt[string] `json:"code,omitzero"`
	URL  Opt[string] `json:"url,omitzero"`
	// NotifyCustomer sends mail; false by default.
	NotifyCustomer bool `json:"notify_customer,omitzero"`
}

// FulfillmentAddressInput is a new destination. What is left out may stay as it was: Null
// takes away what the new place does not have, such as a floor.
type FulfillmentAddressInput struct {
	Zipcode        string      `json:"zipcode,omitzero"`         // postal code
	Street         string      `json:"street,omitzero"`          // without the number
	Number         Opt[string] `json:"number,omitzero"`          // house number
	Floor          Opt[string] `json:"floor,omitzero"`           // floor or apartment
	Locality       Opt[string] `json:"locality,omitzero"`        // quarter or part of the city
	City           string      `json:"city,omitzero"`            // city or town
	Reference      Opt[string] `json:"reference,omitzero"`       // how to find it
	BetweenStreets Opt[string] `json:"between_streets,omitzero"` // the streets on both sides of it
	Province       NamedInput  `json:"province,omitzero"`        // province or state
	Region         NamedInput  `json:"region,omitzero"`          // region that the province is in
	Country        NamedInput  `json:"country,omitzero"`         // its code is of ISO 3166-1
}

// NamedInput is a region or a country with its code.
type NamedInput struct {
	Name string `json:"name,omitzero"` // as people read it
	Code string `json:"code,omitzero"` // such as AR
}

// FulfillmentShippingInput is a new way of shipping.
type FulfillmentShippingInput struct {
	Type    PickupType                   `json:"type,omitzero"`    // brought to the customer, or picked up
	Carrier Opt[FulfillmentCarrierInput] `json:"carrier,omitzero"` // who brings it
	Option  Opt[FulfillmentOptionInput]  `json:"option,omitzero"`  // which of the carrier's services
	// MerchantCost is what the store pays to the carrier, ConsumerCost what the
	// customer pays.
	MerchantCost    Opt[AmountInput] `json:"merchant_cost,omitzero"`
	ConsumerCost    Opt[AmountInput] `json:"consumer_cost,omitzero"`
	MinDeliveryDate Opt[Time]        `json:"min_delivery_date,omitzero"` // not expected before
	MaxDeliveryDate Opt[Time]        `json:"max_delivery_date,omitzero"` // not expected after
	// PickupDetails say where it is picked up.
	PickupDetails Opt[FulfillmentPickupInput] `json:"pickup_details,omitzero"`
	Extras        Opt[ShippingExtrasInput]    `json:"extras,omitzero"` // details of the option
}

// FulfillmentCarrierInput is a new carrier.
type FulfillmentCarrierInput struct {
	CarrierID string      `json:"carrier_id,omitzero"` // of a carrier of the store
	Code      CarrierCode `json:"code,omitzero"`       // what kind of carrier it is
	Name      string      `json:"name,omitzero"`       // as the customer sees it
}

// FulfillmentOptionInput is a new option of the carrier.
type FulfillmentOptionInput struct {
	Name              string      `json:"name,omitzero"`                // as the customer sees it
	Code              string      `json:"code,omitzero"`                // that of the carrier's option
	Reference         Opt[string] `json:"reference,omitzero"`           // the carrier's own
	AllowFreeShipping Opt[bool]   `json:"allow_free_shipping,omitzero"` // whether the merchant lets it be free
}

// FulfillmentPickupInput is a new place to pick up.
type FulfillmentPickupInput struct {
	// LocationID: Null for a place that is no location of the store.
	LocationID    Opt[ulid.ULID]               `json:"location_id,omitzero"`
	StoreBranchID string                       `json:"store_branch_id,omitzero"` // being deprecated by the platform
	Name          string                       `json:"name,omitzero"`            // of the place
	Address       Opt[FulfillmentAddressInput] `json:"address,omitzero"`         // of the place
	PickupHours   Opt[[]PickupHoursInput]      `json:"pickup_hours,omitzero"`    // when it is open; replaces all hours
}

// PickupHoursInput are the hours of one weekday.
type PickupHoursInput struct {
	Day Weekday `json:"day"` // WeekdayMonday to WeekdaySunday
	// Start and End are hours and minutes: "0800".
	Start string `json:"start"`
	End   string `json:"end"`
}

// ShippingExtrasInput are new details of the option. What the platform works out,
// such as the free shipping, is not among them.
type ShippingExtrasInput struct {
	PhoneRequired Opt[bool] `json:"phone_required,omitzero"` // the customer must leave a phone number
	IDRequired    Opt[bool] `json:"id_required,omitzero"`    // the customer must identify himself
	AcceptsCOD    Opt[bool] `json:"accepts_cod,omitzero"`    // cash on delivery
	ShowTime      Opt[bool] `json:"show_time,omitzero"`      // the customer is shown when it arrives
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

// RecipientInput is a new recipient. What is left out may stay as it was: Null takes away
// what the new one does not have.
type RecipientInput struct {
	Name       string      `json:"name,omitzero"`       // first and last name
	Phone      Opt[string] `json:"phone,omitzero"`      // phone number
	Identifier Opt[string] `json:"identifier,omitzero"` // number of an identity document
}

// AssignedLocationInput is the new location.
type AssignedLocationInput struct {
	LocationID ulid.ULID `json:"location_id"` // a location of the store
}
