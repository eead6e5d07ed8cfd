package client

import (
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/enum"
)

// FulfillmentShipping is how a fulfillment order reaches the customer.
type FulfillmentShipping struct {
	Type    PickupType          `json:"type"`    // brought to the customer, or picked up
	Carrier *FulfillmentCarrier `json:"carrier"` // nil if there is none
	Option  *FulfillmentOption  `json:"option"`  // nil if none was chosen
	// MerchantCost is what the store pays to the carrier, ConsumerCost what the
	// customer pays.
	MerchantCost    Amount `json:"merchant_cost"`
	ConsumerCost    Amount `json:"consumer_cost"`
	MinDeliveryDate Time   `json:"min_delivery_date"` // not expected before; zero if not known
	MaxDeliveryDate Time   `json:"max_delivery_date"` // not expected after; zero if not known
	// EstimatedDeliveryTime is nil if the carrier gave none.
	EstimatedDeliveryTime *DeliveryTime `json:"estimated_delivery_time"`
	// PickupDetails is nil unless the customer picks it up.
	PickupDetails *FulfillmentPickup `json:"pickup_details"`
	Extras        *ShippingExtras    `json:"extras"` // nil if there are none
	Extra         Extra              `json:",embed"`
}

// FulfillmentCarrier is who carries a fulfillment order.
type FulfillmentCarrier struct {
	CarrierID Code        `json:"carrier_id"` // a number, or a name for carriers of the platform
	Code      CarrierCode `json:"code"`       // what kind of carrier it is
	Name      string      `json:"name"`       // as the customer sees it
	// AppID is the app that the carrier belongs to; nil if none does.
	AppID *ID   `json:"app_id"`
	Extra Extra `json:",embed"`
}

// CarrierCode is the kind of a carrier.
type CarrierCode string

// The values of CarrierCode. The contract names them and says no more: CarrierCodeAPI is that of
// carriers of apps and CarrierCodeNative that of the platform's; CarrierCodeCustom, CarrierCodeLocale,
// CarrierCodeInternational, CarrierCodeDraft and CarrierCodeDefault are to be taken as they stand.
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
	return enum.Known(c,
		CarrierCodeAPI, CarrierCodeCustom, CarrierCodeLocale, CarrierCodeInternational, CarrierCodeNative, CarrierCodeDraft, CarrierCodeDefault,
	)
}

// FulfillmentOption is the carrier's option that the customer chose.
type FulfillmentOption struct {
	Name string `json:"name"` // as the customer sees it
	Code string `json:"code"` // that of the carrier's option
	// Reference is the carrier's own, as it gave it with its rates.
	Reference         *string `json:"reference"`
	AllowFreeShipping bool    `json:"allow_free_shipping"` // the merchant lets it be free
	Extra             Extra   `json:",embed"`
}

// DeliveryTime is when the goods are expected.
type DeliveryTime struct {
	Min   DeliveryEstimate `json:"min"` // not before
	Max   DeliveryEstimate `json:"max"` // not after
	Extra Extra            `json:",embed"`
}

// DeliveryEstimate is one bound of a DeliveryTime.
type DeliveryEstimate struct {
	Days          Int           `json:"days"`           // days of the calendar
	BusinessDays  Int           `json:"business_days"`  // days on which carriers work
	Date          Time          `json:"date"`           // the day that these come to
	AggregateDays AggregateDays `json:"aggregate_days"` // what the days are made of
	Extra         Extra         `json:",embed"`
}

// AggregateDays tells what the days of an estimate are made of.
type AggregateDays struct {
	ByProductHandlingDays             Int   `json:"by_product_handling_days"`                 // to make the product ready
	ByTransferHandlingDays            Int   `json:"by_transfer_handling_days"`                // to bring stock from another location
	ByDCPreparationDays               Int   `json:"by_dc_preparation_days"`                   // to prepare it in the distribution center
	ByDCNonWorkingDaysSkipped         Int   `json:"by_dc_non_working_days_skipped"`           // on which the distribution center is closed
	ByCarrierPickupDaysAndTimesOfCuts Int   `json:"by_carrier_pickup_days_and_times_of_cuts"` // until the carrier fetches it
	ByCarriersOriginalEstimatedDays   Int   `json:"by_carriers_original_estimated_days"`      // that the carrier said
	ByCarriersAdditionalDays          Int   `json:"by_carriers_additional_days"`              // that the merchant added
	ByCarrierNonWorkingDaysSkipped    Int   `json:"by_carrier_non_working_days_skipped"`      // on which the carrier does not work
	Extra                             Extra `json:",embed"`
}

// FulfillmentPickup is where a fulfillment order is picked up.
type FulfillmentPickup struct {
	// LocationID is nil if the place is no location of the store.
	LocationID *ulid.ULID `json:"location_id"`
	// StoreBranchID is being deprecated by the platform.
	StoreBranchID Code                `json:"store_branch_id"`
	Name          string              `json:"name"`         // of the place
	Address       *FulfillmentAddress `json:"address"`      // nil if it is not told
	PickupHours   []PickupHours       `json:"pickup_hours"` // when it is open
	Extra         Extra               `json:",embed"`
}

// PickupHours are the hours of one weekday.
type PickupHours struct {
	Day Weekday `json:"day"` // the weekday
	// Start and End are hours and minutes: "0800".
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
	return enum.Known(d, WeekdayMonday, WeekdayTuesday, WeekdayWednesday, WeekdayThursday, WeekdayFriday, WeekdaySaturday, WeekdaySunday)
}

// ShippingExtras are details of the chosen option.
type ShippingExtras struct {
	// FreeShippingInfo is nil if shipping was not made free.
	FreeShippingInfo *FreeShippingInfo `json:"free_shipping_info"`
	PhoneRequired    bool              `json:"phone_required"` // the customer must leave a phone number
	IDRequired       bool              `json:"id_required"`    // the customer must identify himself
	AcceptsCOD       bool              `json:"accepts_cod"`    // cash on delivery
	ShowTime         bool              `json:"show_time"`      // the customer is shown when it arrives
	Shippable        bool              `json:"shippable"`      // it can be shipped at all
	Extra            Extra             `json:",embed"`
}

// FreeShippingInfo tells what made shipping free, and what it would have cost.
type FreeShippingInfo struct {
	FreeShippingID       Code    `json:"free_shipping_id"`       // what made it free
	ConsumerOriginalCost Decimal `json:"consumer_original_cost"` // what the customer would have paid
	Extra                Extra   `json:",embed"`
}
