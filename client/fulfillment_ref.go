package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/printable"
	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/oklog/ulid/v2"
)

// OrderFulfillments names the fulfillment orders of an order, under the two names
// that the platform uses.
type OrderFulfillments struct {
	FulfillmentsMember      []FulfillmentRef `json:"fulfillments,omitzero"`       // under the name fulfillments
	FulfillmentOrdersMember []FulfillmentRef `json:"fulfillment_orders,omitzero"` // under the name fulfillment_orders
}

// FulfillmentOrders returns the fulfillment orders of an order: their ids, or the
// whole records if AggregateFulfillmentOrders was asked for. It is empty in v1 for
// stores without the feature, and for a while after an order was completed: they
// are made after it, so ask again.
func (o *OrderFulfillments) FulfillmentOrders() []FulfillmentRef {
	for _, ref := range o.FulfillmentOrdersMember {
		if ref.Order != nil {
			return o.FulfillmentOrdersMember
		}
	}
	if len(o.FulfillmentsMember) > 0 {
		return o.FulfillmentsMember
	}
	return o.FulfillmentOrdersMember
}

// FulfillmentRef is a fulfillment order within an order: its id, or all of it.
type FulfillmentRef struct {
	ID ulid.ULID
	// Order is nil if only the id is told.
	Order *FulfillmentOrder
}

// MarshalJSON writes the record if there is one, and else the id.
func (r FulfillmentRef) MarshalJSON() ([]byte, error) {
	if r.Order != nil {
		return wire.MarshalRecord(r.Order)
	}
	return wire.Marshal(r.ID)
}

// UnmarshalJSON reads an id or a record.
func (r *FulfillmentRef) UnmarshalJSON(data []byte) error {
	if kind(data) == '{' {
		order := new(FulfillmentOrder)
		if err := wire.Unmarshal(data, order); err != nil {
			return fmt.Errorf("fulfillment order: %w", err)
		}
		*r = FulfillmentRef{order.ID, order}
		return nil
	}
	id, err := ulid.ParseStrict(unquoted(data))
	if err != nil {
		return fmt.Errorf("id of a fulfillment order %s: %w", printable.Quote(unquoted(data)), err)
	}
	*r = FulfillmentRef{ID: id}
	return nil
}
