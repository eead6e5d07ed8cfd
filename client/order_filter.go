package client

import "github.com/commerceplatform/commerce-go/internal/engine"

// anyStatus is the platform's value for any status.
const anyStatus = "any"

// MaxOrders is the number of orders that one query returns at most. OrderService.Crawl reads more.
const MaxOrders = 10_000

// OrderFilter selects orders. The zero filter selects all.
type OrderFilter struct {
	Paging
	Window
	// SinceID selects orders with a greater id.
	SinceID ID
	// Status selects orders with this status. Empty, or "any", selects all.
	Status OrderStatus
	// Channels selects orders from these channels. Empty selects all.
	Channels []Storefront
	// PaymentStatus selects orders with this payment status. Empty, or "any", selects all.
	PaymentStatus PaymentStatus
	// ShippingStatus is ShippingStatusUnpacked, ShippingStatusUnfulfilled or ShippingStatusFulfilled. Empty, or "any",
	// selects all. ShippingStatusUnshipped and ShippingStatusShipped, which answers use, are translated.
	ShippingStatus ShippingStatus
	// TotalMin and TotalMax bound the total, inclusively.
	TotalMin, TotalMax Opt[Money]
	// CustomerIDs selects the orders of these customers.
	CustomerIDs []ID
	// Query is the number of an order, or text in the customer's name or email.
	Query string
	// AppID selects the orders that this app created.
	AppID ID
	// PaymentMethods selects the orders that were paid by one of these methods.
	PaymentMethods []string
	// PaymentProvider selects the orders of this payment provider.
	PaymentProvider string
	Aggregates      []Aggregate // the related records that are included in full
}

func (f OrderFilter) query() *query {
	q := newQuery().paging(f.Paging).window(f.Window).id("since_id", f.SinceID).
		text("status", string(f.Status)).list("channels", texts(f.Channels)).
		text("payment_status", string(f.PaymentStatus)).text("shipping_status", string(f.ShippingStatus.Common())).
		money("total_min", f.TotalMin).money("total_max", f.TotalMax).ids("customer_ids", f.CustomerIDs).
		text("q", f.Query).id("app_id", f.AppID).list("payment_methods", f.PaymentMethods).
		text("payment_provider", f.PaymentProvider).aggregates(f.Aggregates)
	switch f.ShippingStatus.Common() {
	case "", anyStatus, ShippingStatusUnpacked, ShippingStatusUnfulfilled, ShippingStatusFulfilled:
	default:
		q.fail(engine.Invalid("shipping_status", f.ShippingStatus, "unpacked, unfulfilled or fulfilled"))
	}
	switch f.PaymentStatus {
	case "", anyStatus, PaymentAuthorized, PaymentPending, PaymentPaid, PaymentAbandoned, PaymentRefunded, PaymentVoided:
	default:
		q.fail(engine.Invalid("payment_status", f.PaymentStatus, "pending, authorized, paid, abandoned, refunded or voided"))
	}
	return q
}

func (q *query) money(name string, m Opt[Money]) *query {
	if v, ok := m.Get(); ok {
		q.values.Set(name, v.String())
	}
	return q
}
