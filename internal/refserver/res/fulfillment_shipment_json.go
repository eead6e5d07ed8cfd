package res

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type shipmentJSON struct {
	Type            string             `json:"type"`
	Carrier         carriageJSON       `json:"carrier"`
	Option          shipmentOptionJSON `json:"option"`
	MerchantCost    priceJSON          `json:"merchant_cost"`
	ConsumerCost    priceJSON          `json:"consumer_cost"`
	MinDeliveryDate any                `json:"min_delivery_date"`
	MaxDeliveryDate any                `json:"max_delivery_date"`
	EstimatedTime   *estimateRangeJSON `json:"estimated_delivery_time"`
	PickupDetails   *pickupDetailsJSON `json:"pickup_details"`
	Extras          shipmentExtrasJSON `json:"extras"`
}

type carriageJSON struct {
	CarrierID string `json:"carrier_id"`
	Code      string `json:"code"`
	Name      string `json:"name"`
	AppID     *int64 `json:"app_id"`
}

type shipmentOptionJSON struct {
	Name              string  `json:"name"`
	Code              *string `json:"code"`
	Reference         *string `json:"reference"`
	AllowFreeShipping bool    `json:"allow_free_shipping"`
}

type estimateRangeJSON struct {
	Min estimateJSON `json:"min"`
	Max estimateJSON `json:"max"`
}

type estimateJSON struct {
	Days          int               `json:"days"`
	BusinessDays  int               `json:"business_days"`
	Date          string            `json:"date"`
	AggregateDays aggregateDaysJSON `json:"aggregate_days"`
}

// aggregateDaysJSON says what the days of an estimate are made of.
type aggregateDaysJSON struct {
	Handling        int `json:"by_product_handling_days"`
	Transfer        int `json:"by_transfer_handling_days"`
	Preparation     int `json:"by_dc_preparation_days"`
	Skipped         int `json:"by_dc_non_working_days_skipped"`
	CarrierPickup   int `json:"by_carrier_pickup_days_and_times_of_cuts"`
	CarrierOriginal int `json:"by_carriers_original_estimated_days"`
	CarrierExtra    int `json:"by_carriers_additional_days"`
	CarrierSkipped  int `json:"by_carrier_non_working_days_skipped"`
}

type pickupDetailsJSON struct {
	LocationID    *string           `json:"location_id"`
	StoreBranchID *string           `json:"store_branch_id"`
	Name          *string           `json:"name"`
	Address       destinationJSON   `json:"address"`
	PickupHours   []pickupHoursJSON `json:"pickup_hours"`
}

type pickupHoursJSON struct {
	Day   string `json:"day"`
	Start string `json:"start"`
	End   string `json:"end"`
}

type shipmentExtrasJSON struct {
	FreeShippingInfo *struct{} `json:"free_shipping_info"` // null: shipping is free by its price alone
	PhoneRequired    bool      `json:"phone_required"`
	IDRequired       bool      `json:"id_required"`
	AcceptsCOD       bool      `json:"accepts_cod"`
	ShowTime         bool      `json:"show_time"`
	Shippable        bool      `json:"shippable"`
}

func shipmentOnWire(f world.FulfillmentOrder) shipmentJSON {
	s := f.Shipping
	out := shipmentJSON{
		Type:            s.Type,
		Carrier:         carriageJSON{CarrierID: s.Carrier.ID, Code: s.Carrier.Code, Name: s.Carrier.Name, AppID: idOrNull(s.Carrier.AppID)},
		Option:          shipmentOptionJSON{Name: s.Option.Name, Code: api.TextOrNil(s.Option.Code), Reference: api.TextOrNil(s.Option.Reference), AllowFreeShipping: s.Option.AllowFreeShipping},
		MerchantCost:    priced(s.MerchantCost, f.Currency),
		ConsumerCost:    priced(s.ConsumerCost, f.Currency),
		MinDeliveryDate: colonStampOrNil(s.MinDeliveryDate),
		MaxDeliveryDate: colonStampOrNil(s.MaxDeliveryDate),
		Extras: shipmentExtrasJSON{
			PhoneRequired: s.Extras.PhoneRequired, IDRequired: s.Extras.IDRequired, AcceptsCOD: s.Extras.AcceptsCOD,
			ShowTime: s.Extras.ShowTime, Shippable: s.Type != world.NonShippable,
		},
	}
	if !s.MinDeliveryDate.IsZero() && !s.MaxDeliveryDate.IsZero() {
		out.EstimatedTime = &estimateRangeJSON{Min: estimateOnWire(f.CreatedAt, s.MinDeliveryDate), Max: estimateOnWire(f.CreatedAt, s.MaxDeliveryDate)}
	}
	if s.Type == world.Pickup {
		out.PickupDetails = &pickupDetailsJSON{
			LocationID: api.TextOrNil(s.Pickup.LocationID), StoreBranchID: api.TextOrNil(s.Pickup.StoreBranchID), Name: api.TextOrNil(s.Pickup.Name),
			Address: destinationOnWire(s.Pickup.Address), PickupHours: []pickupHoursJSON{},
		}
		for _, h := range s.Pickup.Hours {
			out.PickupDetails.PickupHours = append(out.PickupDetails.PickupHours, pickupHoursJSON(h))
		}
	}
	return out
}

// estimateOnWire counts the days between two times, which are compared in seconds, as
// they are shown; all of the days are the carrier's.
func estimateOnWire(from, to time.Time) estimateJSON {
	days := max(int(to.Unix()-from.Unix())/(24*60*60), 0)
	out := estimateJSON{Date: colonStamp(to), Days: days, BusinessDays: workdays(from.AddDate(0, 0, 1), days)}
	out.AggregateDays.CarrierOriginal = out.BusinessDays
	return out
}
