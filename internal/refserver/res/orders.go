package res

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func orderOps() []api.Op {
	read := []string{"read_orders"}
	return []api.Op{
		{ID: "orders.list", Method: "GET", Path: "/orders", Scopes: read,
			Query: api.Recurring("status", "channels", "payment_status", "shipping_status", "total_min", "total_max",
				"customer_ids", "q", "app_id", "payment_methods", "payment_provider", "aggregates"),
			Errors:  []api.ErrCase{{Status: 422, Text: tooManyOrders}},
			Handler: api.Collection(findOrders, showOrder)},
		{ID: "orders.get", Method: "GET", Path: "/orders/{id}", Scopes: read, Query: []string{"aggregates"},
			Errors: []api.ErrCase{{Status: 404, Text: "null"}}, Provenance: api.Supplement, Handler: getOrder},
	}
}

// tooManyOrders is assumed: the contract has the limit of a query, not its text.
const tooManyOrders = "The query matches more than 10000 orders"

type orderJSON struct {
	ID      int64  `json:"id"`
	StoreID string `json:"store_id"`
	Number  int64  `json:"number"`
	saleJSON
	*orderV1
	GatewayName           *string         `json:"gateway_name"`
	GatewayLink           *string         `json:"gateway_link"`
	Note                  *string         `json:"note"`
	OwnerNote             *string         `json:"owner_note"`
	CompletedAt           completedAtJSON `json:"completed_at"`
	Customer              *customerJSON   `json:"customer,omitempty"`
	CancelReason          *string         `json:"cancel_reason"`
	CancelledAt           any             `json:"cancelled_at"`
	ClosedAt              any             `json:"closed_at"`
	ReadAt                any             `json:"read_at"`
	PaidAt                any             `json:"paid_at"`
	Status                string          `json:"status"`
	PaymentStatus         string          `json:"payment_status"`
	ShippingStatus        string          `json:"shipping_status"`
	ShippingAddress       any             `json:"shipping_address"`
	ClientDetails         clientDetails   `json:"client_details"`
	AppID                 *int64          `json:"app_id"`
	TotalPaidByCustomer   *string         `json:"total_paid_by_customer,omitempty"`
	TotalPaidWithFees     *string         `json:"total_paid_by_customer_including_fees,omitempty"`
	IsSubscription        bool            `json:"is_subscription"`
	IsSubscriptionInitial bool            `json:"is_subscription_initial"`
	Fulfillments          []string        `json:"fulfillments"`
}

// orderV1 is what only version v1 has of an order.
type orderV1 struct {
	shippingJSON
	ShippedAt  any     `json:"shipped_at"`
	LandingURL *string `json:"landing_url"`
	TotalPaid  string  `json:"total_paid"`
}

type completedAtJSON struct {
	Date         string `json:"date"`
	TimezoneType int    `json:"timezone_type"`
	Timezone     string `json:"timezone"`
}

type clientDetails struct {
	BrowserIP *string `json:"browser_ip"`
	UserAgent *string `json:"user_agent"`
}

// showOrder has the customer only for apps that may read customers.
func showOrder(tx *world.Tx, in *api.In, o world.Order) any {
	paid := money(o.TotalPaid)
	out := orderJSON{
		ID:              o.ID,
		StoreID:         strconv.FormatInt(tx.Store().ID, 10),
		Number:          o.Number,
		saleJSON:        saleOnWire(tx, in, o.ID, o.Sale),
		GatewayName:     orNull(o.GatewayName),
		Note:            orNull(o.Note),
		OwnerNote:       orNull(o.OwnerNote),
		CompletedAt:     completedAtJSON{Date: o.CreatedAt.UTC().Format("2006-01-02 15:04:05.000000"), TimezoneType: 3, Timezone: "UTC"},
		CancelReason:    orNull(o.CancelReason),
		CancelledAt:     api.StampOrNil(o.CancelledAt),
		ClosedAt:        api.StampOrNil(o.ClosedAt),
		ReadAt:          api.StampOrNil(o.ReadAt),
		PaidAt:          api.StampOrNil(o.PaidAt),
		Status:          o.Status,
		PaymentStatus:   o.PaymentStatus,
		ShippingStatus:  o.ShippingStatus,
		ShippingAddress: shippingAddressOnWire(o.Sale.ShippingAddress, o.Sale),
		AppID:           idOrNull(o.AppID),
		Fulfillments:    []string{},
	}
	if in.Version == api.V1 {
		out.orderV1 = &orderV1{shippingJSON: shippingOnWire(o.Sale, o.NextAction), ShippedAt: api.StampOrNil(o.ShippedAt), LandingURL: orNull(o.LandingURL), TotalPaid: paid}
		out.ShippingTrackingNumber = orNull(o.ShippingTrackingNumber)
		out.ShippingTrackingURL = orNull(o.ShippingTrackingURL)
	} else {
		out.TotalPaidByCustomer, out.TotalPaidWithFees = &paid, &paid
	}
	if c, ok := tx.Customers.Get(o.CustomerID); ok && in.Scopes.Has("read_customers") {
		shown := customerOnWire(tx, c)
		out.Customer = &shown
	}
	return out
}

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
	for name, value := range map[string]string{
		"status": o.Status, "payment_status": o.PaymentStatus, "shipping_status": o.ShippingStatus, "payment_provider": o.Gateway,
	} {
		if want := in.Text(name); want != "" && want != "any" && want != value {
			return false
		}
	}
	if app, ok := in.Int("app_id"); ok && app != o.AppID {
		return false
	}
	if in.Has("customer_ids") && !slices.Contains(in.Ints("customer_ids"), o.CustomerID) ||
		in.Has("channels") && !slices.Contains(in.Texts("channels"), o.Storefront) ||
		in.Has("payment_methods") && !slices.Contains(in.Texts("payment_methods"), o.PaymentMethod) {
		return false
	}
	return withinTotal(in, o.Total) && matchesOrderText(tx, in.Text("q"), o)
}

// withinTotal applies total_min and total_max, which belong to the window.
func withinTotal(in *api.In, total decimal.Decimal) bool {
	least, hasLeast := scalar{text: in.Text("total_min")}.decimal()
	most, hasMost := scalar{text: in.Text("total_max")}.decimal()
	return (!hasLeast || !total.LessThan(least)) && (!hasMost || !total.GreaterThan(most))
}

// matchesOrderText looks for the number of the order or for text in the name or
// email of its customer.
func matchesOrderText(tx *world.Tx, q string, o world.Order) bool {
	c, _ := tx.Customers.Get(o.CustomerID)
	return q == "" || strconv.FormatInt(o.Number, 10) == q || contains(q, o.ContactName, o.ContactEmail, c.Name, c.Email)
}

func getOrder(tx *world.Tx, in *api.In) (any, error) {
	o, ok := tx.Orders.Get(in.ID("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	return showOrder(tx, in, o), nil
}
