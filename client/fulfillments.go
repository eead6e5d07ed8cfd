package client

import (
	"context"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Fulfillment is an event of an order on its way to the customer, in the legacy form before fulfillment orders. It
// belongs to the first fulfillment order of the order. New programs use TrackingEvent.
type Fulfillment struct {
	ID          ID             `json:"id"`
	OrderID     ID             `json:"order_id"`    // the order
	Status      TrackingStatus `json:"status"`      // the kind of event
	Description string         `json:"description"` // a text for the customer
	City        string         `json:"city"`        // where it happened
	Province    string         `json:"province"`    // where it happened
	Country     string         `json:"country"`     // where it happened
	HappenedAt  Time           `json:"happened_at"` // when it happened
	// EstimatedDeliveryAt is zero if unknown.
	EstimatedDeliveryAt Time  `json:"estimated_delivery_at"`
	CreatedAt           Time  `json:"created_at"`
	UpdatedAt           Time  `json:"updated_at"`
	Extra               Extra `json:",embed"`
}

// FulfillmentInput is the body of FulfillmentService.Create.
type FulfillmentInput struct {
	// Status is required and must be a value of this package.
	Status      TrackingStatus `json:"status"`
	Description string         `json:"description,omitzero"` // a text for the customer
	City        string         `json:"city,omitzero"`        // where it happened
	Province    string         `json:"province,omitzero"`    // where it happened
	Country     string         `json:"country,omitzero"`     // where it happened
	// HappenedAt is optional. EstimatedDeliveryAt is zero if unknown. Both are truncated to seconds, because the
	// platform accepts no fractions here.
	HappenedAt          Time `json:"happened_at,omitzero"`
	EstimatedDeliveryAt Time `json:"estimated_delivery_at,omitzero"`
}

// FulfillmentService reads legacy fulfillments with the scope read_shipping and writes them with write_shipping. All
// versions have it. The platform has deprecated it.
type FulfillmentService engine.Service

// List selects the fulfillments of an order.
//
//api:endpoint GET /orders/{order_id}/fulfillments
func (s *FulfillmentService) List(orderID ID) List[Fulfillment] {
	return listOf[Fulfillment](s, newQuery(), engine.ListSpec{Path: "/orders/{order_id}/fulfillments", Args: []any{orderID}, Whole: true})
}

// Get returns a fulfillment.
//
//api:endpoint GET /orders/{order_id}/fulfillments/{id}
func (s *FulfillmentService) Get(ctx context.Context, orderID, id ID) (*Fulfillment, error) {
	return engine.Get[Fulfillment](ctx, s, "/orders/{order_id}/fulfillments/{id}", nil, orderID, id)
}

// Create adds a fulfillment and returns it.
//
//api:endpoint POST /orders/{order_id}/fulfillments
func (s *FulfillmentService) Create(ctx context.Context, orderID ID, in FulfillmentInput) (*Fulfillment, error) {
	if !in.Status.Known() || in.Status.Custom() {
		return nil, engine.Invalid("status", in.Status, "a status of the contract")
	}
	in.HappenedAt, in.EstimatedDeliveryAt = At(in.HappenedAt.Truncate(time.Second)), At(in.EstimatedDeliveryAt.Truncate(time.Second))
	return engine.Send[Fulfillment](ctx, s, http.MethodPost, "/orders/{order_id}/fulfillments", in, orderID)
}

// Delete removes a fulfillment.
//
//api:endpoint DELETE /orders/{order_id}/fulfillments/{id}
func (s *FulfillmentService) Delete(ctx context.Context, orderID, id ID) error {
	return engine.Delete(ctx, s, "/orders/{order_id}/fulfillments/{id}", orderID, id)
}
