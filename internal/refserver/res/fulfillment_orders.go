package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func fulfillmentOrderOps() []api.Op {
	read, write := []string{"read_fulfillment_orders"}, []string{"write_fulfillment_orders"}
	const one = fulfillmentOrdersPath + "/{fulfillment_order_id}"
	noOrder := api.ErrCase{Status: 404, Text: noSuchOrder}
	missing := []api.ErrCase{noOrder, {Status: 404, Text: noSuchFulfillmentOrder}}
	return []api.Op{
		{ID: "fulfillmentOrders.list", Method: "GET", Path: fulfillmentOrdersPath, Scopes: read, Provenance: api.Supplement,
			Query: []string{"aggregates"}, Errors: []api.ErrCase{noOrder},
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findFulfillmentOrders, showFulfillmentOrder)},
		{ID: "fulfillmentOrders.get", Method: "GET", Path: one, Scopes: read, Provenance: api.Supplement,
			Query: []string{"aggregates"}, Errors: missing, Handler: api.Record(fulfillmentOrder, showFulfillmentOrder)},
		{ID: "fulfillmentOrders.update", Method: "PATCH", Path: one, Scopes: write, Provenance: api.Supplement,
			Emits:  append([]string{"fulfillment_order/status_updated"}, orderShippingEvents()...),
			Errors: slices.Concat(missing, patchErrors()), Handler: patchFulfillmentOrder},
		{ID: "fulfillmentOrders.delete", Method: "DELETE", Path: one, Scopes: write, Provenance: api.Supplement, Success: 204, NoBody: true,
			Emits:  orderShippingEvents(),
			Errors: append(missing, api.ErrCase{Status: 400, Text: hasProducts}), Handler: deleteFulfillmentOrder},
	}
}

const fulfillmentOrdersPath = "/orders/{order_id}/fulfillment-orders"

// orderShippingEvents are the events of an order when a fulfillment order changes.
func orderShippingEvents() []string {
	return []string{"order/updated", "order/packed", "order/fulfilled", "order/unpacked"}
}

// Texts about fulfillment orders. All are assumed: the contract has the rules and
// the shape, not the words.
const (
	noSuchOrder            = "Order with such id does not exist"
	noSuchFulfillmentOrder = "Fulfillment order with such id does not exist"
	hasProducts            = "A fulfillment order with products cannot be deleted"
)

// described is a refusal in the shape of fulfillment orders, which has two members
// for one text.
func described(status int, text string) *api.Error { return api.Described(status, text, text) }

func findFulfillmentOrders(tx *world.Tx, in *api.In) ([]world.FulfillmentOrder, error) {
	if !tx.Orders.Has(in.ID("order_id")) {
		return nil, described(404, noSuchOrder)
	}
	return fulfillmentsOf(tx, in.ID("order_id")), nil
}

// fulfillmentOrder is the one that the path names, which is the order's.
func fulfillmentOrder(tx *world.Tx, in *api.In) (world.FulfillmentOrder, error) {
	if !tx.Orders.Has(in.ID("order_id")) {
		return world.FulfillmentOrder{}, described(404, noSuchOrder)
	}
	f, ok := tx.FulfillmentOrders.Get(in.Var("fulfillment_order_id"))
	if !ok || f.OrderID != in.ID("order_id") {
		return f, described(404, noSuchFulfillmentOrder)
	}
	return f, nil
}

// keepFulfillmentOrder writes a fulfillment order and brings its order up to date.
func keepFulfillmentOrder(tx *world.Tx, f world.FulfillmentOrder) error {
	if err := tx.FulfillmentOrders.Put(f.ID, f); err != nil {
		return err
	}
	_, err := settleShipping(tx, f.OrderID)
	return err
}

func deleteFulfillmentOrder(tx *world.Tx, in *api.In) (any, error) {
	f, err := fulfillmentOrder(tx, in)
	if err != nil {
		return nil, err
	}
	if len(f.Lines) > 0 {
		return nil, described(400, hasProducts)
	}
	for _, e := range trackingEventsOf(tx, f.ID) {
		tx.TrackingEvents.Delete(e.ID)
	}
	for _, l := range labelsOf(tx, f.ID) {
		tx.Labels.Delete(l.ID)
	}
	tx.FulfillmentOrders.Delete(f.ID)
	if _, err := settleShipping(tx, f.OrderID); err != nil {
		return nil, err
	}
	return nil, nil
}
