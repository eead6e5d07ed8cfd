package client

import "github.com/oklog/ulid/v2"

// FulfillmentOrderInput is the body of FulfillmentOrderService.Update: any
// combination of its members.
type FulfillmentOrderInput struct {
	// Status: FulfillmentUnpacked only from packed, FulfillmentReadyForPickup only
	// for pickup, and only FulfillmentDelivered for non-shippable ones. A tracking
	// event with the status delivered is the better way to FulfillmentDelivered.
	Status           FulfillmentStatus             `json:"status,omitzero"`
	TrackingInfo     Opt[TrackingInfoInput]        `json:"tracking_info,omitzero"`
	Destination      Opt[FulfillmentAddressInput]  `json:"destination,omitzero"`
	Shipping         Opt[FulfillmentShippingInput] `json:"shipping,omitzero"`
	Recipient        Opt[RecipientInput]           `json:"recipient,omitzero"`
	AssignedLocation Opt[AssignedLocationInput]    `json:"assigned_location,omitzero"`
}

func (in FulfillmentOrderInput) check() error {
	if in == (FulfillmentOrderInput{}) {
		return Invalid("status", "", "at least one member to change")
	}
	switch in.Status {
	case "", FulfillmentUnpacked, FulfillmentPacked, FulfillmentDispatched, FulfillmentReadyForPickup, FulfillmentDelivered:
	default:
		return Invalid("status", in.Status, "UNPACKED, PACKED, DISPATCHED, READY_FOR_PICKUP or DELIVERED")
	}
	if l, ok := in.AssignedLocation.Get(); ok && l.LocationID == (ulid.ULID{}) {
		return Invalid("assigned_location.location_id", l.LocationID, "the id of a location")
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

// FulfillmentAddressInput is a new destination.
type FulfillmentAddressInput struct {
	Zipcode        string     `json:"zipcode,omitzero"`
	Street         string     `json:"street,omitzero"`
	Number         string     `json:"number,omitzero"`
	Floor          string     `json:"floor,omitzero"`
	Locality       string     `json:"locality,omitzero"`
	City           string     `json:"city,omitzero"`
	Reference      string     `json:"reference,omitzero"`
	BetweenStreets string     `json:"between_streets,omitzero"`
	Province       NamedInput `json:"province,omitzero"`
	Region         NamedInput `json:"region,omitzero"`
	Country        NamedInput `json:"country,omitzero"`
}

// NamedInput is a region or a country with its code.
type NamedInput struct {
	Name string `json:"name,omitzero"`
	Code string `json:"code,omitzero"`
}

// FulfillmentShippingInput is a new way of shipping.
type FulfillmentShippingInput struct {
	Type    PickupType                   `json:"type,omitzero"`
	Carrier Opt[FulfillmentCarrierInput] `json:"carrier,omitzero"`
	Option  Opt[FulfillmentOptionInput]  `json:"option,omitzero"`
	// MerchantCost is what the store pays to the carrier, ConsumerCost what the
	// customer pays.
	MerchantCost    Opt[AmountInput] `json:"merchant_cost,omitzero"`
	ConsumerCost    Opt[AmountInput] `json:"consumer_cost,omitzero"`
	MinDeliveryDate Opt[Time]        `json:"min_delivery_date,omitzero"`
	MaxDeliveryDate Opt[Time]        `json:"max_delivery_date,omitzero"`
}

// FulfillmentCarrierInput is a new carrier.
type FulfillmentCarrierInput struct {
	CarrierID string      `json:"carrier_id,omitzero"`
	Code      CarrierCode `json:"code,omitzero"`
	Name      string      `json:"name,omitzero"`
}

// FulfillmentOptionInput is a new option of the carrier.
type FulfillmentOptionInput struct {
	Name      string      `json:"name,omitzero"`
	Code      string      `json:"code,omitzero"`
	Reference Opt[string] `json:"reference,omitzero"`
}

// AmountInput is an amount whose value is written as a JSON number.
type AmountInput struct {
	Value Money
	// Currency is an ISO 4217 code.
	Currency string
}

// MarshalJSON writes {value, currency} with the value as a number.
func (in AmountInput) MarshalJSON() ([]byte, error) {
	return Amount{Value: in.Value, Currency: in.Currency}.MarshalJSON()
}

// RecipientInput is a new recipient.
type RecipientInput struct {
	Name       string `json:"name,omitzero"`
	Phone      string `json:"phone,omitzero"`
	Identifier string `json:"identifier,omitzero"`
}

// AssignedLocationInput is the new location.
type AssignedLocationInput struct {
	LocationID ulid.ULID `json:"location_id"`
}
