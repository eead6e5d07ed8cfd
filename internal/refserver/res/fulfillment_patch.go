package res

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The refusals of a change of a fulfillment order, in assumed words.
const (
	frozenByDispatch = "Destination, shipping and recipient cannot be changed after dispatch"
	frozenByPack     = "The assigned location cannot be changed after packing"
	noWay            = "The fulfillment order cannot get this status"
	badStatus        = "must be one of the following values: UNPACKED, PACKED, DISPATCHED, READY_FOR_PICKUP, DELIVERED"
	badCarrier       = "must be one of the following values: api, custom, locale, international, native, draft, default"
	badDay           = "must name a day from MONDAY to SUNDAY"
	beLocation       = "must be an existing location"
	badType          = "must be one of the following values: ship, pickup, non-shippable"
)

func patchErrors() []api.ErrCase {
	return []api.ErrCase{
		{Status: 400, Text: "status: " + badStatus},
		{Status: 400, Text: "tracking_info.code: " + body.BeString},
		{Status: 400, Text: "shipping.type: " + badType},
		{Status: 400, Text: "shipping.carrier.carrier_id: " + body.NotEmpty},
		{Status: 400, Text: "shipping.carrier.carrier_id: " + body.BeString},
		{Status: 400, Text: "shipping.carrier.code: " + badCarrier},
		{Status: 400, Text: "shipping.merchant_cost.value: " + body.BeNumber},
		{Status: 400, Text: "shipping.extras.accepts_cod: " + body.BeBool},
		{Status: 400, Text: "shipping.min_delivery_date: " + body.BeTime},
		{Status: 400, Text: "shipping.pickup_details.pickup_hours: " + body.BeArray},
		{Status: 400, Text: "shipping.pickup_details.pickup_hours: " + badDay},
		{Status: 400, Text: "shipping.pickup_details.location_id: " + beLocation},
		{Status: 400, Text: "destination: " + body.BeObject},
		{Status: 400, Text: "assigned_location.location_id: " + body.NotEmpty},
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
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	frozen := frozenIn(before, b)
	f, tracking, status := before, before.Tracking, before.Status
	patchStatus(b, &status)
	patchTrackingInfo(b, &tracking)
	b.Object("destination", func(b body.Members) { patchDestination(b, &f.Destination) })
	b.Object("recipient", func(b body.Members) { patchRecipient(b, &f.Recipient) })
	b.Object("shipping", func(b body.Members) { patchShipment(tx, b, &f.Shipping) })
	b.Object("assigned_location", func(b body.Members) { patchLocation(tx, b, &f.LocationID) })
	if err := b.Done(in).Described(); err != nil {
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
func frozenIn(f world.FulfillmentOrder, b body.Members) string {
	switch {
	case hasLeft(f) && (b.Has("destination") || b.Has("shipping") || b.Has("recipient")):
		return frozenByDispatch
	case f.Status != world.Unpacked && b.Has("assigned_location"):
		return frozenByPack
	}
	return ""
}

func hasLeft(f world.FulfillmentOrder) bool {
	return f.Status != world.Unpacked && f.Status != world.Packed
}

// patchStatus reads a status; deprecated names are those of the status that took
// their place.
func patchStatus(b body.Members, to *world.FulfillmentStatus) {
	if !b.Has("status") {
		return
	}
	var s string
	body.Value(b, "status", badStatus, &s)
	status := world.FulfillmentStatus(s)
	if now, ok := deprecatedStatuses[s]; ok {
		status = now
	}
	if !slices.Contains(FulfillmentStates()[world.Ship].States, status) {
		b.Refuse("status", badStatus)
		return
	}
	*to = status
}

// patchTrackingInfo reads notify_customer too, but there is nobody to notify here.
func patchTrackingInfo(b body.Members, to *world.TrackingInfo) {
	b.Object("tracking_info", func(b body.Members) {
		if b.Null() {
			*to = world.TrackingInfo{}
		}
		var notify bool
		b.Text("code", &to.Code)
		b.Text("url", &to.URL)
		b.Bool("notify_customer", &notify)
	})
}

func patchDestination(b body.Members, to *world.Destination) {
	for name, text := range map[string]*string{
		"zipcode": &to.Zipcode, "street": &to.Street, "number": &to.Number, "floor": &to.Floor, "locality": &to.Locality,
		"city": &to.City, "reference": &to.Reference, "between_streets": &to.BetweenStreets,
	} {
		b.Text(name, text)
	}
	for name, region := range map[string]*world.Region{"province": &to.Province, "region": &to.Region, "country": &to.Country} {
		b.Object(name, func(b body.Members) {
			b.Text("name", &region.Name)
			b.Text("code", &region.Code)
		})
	}
}

func patchRecipient(b body.Members, to *world.Recipient) {
	b.Text("name", &to.Name)
	b.Text("phone", &to.Phone)
	b.Text("identifier", &to.Identifier)
	b.Text("email", &to.Email)
}

func patchLocation(tx *world.Tx, b body.Members, to *string) {
	now := *to
	b.Need("location_id", to)
	if !b.Refused("location_id") && !tx.Locations.Has(*to) {
		b.Refuse("location_id", beLocation)
		*to = now
	}
}

// patchShipment reads what may be changed of a shipment: all but what the platform
// works out. A carrier is not changed in part: its id has to be there.
func patchShipment(tx *world.Tx, b body.Members, to *world.Shipment) {
	kind := to.Type
	b.Text("type", &kind)
	if !slices.Contains([]string{world.Ship, world.Pickup, world.NonShippable}, kind) {
		b.Refuse("type", badType)
	}
	to.Type = kind
	b.Object("carrier", func(b body.Members) {
		b.Need("carrier_id", &to.Carrier.ID)
		if b.Has("code") {
			b.Choice("code", badCarrier, carrierCodes(), &to.Carrier.Code)
		}
		b.Text("name", &to.Carrier.Name)
		body.Value(b, "app_id", body.BeNumber, &to.Carrier.AppID)
	})
	b.Object("option", func(b body.Members) {
		b.Text("name", &to.Option.Name)
		b.Text("code", &to.Option.Code)
		b.Text("reference", &to.Option.Reference)
		b.Bool("allow_free_shipping", &to.Option.AllowFreeShipping)
	})
	for name, cost := range map[string]*decimal.Decimal{"merchant_cost": &to.MerchantCost, "consumer_cost": &to.ConsumerCost} {
		b.Object(name, func(b body.Members) {
			var currency string // the amount stays in that of the order
			b.Number("value", cost)
			b.Text("currency", &currency)
		})
	}
	b.Time("min_delivery_date", &to.MinDeliveryDate)
	b.Time("max_delivery_date", &to.MaxDeliveryDate)
	b.Object("pickup_details", func(b body.Members) { patchPickup(tx, b, &to.Pickup) })
	b.Object("extras", func(b body.Members) {
		b.Bool("phone_required", &to.Extras.PhoneRequired)
		b.Bool("id_required", &to.Extras.IDRequired)
		b.Bool("accepts_cod", &to.Extras.AcceptsCOD)
		b.Bool("show_time", &to.Extras.ShowTime)
	})
}

// carrierCodes are the kinds of carriers.
func carrierCodes() []string {
	return []string{"api", customCarrier, "locale", "international", "native", "draft", "default"}
}

// patchPickup takes no location for one that the store does not have.
func patchPickup(tx *world.Tx, b body.Members, to *world.PickupDetails) {
	now := to.LocationID
	b.Text("location_id", &to.LocationID)
	if id := to.LocationID; id != "" && id != now && !tx.Locations.Has(id) {
		b.Refuse("location_id", beLocation)
	}
	b.Text("store_branch_id", &to.StoreBranchID)
	b.Text("name", &to.Name)
	b.Object("address", func(b body.Members) { patchDestination(b, &to.Address) })
	var hours []struct {
		Day   string `json:"day"`
		Start string `json:"start"`
		End   string `json:"end"`
	}
	if body.Value(b, "pickup_hours", body.BeArray, &hours) {
		to.Hours = nil
		for _, h := range hours {
			if !slices.Contains(weekdays(), strings.ToUpper(h.Day)) {
				b.Refuse("pickup_hours", badDay)
			}
			to.Hours = append(to.Hours, world.PickupHours{Day: strings.ToUpper(h.Day), Start: h.Start, End: h.End})
		}
	}
}

func weekdays() []string {
	return []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}
}
