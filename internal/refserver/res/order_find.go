package res

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// findOrders lists the newest first, or by ascending id from since_id on.
func findOrders(tx *world.Tx, in *api.In) ([]world.Order, error) {
	var out []world.Order
	for _, o := range tx.Orders.All() {
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
		withinTotal(in, o.Total) && matchesOrderText(tx, in.Text("q"), o)
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
	least, hasLeast := scalar.Value{Text: in.Text("total_min")}.Decimal()
	most, hasMost := scalar.Value{Text: in.Text("total_max")}.Decimal()
	return (!hasLeast || !total.LessThan(least)) && (!hasMost || !total.GreaterThan(most))
}

// matchesOrderText looks for the number of the order or for text in the name or
// email of its customer.
func matchesOrderText(tx *world.Tx, q string, o world.Order) bool {
	if q == "" || strconv.FormatInt(o.Number, 10) == q {
		return true
	}
	c, _ := tx.Customers.Get(o.CustomerID)
	return contains(q, o.ContactName, o.ContactEmail, c.Name, c.Email)
}
