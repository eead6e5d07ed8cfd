package client

import (
	"context"
	"net/http"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// MaxTrackingEvents is the number of tracking events of a fulfillment order; one
// more is taken only if it says delivered.
const MaxTrackingEvents = 100

// TrackingEvent is something that happened to a fulfillment order on its way.
type TrackingEvent struct {
	ID          ulid.ULID      `json:"id"`
	Status      TrackingStatus `json:"status"`      // what happened
	Description string         `json:"description"` // in words for the customer
	// Address is one line; nil if it is not told.
	Address *string `json:"address"`
	// Geolocation is nil if it is not told.
	Geolocation *Geolocation `json:"geolocation"`
	HappenedAt  Time         `json:"happened_at"` // when it happened
	// EstimatedDeliveryAt is zero if it is not told.
	EstimatedDeliveryAt Time  `json:"estimated_delivery_at"`
	CreatedAt           Time  `json:"created_at"`
	UpdatedAt           Time  `json:"updated_at"`
	Extra               Extra `json:",embed"`
}

// Geolocation is a place on earth in degrees.
type Geolocation struct {
	Longitude Decimal `json:"longitude"` // -180 to 180, east is positive
	Latitude  Decimal `json:"latitude"`  // -90 to 90, north is positive
}

// TrackingStatus says what happened. Beside the values of this package, carriers
// use their own, which begin with CustomTrackingPrefix.
type TrackingStatus string

// CustomTrackingPrefix begins the statuses that a carrier makes up.
const CustomTrackingPrefix = "custom_"

// The values of TrackingStatus.
const (
	TrackingDispatched            TrackingStatus = "dispatched"              // it left the merchant
	TrackingReceivedByPostOffice  TrackingStatus = "received_by_post_office" // the carrier has it
	TrackingInTransit             TrackingStatus = "in_transit"              // it is on its way
	TrackingOutForDelivery        TrackingStatus = "out_for_delivery"        // it is being brought to the customer
	TrackingDeliveryAttemptFailed TrackingStatus = "delivery_attempt_failed" // nobody took it
	TrackingDelayed               TrackingStatus = "delayed"                 // it will be late
	TrackingReadyForPickup        TrackingStatus = "ready_for_pickup"        // the customer can fetch it
	TrackingDelivered             TrackingStatus = "delivered"               // the customer has it
	TrackingReturnedToSender      TrackingStatus = "returned_to_sender"      // it went back
	TrackingLost                  TrackingStatus = "lost"                    // nobody knows where it is
	TrackingFailure               TrackingStatus = "failure"                 // something else went wrong
)

// Custom reports whether a carrier made the status up.
func (s TrackingStatus) Custom() bool {
	return strings.HasPrefix(string(s), CustomTrackingPrefix) && len(s) > len(CustomTrackingPrefix)
}

// Known reports whether the contract names the value; it does for those that are Custom.
func (s TrackingStatus) Known() bool {
	return s.Custom() || enum.Known(s, TrackingDispatched, TrackingReceivedByPostOffice, TrackingInTransit, TrackingOutForDelivery,
		TrackingDeliveryAttemptFailed, TrackingDelayed, TrackingReadyForPickup, TrackingDelivered,
		TrackingReturnedToSender, TrackingLost, TrackingFailure)
}

// TrackingEventInput is the body of Create and Update. An event that equals an
// existing one, with a time less than a minute apart or without a time, is refused.
type TrackingEventInput struct {
	// Status is required.
	Status      TrackingStatus `json:"status"`
	Description string         `json:"description,omitzero"` // in words for the customer
	// Address is one line; Null removes it.
	Address     Opt[string]      `json:"address,omitzero"`
	Geolocation Opt[Geolocation] `json:"geolocation,omitzero"` // where it happened
	// HappenedAt is now if it is zero.
	HappenedAt Time `json:"happened_at,omitzero"`
	// EstimatedDeliveryAt: Null removes it.
	EstimatedDeliveryAt Opt[Time] `json:"estimated_delivery_at,omitzero"`
}

func (in TrackingEventInput) check() error {
	if !in.Status.Known() {
		return engine.Invalid("status", in.Status, "a status of the contract, or one that begins with "+CustomTrackingPrefix)
	}
	return nil
}

// TrackingEventService reads tracking events with the scope read_fulfillment_orders
// and writes them with write_fulfillment_orders. All versions have it. Events are
// written while the fulfillment order is dispatched.
type TrackingEventService engine.Service

// List selects the tracking events of a fulfillment order.
//
//api:endpoint GET /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events
func (s *TrackingEventService) List(orderID ID, fulfillmentOrderID ulid.ULID) List[TrackingEvent] {
	return listOf[TrackingEvent](s, newQuery(), engine.ListSpec{Path: "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events", Args: []any{orderID, fulfillmentOrderID}, Whole: true})
}

// Get returns a tracking event.
//
//api:endpoint GET /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events/{event_id}
func (s *TrackingEventService) Get(ctx context.Context, orderID ID, fulfillmentOrderID, id ulid.ULID) (*TrackingEvent, error) {
	return engine.Get[TrackingEvent](ctx, s, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events/{event_id}",
		nil, orderID, fulfillmentOrderID, id)
}

// Create adds a tracking event and returns it. One with the status delivered marks the
// fulfillment order as delivered at the time of the event. On ErrOutcomeUnknown it may be
// sent again as it was: the platform refuses it with ErrValidation if it is there.
//
//api:endpoint POST /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events
func (s *TrackingEventService) Create(ctx context.Context, orderID ID, fulfillmentOrderID ulid.ULID, in TrackingEventInput) (*TrackingEvent, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[TrackingEvent](ctx, s, http.MethodPost, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events",
		in, orderID, fulfillmentOrderID)
}

// Update replaces a tracking event, which may mark the fulfillment order as
// delivered too.
//
//api:endpoint PUT /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events/{event_id}
func (s *TrackingEventService) Update(ctx context.Context, orderID ID, fulfillmentOrderID, id ulid.ULID, in TrackingEventInput) (*TrackingEvent, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[TrackingEvent](ctx, s, http.MethodPut, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events/{event_id}",
		in, orderID, fulfillmentOrderID, id)
}

// Delete removes a tracking event.
//
//api:endpoint DELETE /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events/{event_id}
func (s *TrackingEventService) Delete(ctx context.Context, orderID ID, fulfillmentOrderID, id ulid.ULID) error {
	return engine.Delete(ctx, s, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events/{event_id}",
		orderID, fulfillmentOrderID, id)
}
