package client

import (
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// FulfillmentShipping is the shipping method of a fulfillment order.
type FulfillmentShipping struct {
	Type    PickupType          `json:"type"`    // delivery or pickup
	Carrier *FulfillmentCarrier `json:"carrier"` // nil if there is none
	Option  *FulfillmentOption  `json:"option"`  // nil if none was chosen
	// MerchantCost is the amount that the store pays to the carrier. ConsumerCost is the amount that the customer pays.
	MerchantCost    Amount `json:"merchant_cost"`
	ConsumerCost    Amount `json:"consumer_cost"`
	MinDeliveryDate Time   `json:"min_delivery_date"` // the earliest expected time; zero if unknown
	MaxDeliveryDate Time   `json:"max_delivery_date"` // the latest expected time; zero if unknown
	// EstimatedDeliveryTime is nil if the carrier reports none.
	EstimatedDeliveryTime *DeliveryTime `json:"estimated_delivery_time"`
	// PickupDetails is nil unless the customer picks it up.
	PickupDetails *FulfillmentPickup `json:"pickup_details"`
	Extras        *ShippingExtras    `json:"extras"` // nil if there are none
	Extra         Extra              `json:",embed"`
}

// FulfillmentCarrier is the carrier of a fulfillment order.
type FulfillmentCarrier struct {
	CarrierID Code        `json:"carrier_id"` // a number, or a name for carriers of the platform
	Code      CarrierCode `json:"code"`       // the kind of carrier
	Name      string      `json:"name"`       // as the customer sees it
	// AppID is the app that the carrier belongs to; nil if there is none.
	AppID *ID   `json:"app_id"`
	Extra Extra `json:",embed"`
}

// CarrierCode is the kind of a carrier.
type CarrierCode string

// The values of CarrierCode. The contract only names them. CarrierCodeAPI is the code of carriers of apps, and
// CarrierCodeNative that of carriers of the platform. The contract does not describe CarrierCodeCustom,
// CarrierCodeLocale, CarrierCodeInternational, CarrierCodeDraft and CarrierCodeDefault.
const (
	CarrierCodeAPI           CarrierCode = "api"
	CarrierCodeCustom        CarrierCode = "custom"
	CarrierCodeLocale        CarrierCode = "locale"
	CarrierCodeInternational CarrierCode = "international"
	CarrierCodeNative        CarrierCode = "native"
	CarrierCodeDraft         CarrierCode = "draft"
	CarrierCodeDefault       CarrierCode = "default"
)

// Known reports whether the contract names the value.
func (c CarrierCode) Known() bool {
	return wire.Known(c,
		CarrierCodeAPI, CarrierCodeCustom, CarrierCodeLocale, CarrierCodeInternational, CarrierCodeNative, CarrierCodeDraft, CarrierCodeDefault,
	)
}

// FulfillmentOption is the carrier's option that the customer chose.
type FulfillmentOption struct {
	Name string `json:"name"` // as the customer sees it
	Code string `json:"code"` // of the carrier's option
	// Reference is the carrier's own reference, as it was reported with the rates.
	Reference         *string `json:"reference"`
	AllowFreeShipping bool    `json:"allow_free_shipping"` // the merchant allows free shipping
	Extra             Extra   `json:",embed"`
}

// DeliveryTime is the expected time of the delivery.
type DeliveryTime struct {
	Min   DeliveryEstimate `json:"min"` // the earliest time
	Max   DeliveryEstimate `json:"max"` // the latest time
	Extra Extra            `json:",embed"`
}

// DeliveryEstimate is one bound of a DeliveryTime.
type DeliveryEstimate struct {
	Days          Int           `json:"days"`           // calendar days
	BusinessDays  Int           `json:"business_days"`  // days on which carriers work
	Date          Time          `json:"date"`           // the resulting date
	AggregateDays AggregateDays `json:"aggregate_days"` // the parts of the days
	Extra         Extra         `json:",embed"`
}

// AggregateDays has the parts of the days of an estimate.
type AggregateDays struct {
	ByProductHandlingDays             Int   `json:"by_product_handling_days"`                 // preparation of the product
	ByTransferHandlingDays            Int   `json:"by_transfer_handling_days"`                // transfer of stock from another location
	ByDCPreparationDays               Int   `json:"by_dc_preparation_days"`                   // preparation in the distribution center
	ByDCNonWorkingDaysSkipped         Int   `json:"by_dc_non_working_days_skipped"`           // days when the distribution center is closed
	ByCarrierPickupDaysAndTimesOfCuts Int   `json:"by_carrier_pickup_days_and_times_of_cuts"` // until the carrier collects it
	ByCarriersOriginalEstimatedDays   Int   `json:"by_carriers_original_estimated_days"`      // as the carrier estimated
	ByCarriersAdditionalDays          Int   `json:"by_carriers_additional_days"`              // added by the merchant
	ByCarrierNonWorkingDaysSkipped    Int   `json:"by_carrier_non_working_days_skipped"`      // days when the carrier does not work
	Extra                             Extra `json:",embed"`
}

// FulfillmentPickup is the pickup place of a fulfillment order.
type FulfillmentPickup struct {
	// LocationID is nil if the place is not a location of the store.
	LocationID *ulid.ULID `json:"location_id"`
	// StoreBranchID is deprecated by the platform.
	StoreBranchID Code                `json:"store_branch_id"`
	Name          string              `json:"name"`         // of the place
	Address       *FulfillmentAddress `json:"address"`      // nil if unknown
	PickupHours   []PickupHours       `json:"pickup_hours"` // the opening hours
	Extra         Extra               `json:",embed"`
}

// PickupHours are the opening hours on one weekday.
type PickupHours struct {
	Day Weekday `json:"day"` // the weekday
	// Start and End are hours and minutes, such as "0800".
	Start Code  `json:"start"`
	End   Code  `json:"end"`
	Extra Extra `json:",embed"`
}

// Weekday is a day of the week.
type Weekday string

// The values of Weekday.
const (
	WeekdayMonday    Weekday = "MONDAY"    // the first day of the week
	WeekdayTuesday   Weekday = "TUESDAY"   // the second day
	WeekdayWednesday Weekday = "WEDNESDAY" // the third day
	WeekdayThursday  Weekday = "THURSDAY"  // the fourth day
	WeekdayFriday    Weekday = "FRIDAY"    // the fifth day
	WeekdaySaturday  Weekday = "SATURDAY"  // the sixth day
	WeekdaySunday    Weekday = "SUNDAY"    // the last day of the week
)

// Known reports whether the contract names the value.
func (d Weekday) Known() bool {
	return wire.Known(d, WeekdayMonday, WeekdayTuesday, WeekdayWednesday, WeekdayThursday, WeekdayFriday, WeekdaySaturday, WeekdaySunday)
}

// ShippingExtras are details of the chosen option.
type ShippingExtras struct {
	// FreeShippingInfo is nil if shipping was not made free.
	FreeShippingInfo *FreeShippingInfo `json:"free_shipping_info"`
	PhoneRequired    bool              `json:"phone_required"` // a phone number of the customer is required
	IDRequired       bool              `json:"id_required"`    // an identification of the customer is required
	AcceptsCOD       bool              `json:"accepts_cod"`    // cash on delivery
	ShowTime         bool              `json:"show_time"`      // the customer sees the time of delivery
	Shippable        bool              `json:"shippable"`      // it can be shipped
	Extra            Extra             `json:",embed"`
}

// FreeShippingInfo is the reason for free shipping, and the original cost.
type FreeShippingInfo struct {
	FreeShippingID       Code    `json:"free_shipping_id"`       // the id of the reason
	ConsumerOriginalCost Decimal `json:"consumer_original_cost"` // the amount that the customer would have paid
	Extra                Extra   `json:",embed"`
}
