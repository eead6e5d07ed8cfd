package res

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// What a change of a fulfillment order is refused for, in assumed words.
const (
	frozenByDispatch = "Destination, shipping and recipient cannot be changed after dispatch"
	frozenByPack     = "The assigned location cannot be changed after packing"
	noWay            = "The fulfillment order cannot get this status"
	badStatus        = "must be one of the following values: UNPACKED, PACKED, DISPATCHED, READY_FOR_PICKUP, DELIVERED"
	badCarrier       = "must be one of the following values: api, custom, locale, international, native, draft, default"
	badDay           = "must name a day from MONDAY to SUNDAY"
	badType          = "must be one of the following values: ship, pickup, non-shippable"
)

func patchErrors() []api.ErrCase {
	return []api.ErrCase{
		{Status: 400, Text: "status: " + badStatus},
		{Status: 400, Text: "tracking_info.code: " + beString},
		{Status: 400, Text: "shipping.type: " + badType},
		{Status: 400, Text: "shipping.carrier.carrier_id: " + notEmpty},
		{Status: 400, Text: "shipping.carrier.carrier_id: " + beString},
		{Status: 400, Text: "shipping.carrier.code: " + badCarrier},
		{Status: 400, Text: "shipping.merchant_cost.value: " + beNumber},
		{Status: 400, Text: "shipping.extras.accepts_cod: " + beBool},
		{Status: 400, Text: "shipping.min_delivery_date: " + beTime},
		{Status: 400, Text: "shipping.pickup_details.pickup_hours: " + beArray},
		{Status: 400, Text: "shipping.pickup_details.pickup_hours: " + badDay},
		{Status: 400, Text: "shipping.pickup_details.location_id: " + beLocation},
		{Status: 400, Text: "destination: " + beObject},
		{Status: 400, Text: "assigned_location.location_id: " + notEmpty},
		{Status: 400, Text: "assigned_location.location_id: " + beLocation},
		{Status: 400, Text: frozenByDispatch},
		{Status: 400, Text: frozenByPack},
		{Status: 400, Text: noWay},
	}
}

func patchFulfillmentOrder(tx *world.Tx, in *api.In) (any, error) {
	before, err := fulfillmentOrder(tx, in)
	if err != nil {
		return nil, err
	}
	b, err := readForm(in.Raw)
	if err != nil {
		return nil, err
	}
	frozen := frozenIn(before, b)
	f, tracking, status := before, before.Tracking, before.Status
	patchStatus(b, &status)
	patchTrackingInfo(b, &tracking)
	b.object("destination", func(b form) { patchDestination(b, &f.Destination) })
	b.object("recipient", func(b form) { patchRecipient(b, &f.Recipient) })
	b.object("shipping", func(b form) { patchShipment(tx, b, &f.Shipping) })
	b.object("assigned_location", func(b form) { patchLocation(tx, b, &f.LocationID) })
	if err := b.done(in); err != nil {
		return nil, err
	}
	if frozen != "" {
		return nil, described(400, frozen)
	}
	if !same(before, f) {
		f.UpdatedAt = tx.Now()
	}
	f = track(tx, f, tracking)
	if status != before.Status {
		if o, _ := tx.Orders.Get(f.OrderID); !mayBecome(f, status) || o.Status == orderCancelled && status != world.Unpacked && !hasLeft(before) {
			return nil, described(400, noWay)
		}
		f = become(tx, f, status, tx.Now())
	}
	if err := keepFulfillmentOrder(tx, f); err != nil {
		return nil, err
	}
	return showFulfillmentOrder(tx, in, f), nil
}

// frozenIn says what the body names that can no longer be changed.
func frozenIn(f world.FulfillmentOrder, b form) string {
	switch {
	case hasLeft(f) && (b.has("destination") || b.has("shipping") || b.has("recipient")):
		return frozenByDispatch
	case f.Status != world.Unpacked && b.has("assigned_location"):
		return frozenByPack
	}
	return ""
}

func hasLeft(f world.FulfillmentOrder) bool {
	return f.Status != world.Unpacked && f.Status != world.Packed
}

// patchStatus reads a status; deprecated names are those of the status that took
// their place.
func patchStatus(b form, to *world.FulfillmentStatus) {
	if !b.has("status") {
		return
	}
	var s string
	value(b, "status", badStatus, &s)
	status := world.FulfillmentStatus(s)
	if now, ok := deprecatedStatuses[s]; ok {
		status = now
	}
	if !slices.Contains(FulfillmentStates()[world.Ship].States, status) {
		b.wrong.add("status", badStatus)
		return
	}
	*to = status
}

// patchTrackingInfo reads notify_customer too, but there is nobody to notify here.
func patchTrackingInfo(b form, to *world.TrackingInfo) {
	b.object("tracking_info", func(b form) {
		if b.members == nil {
			*to = world.TrackingInfo{}
		}
		var notify bool
		b.text("code", &to.Code)
		b.text("url", &to.URL)
		b.bool("notify_customer", &notify)
	})
}

func patchDestination(b form, to *world.Destination) {
	for name, text := range map[string]*string{
		"zipcode": &to.Zipcode, "street": &to.Street, "number": &to.Number, "floor": &to.Floor, "locality": &to.Locality,
		"city": &to.City, "reference": &to.Reference, "between_streets": &to.BetweenStreets,
	} {
		b.text(name, text)
	}
	for name, region := range map[string]*world.Region{"province": &to.Province, "region": &to.Region, "country": &to.Country} {
		b.object(name, func(b form) {
			b.text("name", &region.Name)
			b.text("code", &region.Code)
		})
	}
}

func patchRecipient(b form, to *world.Recipient) {
	b.text("name", &to.Name)
	b.text("phone", &to.Phone)
	b.text("identifier", &to.Identifier)
	b.text("email", &to.Email)
}

func patchLocation(tx *world.Tx, b form, to *string) {
	now := *to
	b.need("location_id", to)
	if len(b.wrong[b.at("location_id")]) == 0 && !tx.Locations.Has(*to) {
		b.wrong.add(b.at("location_id"), beLocation)
		*to = now
	}
}

// patchShipment reads what may be changed of a shipment: all but what the platform
// works out. A carrier is not changed in part: its id has to be there.
func patchShipment(tx *world.Tx, b form, to *world.Shipment) {
	kind := to.Type
	b.text("type", &kind)
	if !slices.Contains([]string{world.Ship, world.Pickup, world.NonShippable}, kind) {
		b.wrong.add(b.at("type"), badType)
	}
	to.Type = kind
	b.object("carrier", func(b form) {
		b.need("carrier_id", &to.Carrier.ID)
		if b.has("code") {
			b.choice("code", badCarrier, carrierCodes(), &to.Carrier.Code)
		}
		b.text("name", &to.Carrier.Name)
		value(b, "app_id", beNumber, &to.Carrier.AppID)
	})
	b.object("option", func(b form) {
		b.text("name", &to.Option.Name)
		b.text("code", &to.Option.Code)
		b.text("reference", &to.Option.Reference)
		b.bool("allow_free_shipping", &to.Option.AllowFreeShipping)
	})
	for name, cost := range map[string]*decimal.Decimal{"merchant_cost": &to.MerchantCost, "consumer_cost": &to.ConsumerCost} {
		b.object(name, func(b form) {
			var currency string // the amount stays in that of the order
			b.number("value", cost)
			b.text("currency", &currency)
		})
	}
	b.time("min_delivery_date", &to.MinDeliveryDate)
	b.time("max_delivery_date", &to.MaxDeliveryDate)
	b.object("pickup_details", func(b form) { patchPickup(tx, b, &to.Pickup) })
	b.object("extras", func(b form) {
		b.bool("phone_required", &to.Extras.PhoneRequired)
		b.bool("id_required", &to.Extras.IDRequired)
		b.bool("accepts_cod", &to.Extras.AcceptsCOD)
		b.bool("show_time", &to.Extras.ShowTime)
	})
}

// carrierCodes are the kinds of carriers.
func carrierCodes() []string {
	return []string{"api", customCarrier, "locale", "international", "native", "draft", "default"}
}

// patchPickup takes no location for one that the store does not have.
func patchPickup(tx *world.Tx, b form, to *world.PickupDetails) {
	now := to.LocationID
	b.text("location_id", &to.LocationID)
	if id := to.LocationID; id != "" && id != now && !tx.Locations.Has(id) {
		b.wrong.add(b.at("location_id"), beLocation)
	}
	b.text("store_branch_id", &to.StoreBranchID)
	b.text("name", &to.Name)
	b.object("address", func(b form) { patchDestination(b, &to.Address) })
	var hours []struct {
		Day   string `json:"day"`
		Start string `json:"start"`
		End   string `json:"end"`
	}
	if value(b, "pickup_hours", beArray, &hours) {
		to.Hours = nil
		for _, h := range hours {
			if !slices.Contains(weekdays(), strings.ToUpper(h.Day)) {
				b.wrong.add(b.at("pickup_hours"), badDay)
			}
			to.Hours = append(to.Hours, world.PickupHours{Day: strings.ToUpper(h.Day), Start: h.Start, End: h.End})
		}
	}
}

func weekdays() []string {
	return []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}
}
