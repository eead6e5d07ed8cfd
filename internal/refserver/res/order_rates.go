package res

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shippedBy is a sale with the rates that the customer chose, one for each origin, if
// there are any. The costs are those of all of them, and the days those of the slowest.
func shippedBy(tx *world.Tx, s world.Sale, rates []world.Rate) world.Sale {
	if len(rates) == 0 {
		return s
	}
	first := rates[0]
	s.Shipping, s.ShippingOption, s.ShippingOptionCode = customCarrier, first.Name, first.Code
	if first.Carrier != 0 {
		s.Shipping = strconv.FormatInt(first.Carrier, 10)
	}
	s.ShippingOptionReference, s.ShippingPickupType = first.Reference, first.Type
	s.ShippingPickupDetails, s.ShippingStoreBranchName = "", ""
	if first.Type == world.Pickup {
		s.ShippingPickupDetails, s.ShippingStoreBranchName = addressLine(pointOf(first).Address), first.Name
	}
	s.ShippingMinDays, s.ShippingMaxDays = nil, nil
	s.ShippingCostCustomer, s.ShippingCostOwner = decimal.Decimal{}, decimal.Decimal{}
	for _, r := range rates {
		s.ShippingCostCustomer, s.ShippingCostOwner = s.ShippingCostCustomer.Add(r.Price), s.ShippingCostOwner.Add(r.Merchant)
		s.ShippingMinDays = later(s.ShippingMinDays, weekdaysUntil(tx.Now(), r.MinDelivery))
		s.ShippingMaxDays = later(s.ShippingMaxDays, weekdaysUntil(tx.Now(), r.MaxDelivery))
	}
	return s
}

// later is the greater of two numbers of days, of which nil is none.
func later(a, b *int) *int {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// weekdaysUntil is how many days from Monday to Friday there are after the day of a time, up
// to that of another: fewer than none if that is before it. No time gives nil.
func weekdaysUntil(from, to time.Time) *int {
	if to.IsZero() {
		return nil
	}
	const day = 24 * time.Hour
	from, to = from.UTC().Truncate(day), to.UTC().Truncate(day)
	if to.Before(from) {
		return new(-workdays(to.Add(day), int(from.Sub(to)/day)))
	}
	return new(workdays(from.Add(day), int(to.Sub(from)/day)))
}

// rateOf is the one of an order that is for what leaves from a location, or the first.
func rateOf(o world.Order, location string) world.Rate {
	return o.Rates[max(slices.IndexFunc(o.Rates, func(r world.Rate) bool { return r.Location == location }), 0)]
}

// pickupOption is the id of the place to pick an order up: that of a location, or of the carrier's option.
func pickupOption(o world.Order, first world.FulfillmentOrder) string {
	if id := first.Shipping.Pickup.LocationID; id != "" || len(o.Rates) == 0 {
		return id
	}
	return strconv.FormatInt(o.Rates[0].ID, 10)
}

// carriedBy is a shipment as a rate has it. The carrier is that of an app, unless the merchant
// made the rate.
func carriedBy(tx *world.Tx, s world.Shipment, r world.Rate) world.Shipment {
	s.Type = r.Type
	s.Carrier = world.Carriage{ID: customCarrier, Code: customCarrier, Name: r.Name}
	if c, ok := tx.Carriers.Get(r.Carrier); ok {
		s.Carrier = world.Carriage{ID: strconv.FormatInt(c.ID, 10), Code: "api", Name: c.Name, AppID: c.AppID}
	}
	s.Option = world.ShipmentOption{Name: r.Name, Code: r.Code, Reference: r.Reference, AllowFreeShipping: r.AllowFree}
	s.MerchantCost, s.ConsumerCost = r.Merchant, r.Price
	s.MinDeliveryDate, s.MaxDeliveryDate = r.MinDelivery, r.MaxDelivery
	s.Extras = world.ShipmentExtras{PhoneRequired: r.PhoneRequired, IDRequired: r.IDRequired, AcceptsCOD: r.AcceptsCOD}
	s.Pickup = world.PickupDetails{}
	if r.Type == world.Pickup {
		s.Pickup = pointOf(r)
	}
	return s
}

// pointJSON is where a pickup rate leads to, and when it is open.
type pointJSON struct {
	Address struct {
		Address  string `json:"address"`
		Number   string `json:"number"`
		Floor    string `json:"floor"`
		Locality string `json:"locality"`
		City     string `json:"city"`
		Province string `json:"province"`
		Country  string `json:"country"`
		Zipcode  string `json:"zipcode"`
	} `json:"address"`
	Hours []struct {
		Day   int    `json:"day"`
		Start string `json:"start"`
		End   string `json:"end"`
	} `json:"hours"`
}

// pointOf is the point of a pickup rate. It is no location of the store.
func pointOf(r world.Rate) world.PickupDetails {
	var p pointJSON
	_ = json.Unmarshal(r.Point, &p) // the rate was read before it was offered
	out := world.PickupDetails{Name: r.Name, Address: world.Destination{
		Street: p.Address.Address, Number: p.Address.Number, Floor: p.Address.Floor, Locality: p.Address.Locality,
		City: p.Address.City, Zipcode: p.Address.Zipcode, Province: world.Region{Name: p.Address.Province},
		Country: world.Region{Name: p.Address.Country, Code: p.Address.Country},
	}}
	for _, h := range p.Hours {
		day := strings.ToUpper(time.Weekday(h.Day).String())
		out.Hours = append(out.Hours, world.PickupHours{Day: day, Start: h.Start, End: h.End})
	}
	return out
}

// addressLine is an address in one line, without what it lacks.
func addressLine(d world.Destination) string {
	street := strings.TrimSpace(d.Street + " " + d.Number)
	parts := []string{street, d.Floor, d.Locality, d.City, d.Province.Name, d.Zipcode, d.Country.Name}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}
