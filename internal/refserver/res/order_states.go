package res

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The statuses of an order.
const (
	orderOpen      = "open"
	orderClosed    = "closed"
	orderCancelled = "cancelled"
)

// What is refused of an order, in assumed words.
const (
	cannotClose  = "The order cannot be closed"
	cannotOpen   = "The order cannot be reopened"
	cannotCancel = "The order cannot be cancelled"
	cannotPay    = "The order cannot be marked as paid"
)

// OrderStates is the table of the status of an order. Cancelling is for good.
func OrderStates() api.Machine[string] {
	return api.Machine[string]{
		Name:    "order status",
		Initial: orderOpen,
		States:  []string{orderOpen, orderClosed, orderCancelled},
		Edges: []api.Edge[string]{
			{From: orderOpen, On: "close", To: orderClosed},
			{From: orderClosed, On: "open", To: orderOpen},
			{From: orderOpen, On: "cancel", To: orderCancelled},
			{From: orderClosed, On: "cancel", To: orderCancelled},
		},
	}
}

// moveOrder gives an order the status that something leads to, with the dates and
// the next action that go with it.
func moveOrder(tx *world.Tx, o world.Order, on, refusal string) (world.Order, error) {
	next := OrderStates().Next(o.Status, on)
	if len(next) == 0 {
		return o, api.Unprocessable(refusal)
	}
	o.Status = next[0]
	switch o.Status {
	case orderOpen:
		o.ClosedAt = time.Time{}
	case orderClosed:
		o.ClosedAt = tx.Now()
	case orderCancelled:
		o.CancelledAt = tx.Now()
	}
	o.NextAction = nextAction(tx, o)
	return o, nil
}

// nextAction is what is to be done about an order: get the money, then send the
// goods, then close it.
func nextAction(tx *world.Tx, o world.Order) string {
	status := shippingStatusOnWire(api.V202503, o.ShippingStatus)
	unpaid := o.PaymentStatus == paymentPending && (status == shippingUnpacked || status == shippingInPreparation)
	switch {
	case o.Status != orderOpen:
		return "noop"
	case unpaid && byHand(o.Gateway):
		return "waiting_manual_confirmation"
	case unpaid:
		return "waiting_ipn"
	}
	first := world.FulfillmentOrder{Shipping: world.Shipment{Type: o.ShippingPickupType}}
	if all := fulfillmentsOf(tx, o.ID); len(all) > 0 {
		first = all[0]
	}
	return nextShippingAction(status, first)
}

// byHand reports whether it is the merchant who says that money has come in.
func byHand(gateway string) bool {
	switch gateway {
	case "", notProvided, "offline", internalGateway:
		return true
	}
	return false
}

// PrepareOrder is what the merchant does in the admin panel when work on an order
// begins, which no operation of the API does.
func PrepareOrder(tx *world.Tx, id int64) error {
	before, ok := tx.Orders.Get(id)
	if !ok || before.Status == orderCancelled || shippingStatusOnWire(api.V202503, before.ShippingStatus) != shippingUnpacked {
		return api.Unprocessable("The order cannot be prepared")
	}
	o := before
	o.ShippingStatus = shippingInPreparation
	_, err := keepOrder(tx, before, o, "order/in_preparation", "order/updated")
	return err
}
