package client

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/oklog/ulid/v2"
)

// OrderFulfillments names the fulfillment orders of an order, under both names that the platform uses.
type OrderFulfillments struct {
	FulfillmentsMember      []FulfillmentRef `json:"fulfillments,omitzero"`       // under the name fulfillments
	FulfillmentOrdersMember []FulfillmentRef `json:"fulfillment_orders,omitzero"` // under the name fulfillment_orders
}

// FulfillmentOrders returns the fulfillment orders of an order: their ids, or the whole records if
// AggregateFulfillmentOrders was requested. In v1 it is empty for stores without the feature. It is also empty for a
// while after an order was completed, because the platform creates fulfillment orders later. In that case, read the
// order again.
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

// FulfillmentRef is a fulfillment order inside an order: its id, or the whole record.
type FulfillmentRef struct {
	ID ulid.ULID
	// Order is nil if the platform reports only the id.
	Order *FulfillmentOrder
}

// MarshalJSON writes the record if Order is set, and otherwise the id.
func (r FulfillmentRef) MarshalJSON() ([]byte, error) {
	if r.Order != nil {
		return wire.MarshalRecord(r.Order)
	}
	return wire.Marshal(r.ID)
}

// UnmarshalJSON reads an id or a record.
func (r *FulfillmentRef) UnmarshalJSON(data []byte) error {
	if wire.Kind(data) == '{' {
		order := new(FulfillmentOrder)
		if err := wire.Unmarshal(data, order); err != nil {
			return fmt.Errorf("fulfillment order: %w", err)
		}
		*r = FulfillmentRef{order.ID, order}
		return nil
	}
	id, err := ulid.ParseStrict(wire.Unquoted(data))
	if err != nil {
		return fmt.Errorf("id of a fulfillment order %s: %w", wire.Quote(wire.Unquoted(data)), err)
	}
	*r = FulfillmentRef{ID: id}
	return nil
}
