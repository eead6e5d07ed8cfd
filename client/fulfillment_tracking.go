package client

import (
	"context"
	"net/http"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxTrackingEvents is the maximum number of tracking events of a fulfillment order. The platform accepts one more only
// if its status is delivered.
const MaxTrackingEvents = 100

// TrackingEvent is an event of a fulfillment order on its way to the customer.
type TrackingEvent struct {
	ID          ulid.ULID      `json:"id"`
	Status      TrackingStatus `json:"status"`      // the kind of event
	Description string         `json:"description"` // a text for the customer
	// Address is one line; nil if unknown.
	Address *string `json:"address"`
	// Geolocation is nil if unknown.
	Geolocation *Geolocation `json:"geolocation"`
	HappenedAt  Time         `json:"happened_at"` // when it happened
	// EstimatedDeliveryAt is zero if unknown.
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

// TrackingStatus is the kind of a tracking event. Carriers can also use their own values, which begin with
// CustomTrackingPrefix.
type TrackingStatus string

// CustomTrackingPrefix is the prefix of a carrier's own statuses.
const CustomTrackingPrefix = "custom_"

// The values of TrackingStatus.
const (
	TrackingDispatched            TrackingStatus = "dispatched"              // it has left the merchant
	TrackingReceivedByPostOffice  TrackingStatus = "received_by_post_office" // the carrier has it
	TrackingInTransit             TrackingStatus = "in_transit"              // it is on its way
	TrackingOutForDelivery        TrackingStatus = "out_for_delivery"        // the carrier is delivering it
	TrackingDeliveryAttemptFailed TrackingStatus = "delivery_attempt_failed" // nobody accepted it
	TrackingDelayed               TrackingStatus = "delayed"                 // it will be late
	TrackingReadyForPickup        TrackingStatus = "ready_for_pickup"        // the customer can pick it up
	TrackingDelivered             TrackingStatus = "delivered"               // the customer has it
	TrackingReturnedToSender      TrackingStatus = "returned_to_sender"      // it was returned
	TrackingLost                  TrackingStatus = "lost"                    // it is lost
	TrackingFailure               TrackingStatus = "failure"                 // another failure
)

// Custom reports whether the status is a carrier's own one.
func (s TrackingStatus) Custom() bool {
	return strings.HasPrefix(string(s), CustomTrackingPrefix) && len(s) > len(CustomTrackingPrefix)
}

// Known reports whether the contract names the value. It does so for every Custom status.
func (s TrackingStatus) Known() bool {
	return s.Custom() || wire.Known(s, TrackingDispatched, TrackingReceivedByPostOffice, TrackingInTransit, TrackingOutForDelivery,
		TrackingDeliveryAttemptFailed, TrackingDelayed, TrackingReadyForPickup, TrackingDelivered,
		TrackingReturnedToSender, TrackingLost, TrackingFailure)
}

// TrackingEventInput is the body of Create and Update. The platform rejects an event that equals an existing one if
// their times are less than a minute apart or absent.
type TrackingEventInput struct {
	// Status is required.
	Status      TrackingStatus `json:"status"`
	Description string         `json:"description,omitzero"` // a text for the customer
	// Address is one line; Null removes it.
	Address     Opt[string]      `json:"address,omitzero"`
	Geolocation Opt[Geolocation] `json:"geolocation,omitzero"` // the place of the event
	// HappenedAt is the time of the event; zero means now.
	HappenedAt Time `json:"happened_at,omitzero"`
	// EstimatedDeliveryAt is the expected time of the delivery; Null removes it.
	EstimatedDeliveryAt Opt[Time] `json:"estimated_delivery_at,omitzero"`
}

func (in TrackingEventInput) check() error {
	if !in.Status.Known() {
		return engine.Invalid("status", in.Status, "a status of the contract, or one that begins with "+CustomTrackingPrefix)
	}
	return nil
}

// TrackingEventService reads tracking events with the scope read_fulfillment_orders and writes them with
// write_fulfillment_orders. All versions have it. Events can be written only while the fulfillment order is dispatched.
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

// Create adds a tracking event and returns it. An event with the status delivered marks the fulfillment order as
// delivered at the time of the event. On ErrOutcomeUnknown it may be sent again unchanged. If the event exists already,
// the platform rejects it with ErrValidation.
//
//api:endpoint POST /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events
func (s *TrackingEventService) Create(ctx context.Context, orderID ID, fulfillmentOrderID ulid.ULID, in TrackingEventInput) (*TrackingEvent, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return engine.Send[TrackingEvent](ctx, s, http.MethodPost, "/orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events",
		in, orderID, fulfillmentOrderID)
}

// Update replaces a tracking event. It can also mark the fulfillment order as delivered.
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
