package client

import (
	"context"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// FulfillmentOrder is a part of an order that one location ships to one address.
type FulfillmentOrder struct {
	ID ulid.ULID `json:"id"`
	// Number is a text such as "1001-1".
	Number        Code    `json:"number"`
	TotalQuantity Int     `json:"total_quantity"` // pieces in all lines
	TotalWeight   Decimal `json:"total_weight"`   // kilograms
	TotalPrice    Amount  `json:"total_price"`    // of all lines, without the delivery
	// AssignedLocation is nil until a location is assigned.
	AssignedLocation *AssignedLocation    `json:"assigned_location"`
	LineItems        []FulfillmentLine    `json:"line_items"` // the items to ship
	Recipient        *Recipient           `json:"recipient"`  // nil if unknown
	Shipping         *FulfillmentShipping `json:"shipping"`   // nil if unknown
	// Destination is nil if nothing is shipped.
	Destination   *FulfillmentAddress   `json:"destination"`
	Discounts     []FulfillmentDiscount `json:"discounts"`      // the discounts that apply to it
	Status        FulfillmentStatus     `json:"status"`         // the current status
	StatusHistory []StatusChange        `json:"status_history"` // the oldest change first
	// TrackingInfo is nil, or has nil members, until the platform has it.
	TrackingInfo        *TrackingInfo        `json:"tracking_info"`
	TrackingInfoHistory []TrackingInfoChange `json:"tracking_info_history"` // the oldest change first
	TrackingEvents      []TrackingEvent      `json:"tracking_events"`       // events on the way to the customer
	// FulfilledAt is the time of the delivery; zero before.
	FulfilledAt Time  `json:"fulfilled_at"`
	CreatedAt   Time  `json:"created_at"`
	UpdatedAt   Time  `json:"updated_at"`
	Extra       Extra `json:",embed"`
}

// FulfillmentStatus is the state of a fulfillment order.
type FulfillmentStatus string

// The values of FulfillmentStatus.
const (
	FulfillmentUnpacked   FulfillmentStatus = "UNPACKED"   // not packed, or unpacked again
	FulfillmentPacked     FulfillmentStatus = "PACKED"     // it is packed
	FulfillmentDispatched FulfillmentStatus = "DISPATCHED" // it has left the location
	// FulfillmentReadyForPickup applies to fulfillment orders that the customer picks up.
	FulfillmentReadyForPickup FulfillmentStatus = "READY_FOR_PICKUP"
	FulfillmentDelivered      FulfillmentStatus = "DELIVERED" // the customer has it
	// FulfillmentMarkedAsFulfilled, FulfillmentReadyForShip and FulfillmentPending are deprecated. Old records have
	// them.
	FulfillmentMarkedAsFulfilled FulfillmentStatus = "MARKED_AS_FULFILLED"
	FulfillmentReadyForShip      FulfillmentStatus = "READY_FOR_SHIP"
	FulfillmentPending           FulfillmentStatus = "PENDING"
)

// Known reports whether the contract names the value.
func (s FulfillmentStatus) Known() bool {
	return wire.Known(s,
		FulfillmentUnpacked, FulfillmentPacked, FulfillmentDispatched, FulfillmentReadyForPickup,
		FulfillmentDelivered, FulfillmentMarkedAsFulfilled, FulfillmentReadyForShip, FulfillmentPending,
	)
}

// StatusChange is one change of the status of a fulfillment order.
type StatusChange struct {
	// FromStatus is empty for the first status.
	FromStatus FulfillmentStatus `json:"from_status"`
	ToStatus   FulfillmentStatus `json:"to_status"`   // the new status
	HappenedAt Time              `json:"happened_at"` // when it happened
	CreatedAt  Time              `json:"created_at"`
	Extra      Extra             `json:",embed"`
}

// TrackingInfo is the carrier's tracking of a fulfillment order.
type TrackingInfo struct {
	// URL and Code are nil if unknown.
	URL   *string `json:"url"`
	Code  *Code   `json:"code"`
	Extra Extra   `json:",embed"`
}

// TrackingInfoChange is one change of the tracking info.
type TrackingInfoChange struct {
	FromTrackingInfo *TrackingInfo `json:"from_tracking_info"` // the old value; nil for the first change
	ToTrackingInfo   *TrackingInfo `json:"to_tracking_info"`   // the new value; nil if it was removed
	HappenedAt       Time          `json:"happened_at"`        // when it happened
	CreatedAt        Time          `json:"created_at"`
	// AppID and UserID are the app or the user who changed it. The other one is nil.
	AppID  *ID   `json:"app_id"`
	UserID *ID   `json:"user_id"`
	Extra  Extra `json:",embed"`
}

// FulfillmentOrderFilter selects the content of the list of an order's fulfillment orders.
type FulfillmentOrderFilter struct {
	// CustomFields includes the custom fields of the lines.
	CustomFields bool
}

func (f FulfillmentOrderFilter) query() *query {
	q := newQuery()
	if f.CustomFields {
		q.aggregates([]Aggregate{AggregateCustomFields})
	}
	return q
}

// FulfillmentOrderService reads fulfillment orders with the scope read_fulfillment_orders, which read_orders includes,
// and writes them with write_fulfillment_orders. All versions have it. Only the platform creates fulfillment orders.
type FulfillmentOrderService engine.Service

// List selects the fulfillment orders of an order.
//
//api:endpoint GET /orders/{order_id}/fulfillment-orders
func (s *FulfillmentOrderService) List(orderID ID, f FulfillmentOrderFilter) List[FulfillmentOrder] {
	return listOf[FulfillmentOrder](s, f.query(), engine.ListSpec{Path: "/orders/{order_id}/fulfillment-orders", Args: []any{orderID}, Envelope: []string{"results"}, Total: "total", Whole: true})
}

// Get returns a fulfillment order.
//
//api:endpoint GET /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}
func (s *FulfillmentOrderService) Get(ctx context.Context, orderID ID, id ulid.ULID) (*FulfillmentOrder, error) {
	return engine.Get[FulfillmentOrder](ctx, s, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}", nil, orderID, id)
}

// Update changes the members that are present in the input. After packing, the assigned location cannot be changed.
// After dispatch, destination, shipping and recipient cannot be changed.
//
//api:endpoint PATCH /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}
func (s *FulfillmentOrderService) Update(ctx context.Context, orderID ID, id ulid.ULID, in FulfillmentOrderInput) (*FulfillmentOrder, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[FulfillmentOrder](ctx, s, http.MethodPatch, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}", in, orderID, id)
}

// Delete removes a fulfillment order that has no products.
//
//api:endpoint DELETE /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}
func (s *FulfillmentOrderService) Delete(ctx context.Context, orderID ID, id ulid.ULID) error {
	return engine.Delete(ctx, s, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}", orderID, id)
}
