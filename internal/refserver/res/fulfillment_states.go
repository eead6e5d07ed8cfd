package res

import (
	"slices"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// FulfillmentStates are the tables of fulfillment orders by the type of their shipment. An act is named by the status
// that it leads to.
func FulfillmentStates() map[string]api.Machine[world.FulfillmentStatus] {
	type edge = api.Edge[world.FulfillmentStatus]
	to := func(from, to world.FulfillmentStatus) edge { return edge{From: from, On: string(to), To: to} }
	states := []world.FulfillmentStatus{world.Unpacked, world.Packed, world.Dispatched, world.ReadyForPickup, world.Delivered}
	ship := []edge{
		to(world.Unpacked, world.Packed),
		to(world.Unpacked, world.Dispatched),
		to(world.Unpacked, world.Delivered),
		to(world.Packed, world.Unpacked),
		to(world.Packed, world.Dispatched),
		to(world.Packed, world.Delivered),
		to(world.Dispatched, world.Delivered),
	}
	pickup := append(slices.Clone(ship),
		to(world.Unpacked, world.ReadyForPickup),
		to(world.Packed, world.ReadyForPickup),
		to(world.Dispatched, world.ReadyForPickup),
		to(world.ReadyForPickup, world.Delivered),
	)
	nothing := []edge{
		to(world.Unpacked, world.Delivered),
		to(world.Packed, world.Delivered),
	}
	return map[string]api.Machine[world.FulfillmentStatus]{
		world.Ship:         {Name: "fulfillment order, shipped", Initial: world.Unpacked, States: states, Edges: ship},
		world.Pickup:       {Name: "fulfillment order, picked up", Initial: world.Unpacked, States: states, Edges: pickup},
		world.NonShippable: {Name: "fulfillment order, not shippable", Initial: world.Unpacked, States: states, Edges: nothing},
	}
}

// deprecatedStatuses are what older apps call a status.
var deprecatedStatuses = map[string]world.FulfillmentStatus{
	"READY_FOR_SHIP":      world.Packed,
	"MARKED_AS_FULFILLED": world.Dispatched,
}

// mayBecome reports whether the fulfillment order may get the status.
func mayBecome(f world.FulfillmentOrder, to world.FulfillmentStatus) bool {
	return FulfillmentStates()[f.Shipping.Type].Leads(f.Status, string(to), to)
}

// become gives the fulfillment order a status that it may have, and sends the events.
func become(tx *world.Tx, f world.FulfillmentOrder, to world.FulfillmentStatus, at time.Time) world.FulfillmentOrder {
	f.StatusHistory = append(slices.Clone(f.StatusHistory), world.StatusChange{From: f.Status, To: to, HappenedAt: at, CreatedAt: tx.Now()})
	f.Status = to
	if to == world.Delivered {
		f.FulfilledAt = at
	}
	f.UpdatedAt = tx.Now()
	tx.Emit("fulfillment_order/status_updated", fulfillmentPayload(f, map[string]any{"status": string(to)}))
	return f
}

// fulfillmentPayload is what the events of a fulfillment order have in common.
func fulfillmentPayload(f world.FulfillmentOrder, more map[string]any) map[string]any {
	more["order_id"] = f.OrderID
	more["fulfillment_id"] = f.ID
	return more
}

// The shipping statuses of an order, as the orders keep them.
const (
	shippingUnpacked           = "unpacked"
	shippingInPreparation      = "in_preparation"
	shippingPartiallyPacked    = "partially_packed"
	shippingPacked             = "packed"
	shippingPartiallyFulfilled = "partially_fulfilled"
	shippingFulfilled          = "fulfilled"
	shippingDelivered          = "delivered"
)

// shippingStatus is that of an order as its fulfillment orders make it. An order
// without any has the one it has.
func shippingStatus(tx *world.Tx, o world.Order) string {
	all := fulfillmentsOf(tx, o.ID)
	if len(all) == 0 {
		return o.ShippingStatus
	}
	var packed, dispatched, delivered int
	for _, f := range all {
		switch f.Status {
		case world.Delivered:
			packed, dispatched, delivered = packed+1, dispatched+1, delivered+1
		case world.Dispatched, world.ReadyForPickup:
			packed, dispatched = packed+1, dispatched+1
		case world.Packed:
			packed++
		case world.Unpacked:
		}
	}
	switch {
	case delivered == len(all):
		return shippingDelivered
	case dispatched == len(all):
		return shippingFulfilled
	case dispatched > 0:
		return shippingPartiallyFulfilled
	case packed == len(all):
		return shippingPacked
	case packed > 0:
		return shippingPartiallyPacked
	case o.ShippingStatus == shippingInPreparation:
		return shippingInPreparation
	}
	return shippingUnpacked
}

// shippingStatusOnWire is the word of a version for a shipping status. Version v1 distinguishes only unpacked,
// unfulfilled and fulfilled orders, and orders in preparation.
func shippingStatusOnWire(version, status string) string {
	switch status {
	case "unfulfilled", "unshipped":
		status = shippingPacked
	case "shipped":
		status = shippingFulfilled
	}
	if version != api.V1 {
		return status
	}
	switch status {
	case shippingPartiallyPacked:
		return shippingUnpacked
	case shippingPacked, shippingPartiallyFulfilled:
		return "unfulfilled"
	case shippingDelivered:
		return shippingFulfilled
	}
	return status
}

// shippingStatusShown is the word that an order has for its shipping status.
func shippingStatusShown(in *api.In, status string) string {
	status = shippingStatusOnWire(in.Version, status)
	if in.Readings.PublishedShippingWords {
		switch status {
		case "unfulfilled":
			return "unshipped"
		case shippingFulfilled:
			return "shipped"
		}
	}
	return status
}

// matchesShippingStatus applies the filter shipping_status, whose words are those
// of version v1, and takes those of the other versions too.
func matchesShippingStatus(want, status string) bool {
	return want == "" || want == "any" ||
		want == shippingStatusOnWire(api.V1, status) || want == shippingStatusOnWire(api.V202503, status)
}

// settleShipping brings an order up to date with its fulfillment orders. It sends order/updated, and the event of the
// new status.
func settleShipping(tx *world.Tx, order int64) (world.Order, error) {
	before, _ := tx.Orders.Get(order)
	all := fulfillmentsOf(tx, order)
	if len(all) == 0 {
		return before, nil
	}
	o := before
	now := shippingStatus(tx, o)
	moved := now != shippingStatusOnWire(api.V202503, before.ShippingStatus)
	if moved {
		o.ShippingStatus = now
	}
	o = shippedAs(o, all[0])
	if moved {
		o.NextAction = nextAction(tx, o)
	}
	if same(before, o) {
		return before, nil
	}
	o.UpdatedAt = tx.Now()
	if err := tx.Orders.Put(o.ID, o); err != nil {
		return o, err
	}
	if name := shippingEvent(before.ShippingStatus, o.ShippingStatus); moved && name != "" {
		tx.Emit(name, map[string]any{"id": o.ID})
	}
	tx.Emit("order/updated", map[string]any{"id": o.ID})
	return o, nil
}

// shippedAs is an order with the members of its first fulfillment order. A place to pick it up is a location; custom
// shipping has no carrier with a name.
func shippedAs(o world.Order, first world.FulfillmentOrder) world.Order {
	o.ShippedAt = shipmentDate(first)
	o.ShippingTrackingNumber, o.ShippingTrackingURL = first.Tracking.Code, first.Tracking.URL
	o.ShippingSuboption, o.ShippingCarrierName = "", ""
	if o.ShippingPickupType == world.Pickup {
		o.ShippingSuboption = pickupOption(o, first)
	}
	if c := first.Shipping.Carrier; c.Code != customCarrier {
		o.ShippingCarrierName = c.Name
	}
	return o
}

// shippingEvent names what has become of an order, if that has a name. One that is
// delivered at once has been fulfilled as well.
func shippingEvent(from, to string) string {
	from = shippingStatusOnWire(api.V202503, from)
	switch {
	case to == shippingPacked:
		return "order/packed"
	case to == shippingFulfilled || to == shippingDelivered && from != shippingFulfilled:
		return "order/fulfilled"
	case to == shippingUnpacked:
		return "order/unpacked"
	}
	return ""
}

// nextShippingAction is what the merchant, or for a pickup the customer, does next.
func nextShippingAction(status string, first world.FulfillmentOrder) string {
	pickup := first.Shipping.Type == world.Pickup
	switch status {
	case shippingUnpacked, shippingInPreparation, shippingPartiallyPacked:
		return "waiting_packing"
	case shippingPacked, shippingPartiallyFulfilled:
		if pickup {
			return "waiting_pickup"
		}
		return "waiting_shipment"
	case shippingFulfilled:
		if pickup {
			return "waiting_client_pickup"
		}
	}
	return "close"
}

// shipmentDate is when a fulfillment order left, zero if it has not.
func shipmentDate(f world.FulfillmentOrder) time.Time {
	for _, c := range f.StatusHistory {
		if c.To == world.Dispatched || c.To == world.ReadyForPickup || c.To == world.Delivered {
			return c.HappenedAt
		}
	}
	return time.Time{}
}

// fulfillmentsOf are the fulfillment orders of an order, the first one first.
func fulfillmentsOf(tx *world.Tx, order int64) []world.FulfillmentOrder {
	var out []world.FulfillmentOrder
	for _, f := range tx.FulfillmentOrders.Where("order", strconv.FormatInt(order, 10)) {
		out = append(out, f)
	}
	return out
}
