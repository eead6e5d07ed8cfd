package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func orderOps() []api.Op {
	read, write := []string{"read_orders"}, []string{"write_orders"}
	since := []string{api.V202503, api.Unstable}
	missing := api.ErrCase{Status: 404, Text: "null"}
	may := func(texts ...string) []api.ErrCase {
		return append([]api.ErrCase{missing}, unprocessable(texts...)...)
	}
	op := func(id, method, path string, handler api.Handler) api.Op {
		return api.Op{ID: "orders." + id, Method: method, Path: "/orders" + path, Scopes: write, Provenance: api.Supplement, Handler: handler}
	}
	list := op("list", "GET", "", listOrders)
	list.Scopes, list.Provenance = read, api.Contract
	list.Query = api.Recurring("status", "channels", "payment_status", "shipping_status", "total_min", "total_max",
		"customer_ids", "q", "app_id", "payment_methods", "payment_provider", "aggregates")
	list.Errors = []api.ErrCase{{Status: 422, Text: tooManyOrders}}

	get := op("get", "GET", "/{id}", getOrder)
	get.Scopes, get.Query, get.Errors = read, []string{"aggregates"}, may()

	create := op("create", "POST", "", createOrder)
	create.Success, create.Errors = 201, orderFaults()
	create.Emits = []string{"order/created", "customer/created", "product/updated"}

	update := op("update", "PUT", "/{id}", updateOrder)
	update.Errors = may("status: "+body.NotSelectable("status"), cannotOpen, cannotClose, cannotPay)
	update.Emits = []string{"order/updated", "order/cancelled", "order/paid", "product/updated"}

	closing := op("close", "POST", "/{id}/close", closeOrder)
	closing.Errors, closing.Emits = may(cannotClose), []string{"order/updated"}

	opening := op("open", "POST", "/{id}/open", openOrder)
	opening.Errors, opening.Emits = may(cannotOpen), []string{"order/updated"}

	cancel := op("cancel", "POST", "/{id}/cancel", cancelOrder)
	cancel.Errors, cancel.Emits = may("reason: "+body.NotSelectable("reason"), cannotCancel), []string{"order/cancelled",
		"order/updated", "product/updated"}

	pack := op("pack", "POST", "/{id}/pack", packOrder)
	pack.Versions, pack.NoBody, pack.Errors = []string{api.V1}, true, may(cannotPack)
	pack.Emits = []string{"order/packed", "order/updated", "fulfillment_order/status_updated"}

	fulfill := op("fulfill", "POST", "/{id}/fulfill", fulfillOrder)
	fulfill.Versions, fulfill.Errors = []string{api.V1}, may(cannotFulfill)
	fulfill.Emits = []string{"order/fulfilled", "order/updated", "fulfillment_order/status_updated"}

	values := op("values", "GET", "/{id}/history/values", getOrderValues)
	editions := op("editions", "GET", "/{id}/history/editions", getOrderEditions)
	subscriptions := op("subscriptions", "GET", "/{id}/subscriptions", getOrderSubscriptions)
	for _, o := range []*api.Op{&values, &editions, &subscriptions} {
		o.Scopes, o.Versions, o.Errors = read, since, may()
	}

	edit := op("edit", "POST", "/{id}/edit", editOrder)
	edit.Versions, edit.Errors = []string{api.Unstable}, slices.Concat(may(), editFaults())
	edit.Emits = []string{"order/edited", "order/updated", "order/paid", "product/updated"}

	return []api.Op{list, get, create, update, closing, opening, cancel, pack, fulfill, values, editions, subscriptions, edit}
}

// tooManyOrders is assumed: the contract has the limit of a query, not its text.
const tooManyOrders = "The query matches more than 10000 orders"

func getOrder(tx *world.Tx, in *api.In) (any, error) {
	o, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	return showOrder(tx, in, o), nil
}

// order is the one that the path names.
func order(tx *world.Tx, in *api.In) (world.Order, error) {
	o, ok := tx.Orders.Get(in.ID("id"))
	if !ok {
		return o, api.NotFound("")
	}
	return o, nil
}

// keepOrder writes an order that has changed, dates it and tells of it. One that
// has not changed is left alone.
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
