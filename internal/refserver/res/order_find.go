package res

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// listOrders lists orders. Of a search, only those on the page are read.
func listOrders(tx *world.Tx, in *api.In) (any, error) {
	if !isSearch(in) {
		return api.Collection(findOrders, showOrder)(tx, in)
	}
	found := ordersWith(tx, in.Text("q"))
	if len(found) > tx.Limits().OrdersPerQuery {
		return nil, api.Unprocessable(tooManyOrders)
	}
	slices.Reverse(found)
	return searched(found, &tx.Orders, func(o world.Order) any { return showOrder(tx, in, o) }), nil
}

// findOrders lists the newest first, or by ascending id from since_id on.
func findOrders(tx *world.Tx, in *api.In) ([]world.Order, error) {
	var out []world.Order
	for _, o := range candidates(tx, in, &tx.Orders, ordersWith) {
		if in.Selects(o.ID, o.CreatedAt, o.UpdatedAt) && matchesOrder(tx, in, o) {
			out = append(out, o)
		}
	}
	if len(out) > tx.Limits().OrdersPerQuery {
		return nil, api.Unprocessable(tooManyOrders)
	}
	if !in.Has("since_id") {
		slices.Reverse(out)
	}
	return out, nil
}

func matchesOrder(tx *world.Tx, in *api.In, o world.Order) bool {
	for name, value := range map[string]string{"status": o.Status, "payment_status": o.PaymentStatus} {
		if want := in.Text(name); want != "" && want != "any" && want != value {
			return false
		}
	}
	if app, ok := in.Int("app_id"); ok && app != o.AppID {
		return false
	}
	if in.Has("customer_ids") && !slices.Contains(in.Ints("customer_ids"), o.CustomerID) ||
		in.Has("channels") && !slices.Contains(in.Texts("channels"), o.Storefront) {
		return false
	}
	return matchesShippingStatus(in.Text("shipping_status"), o.ShippingStatus) && matchesPayment(tx, in, o) &&
		withinTotal(in, o.Total)
}

// matchesPayment applies payment_methods and payment_provider, which name what the
// order says or what one of its transactions says.
func matchesPayment(tx *world.Tx, in *api.In, o world.Order) bool {
	methods, providers := []string{o.PaymentMethod}, []string{o.Gateway}
	if !in.Has("payment_methods") && !in.Has("payment_provider") {
		return true
	}
	for _, t := range transactionsOf(tx, o.ID) {
		methods, providers = append(methods, t.MethodType), append(providers, t.ProviderID)
	}
	asked := func(method string) bool { return slices.Contains(in.Texts("payment_methods"), method) }
	return (!in.Has("payment_methods") || slices.ContainsFunc(methods, asked)) &&
		(!in.Has("payment_provider") || slices.Contains(providers, in.Text("payment_provider")))
}

// withinTotal applies total_min and total_max, which belong to the window.
func withinTotal(in *api.In, total decimal.Decimal) bool {
	least, hasLeast := body.Scalar{Text: in.Text("total_min")}.Decimal()
	most, hasMost := body.Scalar{Text: in.Text("total_max")}.Decimal()
	return (!hasLeast || !total.LessThan(least)) && (!hasMost || !total.GreaterThan(most))
}

// ordersWith looks for text in the name or email of the customer, or for the number of
// the order.
func ordersWith(tx *world.Tx, q string) []int64 {
	found := tx.OrdersWith(q)
	if o, ok := tx.Orders.Find("number", q); ok {
		if at, already := slices.BinarySearch(found, o.ID); !already {
			found = slices.Insert(found, at, o.ID)
		}
	}
	return found
}
