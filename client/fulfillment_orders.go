package client

import (
	"context"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// FulfillmentOrder is a part of an order that one location ships to one place.
type FulfillmentOrder struct {
	ID ulid.ULID `json:"id"`
	// Number is a text such as "1001-1".
	Number        Code    `json:"number"`
	TotalQuantity Int     `json:"total_quantity"` // pieces in all lines
	TotalWeight   Decimal `json:"total_weight"`   // kilograms
	TotalPrice    Amount  `json:"total_price"`    // of all lines, without the delivery
	// AssignedLocation is nil until a location is assigned.
	AssignedLocation *AssignedLocation    `json:"assigned_location"`
	LineItems        []FulfillmentLine    `json:"line_items"` // what is shipped
	Recipient        *Recipient           `json:"recipient"`  // nil if it is not told
	Shipping         *FulfillmentShipping `json:"shipping"`   // nil if it is not told
	// Destination is nil if nothing is shipped.
	Destination   *FulfillmentAddress   `json:"destination"`
	Discounts     []FulfillmentDiscount `json:"discounts"`      // what is taken off
	Status        FulfillmentStatus     `json:"status"`         // where it is on its way
	StatusHistory []StatusChange        `json:"status_history"` // the oldest change first
	// TrackingInfo is nil, or has nil members, until it is told.
	TrackingInfo        *TrackingInfo        `json:"tracking_info"`
	TrackingInfoHistory []TrackingInfoChange `json:"tracking_info_history"` // the oldest change first
	TrackingEvents      []TrackingEvent      `json:"tracking_events"`       // what happened on its way
	// FulfilledAt is when it was delivered; zero before.
	FulfilledAt Time  `json:"fulfilled_at"`
	CreatedAt   Time  `json:"created_at"`
	UpdatedAt   Time  `json:"updated_at"`
	Extra       Extra `json:",embed"`
}

// FulfillmentStatus is the state of a fulfillment order.
type FulfillmentStatus string

// The values of FulfillmentStatus.
const (
	FulfillmentUnpacked   FulfillmentStatus = "UNPACKED"   // also back from packed
	FulfillmentPacked     FulfillmentStatus = "PACKED"     // it is packed
	FulfillmentDispatched FulfillmentStatus = "DISPATCHED" // it left the location
	// FulfillmentReadyForPickup is for those that the customer picks up.
	FulfillmentReadyForPickup FulfillmentStatus = "READY_FOR_PICKUP"
	FulfillmentDelivered      FulfillmentStatus = "DELIVERED" // the customer has it
	// FulfillmentMarkedAsFulfilled, FulfillmentReadyForShip and FulfillmentPending
	// are deprecated; old records have them.
	FulfillmentMarkedAsFulfilled FulfillmentStatus = "MARKED_AS_FULFILLED"
	FulfillmentReadyForShip      FulfillmentStatus = "READY_FOR_SHIP"
	FulfillmentPending           FulfillmentStatus = "PENDING"
)

// Known reports whether the contract names the value.
func (s FulfillmentStatus) Known() bool {
	return enum.Known(s,
		FulfillmentUnpacked, FulfillmentPacked, FulfillmentDispatched, FulfillmentReadyForPickup,
		FulfillmentDelivered, FulfillmentMarkedAsFulfilled, FulfillmentReadyForShip, FulfillmentPending,
	)
}

// StatusChange is one change of the status of a fulfillment order.
type StatusChange struct {
	// FromStatus is empty for the first status.
	FromStatus FulfillmentStatus `json:"from_status"`
	ToStatus   FulfillmentStatus `json:"to_status"`   // what it became
	HappenedAt Time              `json:"happened_at"` // when it happened
	CreatedAt  Time              `json:"created_at"`
	Extra      Extra             `json:",embed"`
}

// TrackingInfo leads to the carrier's tracking.
type TrackingInfo struct {
	// URL and Code are nil if they are not told.
	URL   *string `json:"url"`
	Code  *Code   `json:"code"`
	Extra Extra   `json:",embed"`
}

// TrackingInfoChange is one change of the tracking info.
type TrackingInfoChange struct {
	FromTrackingInfo *TrackingInfo `json:"from_tracking_info"` // what it was; nil for the first
	ToTrackingInfo   *TrackingInfo `json:"to_tracking_info"`   // what it became; nil if it was taken away
	HappenedAt       Time          `json:"happened_at"`        // when it happened
	CreatedAt        Time          `json:"created_at"`
	// AppID and UserID tell who changed it; nil if it was the other.
	AppID  *ID   `json:"app_id"`
	UserID *ID   `json:"user_id"`
	Extra  Extra `json:",embed"`
}

// FulfillmentOrderFilter says what the list of an order's fulfillment orders
// answers.
type FulfillmentOrderFilter struct {
	// CustomFields adds the custom fields of the lines.
	CustomFields bool
}

func (f FulfillmentOrderFilter) query() *query {
	q := newQuery()
	if f.CustomFields {
		q.aggregates([]Aggregate{AggregateCustomFields})
	}
	return q
}

// FulfillmentOrderService reads fulfillment orders with the scope
// read_fulfillment_orders, which read_orders grants too, and writes them with
// write_fulfillment_orders. All versions have it. The platform creates them.
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

// Update changes what is present in in. After dispatch, destination, shipping and
// recipient are frozen, and after packing the assigned location is.
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
