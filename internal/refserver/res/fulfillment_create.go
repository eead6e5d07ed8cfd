package res

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// customCarrier is the code of what no carrier offers but the merchant himself.
const customCarrier = "custom"

// What version v1 refuses of orders, in assumed words.
const (
	cannotPack    = "The order cannot be packed"
	cannotFulfill = "The order cannot be fulfilled"
	nothingToSend = "The order has no products"
)

// drawn is a quantity of a line of an order that leaves from a location.
type drawn struct {
	line     int64 // id of the order's line
	location string
	quantity int64
}

// createFulfillments gives a new order its fulfillment orders: one for each location that its lines were drawn from.
// Lines without a location leave from the default one. Their status follows from the order's shipping status. The costs
// of the shipment and the discounts are those of the first one.
func createFulfillments(tx *world.Tx, o world.Order, from ...drawn) error {
	var places []string
	lines := map[string][]world.FulfillmentLine{}
	put := func(location string, l world.Line, quantity int64) {
		if quantity <= 0 {
			return
		}
		if !slices.Contains(places, location) {
			places = append(places, location)
		}
		lines[location] = append(lines[location], fulfillmentLine(tx, l, quantity))
	}
	for _, l := range o.Lines {
		left := l.Quantity
		for _, d := range from {
			if d.line == l.ID {
				put(d.location, l, d.quantity)
				left -= d.quantity
			}
		}
		put(tx.FirstLocation().ID, l, left)
	}
	for i, place := range places {
		f := newFulfillment(tx, o, place)
		f.Number, f.Lines = i+1, lines[place]
		if i > 0 {
			f.Discounts = nil
		}
		if !charged(o, places, i) {
			f.Shipping.MerchantCost, f.Shipping.ConsumerCost = decimal.Decimal{}, decimal.Decimal{}
		}
		if err := tx.FulfillmentOrders.Put(f.ID, f); err != nil {
			return err
		}
	}
	return nil
}

// charged reports whether the costs of the shipment belong to the fulfillment order of a place. They belong to the one
// that the customer chose a rate for or, if there is none, to the first.
func charged(o world.Order, places []string, i int) bool {
	rated := func(place string) bool {
		return slices.ContainsFunc(o.Rates, func(r world.Rate) bool { return r.Location == place })
	}
	return rated(places[i]) || i == 0 && !slices.ContainsFunc(places, rated)
}

func fulfillmentLine(tx *world.Tx, l world.Line, quantity int64) world.FulfillmentLine {
	return world.FulfillmentLine{
		ID: tx.NewULID(), LineID: l.ID, ProductID: l.ProductID, VariantID: l.VariantID, Quantity: quantity, UnitPrice: l.Price, Kit: l.Kit,
		Weight: l.Weight, Width: l.Width, Height: l.Height, Depth: l.Depth, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
}

func newFulfillment(tx *world.Tx, o world.Order, location string) world.FulfillmentOrder {
	f := world.FulfillmentOrder{
		ID:          tx.NewULID(),
		OrderID:     o.ID,
		Status:      world.Unpacked,
		LocationID:  location,
		Recipient:   recipientOf(o),
		Destination: destinationOf(o.Sale),
		Shipping:    shipmentOf(tx, o, location),
		Discounts:   discountsOf(o),
		Currency:    o.Currency,
		Tracking:    world.TrackingInfo{Code: o.ShippingTrackingNumber, URL: o.ShippingTrackingURL},
		CreatedAt:   o.CreatedAt,
		UpdatedAt:   o.CreatedAt,
	}
	status, at := firstStatus(o)
	if status == world.Unpacked {
		return f
	}
	f.StatusHistory = []world.StatusChange{{From: world.Unpacked, To: status, HappenedAt: at, CreatedAt: at}}
	f.Status, f.UpdatedAt = status, at
	if status == world.Delivered {
		f.FulfilledAt = at
	}
	return f
}

// firstStatus is the status for the shipping status of a new order, and its time.
func firstStatus(o world.Order) (world.FulfillmentStatus, time.Time) {
	left := o.ShippedAt
	if left.IsZero() {
		left = o.CreatedAt
	}
	switch shippingStatusOnWire(api.V202503, o.ShippingStatus) {
	case shippingPacked:
		return world.Packed, o.CreatedAt
	case shippingFulfilled:
		if o.ShippingPickupType == world.NonShippable {
			return world.Delivered, left
		}
		return world.Dispatched, left
	case shippingDelivered:
		return world.Delivered, left
	}
	return world.Unpacked, o.CreatedAt
}

func recipientOf(o world.Order) world.Recipient {
	r := world.Recipient{Name: o.ShippingAddress.Name, Phone: o.ShippingAddress.Phone, Identifier: o.ContactIdentification, Email: o.ContactEmail}
	if r.Name == "" {
		r.Name = o.ContactName
	}
	if r.Phone == "" {
		r.Phone = o.ContactPhone
	}
	return r
}

func destinationOf(s world.Sale) world.Destination {
	a := s.ShippingAddress
	return world.Destination{
		Zipcode: a.Zipcode, Street: a.Address, Number: a.Number, Floor: a.Floor, Locality: a.Locality, City: a.City,
		Reference: custom(s, "reference"), BetweenStreets: custom(s, "between_streets"),
		Province: world.Region{Name: a.Province},
		Country:  world.Region{Name: a.Country, Code: a.Country},
	}
}

// custom is a text among the other members of the shipping address. A value of another type is empty.
func custom(s world.Sale, name string) string {
	var text string
	if json.Unmarshal(s.Customs[name], &text) != nil {
		return ""
	}
	return text
}

func shipmentOf(tx *world.Tx, o world.Order, location string) world.Shipment {
	s := world.Shipment{
		Type:            o.ShippingPickupType,
		Carrier:         world.Carriage{ID: o.Shipping, Code: customCarrier, Name: o.ShippingOption},
		Option:          world.ShipmentOption{Name: o.ShippingOption, Code: o.ShippingOptionCode, Reference: o.ShippingOptionReference},
		MerchantCost:    o.ShippingCostOwner,
		ConsumerCost:    o.ShippingCostCustomer,
		MinDeliveryDate: weekdaysAfter(o.CreatedAt.Truncate(time.Second), o.ShippingMinDays),
		MaxDeliveryDate: weekdaysAfter(o.CreatedAt.Truncate(time.Second), o.ShippingMaxDays),
	}
	if o.Shipping == "draft" {
		s.Carrier.Code = "draft"
	}
	if len(o.Rates) > 0 {
		return carriedBy(tx, s, rateOf(o, location))
	}
	switch s.Type {
	case world.Pickup:
		l, _ := tx.Locations.Get(location)
		s.Pickup = world.PickupDetails{LocationID: l.ID, Name: locationName(tx, l), Address: locationDestination(l)}
		if o.ShippingStoreBranchName != "" {
			s.Pickup.Name = o.ShippingStoreBranchName
		}
	case world.Ship, world.NonShippable:
	default:
		s.Type = world.Ship
	}
	return s
}

// weekdaysAfter counts Monday to Friday; no days give no time.
func weekdaysAfter(t time.Time, days *int) time.Time {
	if days == nil || *days <= 0 {
		return time.Time{}
	}
	weeks := (*days - 1) / 5 // the days that are left end on a weekday
	t = t.AddDate(0, 0, 7*weeks)
	for left := *days - 5*weeks; left > 0; {
		t = t.AddDate(0, 0, 1)
		left -= workdays(t, 1)
	}
	return t
}

// workdays is how many of the days that begin with a time are Monday to Friday.
func workdays(first time.Time, days int) int {
	n := days / 7 * 5
	for i := range days % 7 {
		if day := (first.Weekday() + time.Weekday(i)) % 7; day != time.Saturday && day != time.Sunday {
			n++
		}
	}
	return n
}

func discountsOf(o world.Order) []world.FulfillmentDiscount {
	var out []world.FulfillmentDiscount
	for _, d := range []world.FulfillmentDiscount{
		{Type: "PROMOTION", Amount: o.Discount.Sub(o.DiscountGateway)},
		{Type: "PAYMENT_METHOD", Amount: o.DiscountGateway},
		{Type: "TOTAL_OF_DISCOUNTS", Amount: o.Discount},
	} {
		if d.Amount.IsPositive() {
			out = append(out, d)
		}
	}
	return out
}

// packFirst packs the first fulfillment order of an order, as version v1 does.
func packFirst(tx *world.Tx, o world.Order) (world.Order, error) {
	return moveFirst(tx, o, world.Packed, world.TrackingInfo{}, cannotPack)
}

// fulfillFirst sends the first fulfillment order of an order, as version v1 does.
// Tracking that is empty leaves what is there; one that is not shippable is
// delivered instead.
func fulfillFirst(tx *world.Tx, o world.Order, tracking world.TrackingInfo) (world.Order, error) {
	return moveFirst(tx, o, world.Dispatched, tracking, cannotFulfill)
}

func moveFirst(tx *world.Tx, o world.Order, to world.FulfillmentStatus, tracking world.TrackingInfo, refusal string) (world.Order, error) {
	first, err := firstFulfillment(tx, o)
	if err != nil {
		return o, err
	}
	if to == world.Dispatched && first.Shipping.Type == world.NonShippable {
		to = world.Delivered
	}
	if !mayBecome(first, to) {
		return o, api.Unprocessable(refusal)
	}
	f := become(tx, first, to, tx.Now())
	if tracking != (world.TrackingInfo{}) {
		f = track(tx, f, tracking)
	}
	if err := tx.FulfillmentOrders.Put(f.ID, f); err != nil {
		return o, err
	}
	return settleShipping(tx, o.ID)
}

// firstFulfillment is the one that version v1 means by an order. An order that has
// none yet gets its fulfillment orders now.
func firstFulfillment(tx *world.Tx, o world.Order) (world.FulfillmentOrder, error) {
	if tx.FulfillmentOrders.Count("order", strconv.FormatInt(o.ID, 10)) == 0 {
		if err := createFulfillments(tx, o); err != nil {
			return world.FulfillmentOrder{}, err
		}
	}
	all := fulfillmentsOf(tx, o.ID)
	if len(all) == 0 {
		return world.FulfillmentOrder{}, api.Unprocessable(nothingToSend)
	}
	return all[0], nil
}

// AddFulfillments gives an order that no operation made its fulfillment orders, all
// of them from the default location.
func AddFulfillments(tx *world.Tx, o world.Order) error {
	o, err := withFulfillments(tx, o)
	if err != nil {
		return err
	}
	return tx.Orders.Put(o.ID, o)
}

// withFulfillments is a new order with its fulfillment orders, and the members that follow from them.
func withFulfillments(tx *world.Tx, o world.Order, from ...drawn) (world.Order, error) {
	if err := createFulfillments(tx, o, from...); err != nil {
		return o, err
	}
	if all := fulfillmentsOf(tx, o.ID); len(all) > 0 {
		o = shippedAs(o, all[0])
	}
	return o, nil
}
