package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// body.NotSelectable("reason") is assumed.

// otherReason is why an order was cancelled if nobody says.
const otherReason = "other"

// updateOrder changes the owner's note and the status, and nothing else. Naming the
// status an order has changes nothing. Only version v1 can mark as paid.
func updateOrder(tx *world.Tx, in *api.In) (any, error) {
	before, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	var b struct {
		OwnerNote body.Opt[string] `json:"owner_note"`
		Status    body.Opt[string] `json:"status"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	o, events := before, []string(nil)
	o.OwnerNote = b.OwnerNote.Or(o.OwnerNote)
	switch status := b.Status.Value; {
	case !b.Status.Set() || status == o.Status:
	case status == orderOpen:
		o, err = moveOrder(tx, o, "open", cannotOpen)
	case status == orderClosed:
		o, err = moveOrder(tx, o, "close", cannotClose)
	case status == orderCancelled:
		events = append(events, "order/cancelled")
		o, err = cancelled(tx, o, otherReason, true)
	case status == paymentPaid && in.Version == api.V1:
		events = append(events, "order/paid")
		o, err = markPaid(tx, o)
	default:
		return nil, body.NoSuch("status")
	}
	if err != nil {
		return nil, err
	}
	if o, err = keepOrder(tx, before, o, append(events, "order/updated")...); err != nil {
		return nil, err
	}
	return showOrder(tx, in, o), nil
}

func closeOrder(tx *world.Tx, in *api.In) (any, error) {
	return act(tx, in, func(o world.Order) (world.Order, error) { return moveOrder(tx, o, "close", cannotClose) }, "order/updated")
}

func openOrder(tx *world.Tx, in *api.In) (any, error) {
	return act(tx, in, func(o world.Order) (world.Order, error) { return moveOrder(tx, o, "open", cannotOpen) }, "order/updated")
}

// cancelOrder sends no mail, whatever the body says: there is none here.
func cancelOrder(tx *world.Tx, in *api.In) (any, error) {
	var b struct {
		Reason  body.Opt[string] `json:"reason"`
		Email   body.Opt[bool]   `json:"email"`
		Restock body.Opt[bool]   `json:"restock"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	reason := textOr(b.Reason, otherReason)
	return act(tx, in, func(o world.Order) (world.Order, error) {
		if !slices.Contains([]string{"customer", "fraud", "inventory", otherReason}, reason) {
			return o, body.NoSuch("reason")
		}
		return cancelled(tx, o, reason, !b.Restock.Set() || b.Restock.Value)
	}, "order/cancelled", "order/updated")
}

// act changes the order that the path names and answers with it.
func act(tx *world.Tx, in *api.In, change func(world.Order) (world.Order, error), events ...string) (any, error) {
	before, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	o, err := change(before)
	if err != nil {
		return nil, err
	}
	if o, err = keepOrder(tx, before, o, events...); err != nil {
		return nil, err
	}
	return showOrder(tx, in, o), nil
}

// cancelled is the order after it was cancelled. A paid order stays paid. Claimed stock is returned if the body
// requires that.
func cancelled(tx *world.Tx, o world.Order, reason string, giveBack bool) (world.Order, error) {
	o, err := moveOrder(tx, o, "cancel", cannotCancel)
	if err != nil {
		return o, err
	}
	o.CancelReason = reason
	o.Values = append(slices.Clone(o.Values), world.OrderValue{Status: "CANCELLED", HappenedAt: tx.Now()})
	if !giveBack {
		return o, nil
	}
	var claims []world.Claim
	o.Lines = slices.Clone(o.Lines)
	for i, l := range o.Lines {
		claims = append(claims, l.Claims...)
		o.Lines[i].Claims = nil
	}
	return o, restock(tx, claims)
}

// packOrder and fulfillOrder act on the first fulfillment order.
func packOrder(tx *world.Tx, in *api.In) (any, error) {
	return ship(tx, in, cannotPack, func(o world.Order) (world.Order, error) { return packFirst(tx, o) })
}

func fulfillOrder(tx *world.Tx, in *api.In) (any, error) {
	var b struct {
		Number         body.Opt[body.Text] `json:"shipping_tracking_number"`
		URL            body.Opt[string]    `json:"shipping_tracking_url"`
		NotifyCustomer body.Opt[bool]      `json:"notify_customer"` // there is no mail here
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	tracking := world.TrackingInfo{Code: string(b.Number.Value), URL: b.URL.Value}
	return ship(tx, in, cannotFulfill, func(o world.Order) (world.Order, error) { return fulfillFirst(tx, o, tracking) })
}

func ship(tx *world.Tx, in *api.In, refusal string, move func(world.Order) (world.Order, error)) (any, error) {
	o, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	if o.Status == orderCancelled {
		return nil, api.Unprocessable(refusal)
	}
	if o, err = move(o); err != nil {
		return nil, err
	}
	return showOrder(tx, in, o), nil
}
