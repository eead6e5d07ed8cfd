package client

import "github.com/oklog/ulid/v2"

// FulfillmentShipping is how a fulfillment order reaches the customer.
type FulfillmentShipping struct {
	Type    PickupType          `json:"type"`
	Carrier *FulfillmentCarrier `json:"carrier"`
	Option  *FulfillmentOption  `json:"option"`
	// MerchantCost is what the store pays to the carrier, ConsumerCost what the
	// customer pays.
	MerchantCost    Amount `json:"merchant_cost"`
	ConsumerCost    Amount `json:"consumer_cost"`
	MinDeliveryDate Time   `json:"min_delivery_date"`
	MaxDeliveryDate Time   `json:"max_delivery_date"`
	// EstimatedDeliveryTime is nil if the carrier gave none.
	EstimatedDeliveryTime *DeliveryTime `json:"estimated_delivery_time"`
	// PickupDetails is nil unless the customer picks it up.
	PickupDetails *FulfillmentPickup `json:"pickup_details"`
	Extras        *ShippingExtras    `json:"extras"`
	Extra         Extra              `json:",embed"`
}

// FulfillmentCarrier is who carries a fulfillment order.
type FulfillmentCarrier struct {
	CarrierID Code        `json:"carrier_id"`
	Code      CarrierCode `json:"code"`
	Name      string      `json:"name"`
	// AppID is the app that the carrier belongs to; nil if none does.
	AppID *ID   `json:"app_id"`
	Extra Extra `json:",embed"`
}

// CarrierCode is the kind of a carrier.
type CarrierCode string

// The values of CarrierCode.
const (
	APICarrier           CarrierCode = "api"
	CustomCarrier        CarrierCode = "custom"
	LocaleCarrier        CarrierCode = "locale"
	InternationalCarrier CarrierCode = "international"
	NativeCarrier        CarrierCode = "native"
	DraftCarrier         CarrierCode = "draft"
	DefaultCarrier       CarrierCode = "default"
)

// Known reports whether the contract names the value.
func (c CarrierCode) Known() bool {
	switch c {
	case APICarrier, CustomCarrier, LocaleCarrier, InternationalCarrier, NativeCarrier, DraftCarrier, DefaultCarrier:
		return true
	}
	return false
}

// FulfillmentOption is the carrier's option that the customer chose.
type FulfillmentOption struct {
	Name string `json:"name"`
	Code string `json:"code"`
	// Reference is the carrier's own, as it gave it with its rates.
	Reference         *string `json:"reference"`
	AllowFreeShipping bool    `json:"allow_free_shipping"`
	Extra             Extra   `json:",embed"`
}

// DeliveryTime is when the goods are expected.
type DeliveryTime struct {
	Min   DeliveryEstimate `json:"min"`
	Max   DeliveryEstimate `json:"max"`
	Extra Extra            `json:",embed"`
}

// DeliveryEstimate is one bound of a DeliveryTime.
type DeliveryEstimate struct {
	Days          Int           `json:"days"`
	BusinessDays  Int           `json:"business_days"`
	Date          Time          `json:"date"`
	AggregateDays AggregateDays `json:"aggregate_days"`
	Extra         Extra         `json:",embed"`
}

// AggregateDays tells what the days of an estimate are made of.
type AggregateDays struct {
	ByProductHandlingDays             Int   `json:"by_product_handling_days"`
	ByTransferHandlingDays            Int   `json:"by_transfer_handling_days"`
	ByDCPreparationDays               Int   `json:"by_dc_preparation_days"`
	ByDCNonWorkingDaysSkipped         Int   `json:"by_dc_non_working_days_skipped"`
	ByCarrierPickupDaysAndTimesOfCuts Int   `json:"by_carrier_pickup_days_and_times_of_cuts"`
	ByCarriersOriginalEstimatedDays   Int   `json:"by_carriers_original_estimated_days"`
	ByCarriersAdditionalDays          Int   `json:"by_carriers_additional_days"`
	ByCarrierNonWorkingDaysSkipped    Int   `json:"by_carrier_non_working_days_skipped"`
	Extra                             Extra `json:",embed"`
}

// FulfillmentPickup is where a fulfillment order is picked up.
type FulfillmentPickup struct {
	// LocationID is nil if the place is no location of the store.
	LocationID *ulid.ULID `json:"location_id"`
	// StoreBranchID is being deprecated by the platform.
	StoreBranchID Code                `json:"store_branch_id"`
	Name          string              `json:"name"`
	Address       *FulfillmentAddress `json:"address"`
	PickupHours   []PickupHours       `json:"pickup_hours"`
	Extra         Extra               `json:",embed"`
}

// PickupHours are the hours of one weekday.
type PickupHours struct {
	Day Weekday `json:"day"`
	// Start and End are hours and minutes: "0800".
	Start Code  `json:"start"`
	End   Code  `json:"end"`
	Extra Extra `json:",embed"`
}

// Weekday is a day of the week.
type Weekday string

// The values of Weekday.
const (
	Monday    Weekday = "MONDAY"
	Tuesday   Weekday = "TUESDAY"
	Wednesday Weekday = "WEDNESDAY"
	Thursday  Weekday = "THURSDAY"
	Friday    Weekday = "FRIDAY"
	Saturday  Weekday = "SATURDAY"
	Sunday    Weekday = "SUNDAY"
)

// Known reports whether the contract names the value.
func (d Weekday) Known() bool {
	switch d {
	case Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday:
		return true
	}
	return false
}

// ShippingExtras are details of the chosen option.
type ShippingExtras struct {
	// FreeShippingInfo is nil if shipping was not made free.
	FreeShippingInfo *FreeShippingInfo `json:"free_shipping_info"`
	PhoneRequired    bool              `json:"phone_required"`
	IDRequired       bool              `json:"id_required"`
	AcceptsCOD       bool              `json:"accepts_cod"` // cash on delivery
	ShowTime         bool              `json:"show_time"`
	Shippable        bool              `json:"shippable"`
	Extra            Extra             `json:",embed"`
}

// FreeShippingInfo tells what made shipping free, and what it would have cost.
type FreeShippingInfo struct {
	FreeShippingID       Code    `json:"free_shipping_id"`
	ConsumerOriginalCost Decimal `json:"consumer_original_cost"`
	Extra                Extra   `json:",embed"`
}
