package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func orderOps() []api.Op {
	read, write := []string{"read_orders"}, []string{"write_orders"}
	v1, since := []string{api.V1}, []string{api.V202503, api.Unstable}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	return []api.Op{
		{ID: "orders.list", Method: "GET", Path: "/orders", Scopes: read,
			Query: api.Recurring("status", "channels", "payment_status", "shipping_status", "total_min", "total_max",
				"customer_ids", "q", "app_id", "payment_methods", "payment_provider", "aggregates"),
			Errors: unprocessable(tooManyOrders), Handler: listOrders},
		{ID: "orders.get", Method: "GET", Path: "/orders/{id}", Scopes: read, Provenance: api.Supplement,
			Query: []string{"aggregates"}, Errors: missing, Handler: api.Record(order, showOrder)},
		{ID: "orders.create", Method: "POST", Path: "/orders", Scopes: write, Provenance: api.Supplement, Success: 201,
			Emits: []string{"order/created", "customer/created", "product/updated"}, Errors: orderFaults(),
			Handler: createOrder},
		{ID: "orders.update", Method: "PUT", Path: "/orders/{id}", Scopes: write, Provenance: api.Supplement,
			Emits: []string{"order/updated", "order/cancelled", "order/paid", "product/updated"},
			Errors: slices.Concat(missing,
				unprocessable("status: "+body.NotSelectable("status"), cannotOpen, cannotClose, cannotPay)),
			Handler: updateOrder},
		{ID: "orders.close", Method: "POST", Path: "/orders/{id}/close", Scopes: write, Provenance: api.Supplement,
			Emits: []string{"order/updated"}, Errors: slices.Concat(missing, unprocessable(cannotClose)), Handler: closeOrder},
		{ID: "orders.open", Method: "POST", Path: "/orders/{id}/open", Scopes: write, Provenance: api.Supplement,
			Emits: []string{"order/updated"}, Errors: slices.Concat(missing, unprocessable(cannotOpen)), Handler: openOrder},
		{ID: "orders.cancel", Method: "POST", Path: "/orders/{id}/cancel", Scopes: write, Provenance: api.Supplement,
			Emits:   []string{"order/cancelled", "order/updated", "product/updated"},
			Errors:  slices.Concat(missing, unprocessable("reason: "+body.NotSelectable("reason"), cannotCancel)),
			Handler: cancelOrder},
		{ID: "orders.pack", Method: "POST", Path: "/orders/{id}/pack", Scopes: write, Provenance: api.Supplement,
			Versions: v1, NoBody: true, Emits: []string{"order/packed", "order/updated", "fulfillment_order/status_updated"},
			Errors: slices.Concat(missing, unprocessable(cannotPack)), Handler: packOrder},
		{ID: "orders.fulfill", Method: "POST", Path: "/orders/{id}/fulfill", Scopes: write, Provenance: api.Supplement,
			Versions: v1, Emits: []string{"order/fulfilled", "order/updated", "fulfillment_order/status_updated"},
			Errors: slices.Concat(missing, unprocessable(cannotFulfill)), Handler: fulfillOrder},
		{ID: "orders.values", Method: "GET", Path: "/orders/{id}/history/values", Scopes: read,
			Provenance: api.Supplement, Versions: since, Errors: missing, Handler: getOrderValues},
		{ID: "orders.editions", Method: "GET", Path: "/orders/{id}/history/editions", Scopes: read,
			Provenance: api.Supplement, Versions: since, Errors: missing, Handler: getOrderEditions},
		{ID: "orders.subscriptions", Method: "GET", Path: "/orders/{id}/subscriptions", Scopes: read,
			Provenance: api.Supplement, Versions: since, Errors: missing, Handler: getOrderSubscriptions},
		{ID: "orders.edit", Method: "POST", Path: "/orders/{id}/edit", Scopes: write, Provenance: api.Supplement,
			Versions: []string{api.Unstable}, Emits: []string{"order/edited", "order/updated", "order/paid", "product/updated"},
			Errors: slices.Concat(missing, editFaults()), Handler: editOrder},
	}
}

// tooManyOrders is assumed: the contract has the limit of a query, not its text.
const tooManyOrders = "The query matches more than 10000 orders"

// order is the one that the path names.
func order(tx *world.Tx, in *api.In) (world.Order, error) {
	o, ok := tx.Orders.Get(in.ID("id"))
	if !ok {
		return o, api.NotFound("")
	}
	return o, nil
}

// keepOrder writes an order that has changed, dates it and sends the event. One that has not changed is left alone.
func keepOrder(tx *world.Tx, before, o world.Order, events ...string) (world.Order, error) {
	if same(before, o) {
		return before, nil
	}
	o.UpdatedAt = tx.Now()
	if err := tx.Orders.Put(o.ID, o); err != nil {
		return o, err
	}
	for i, name := range events {
		if !slices.Contains(events[:i], name) {
			tx.Emit(name, ids(o.ID))
		}
	}
	return o, nil
}
