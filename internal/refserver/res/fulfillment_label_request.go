package res

import (
	"slices"
	"strconv"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// AddLabels begins a label for each of the fulfillment orders.
func AddLabels(tx *world.Tx, fulfillments ...string) ([]world.Label, error) {
	var out []world.Label
	for _, id := range fulfillments {
		l, err := addLabel(tx, id)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// LabelCarrier is the carrier that makes the labels of a fulfillment order: the one of
// its shipment, if that belongs to an app in the store and takes calls about labels.
func LabelCarrier(tx *world.Tx, fulfillment string) (world.Carrier, bool) {
	f, _ := tx.FulfillmentOrders.Get(fulfillment)
	id, err := strconv.ParseInt(f.Shipping.Carrier.ID, 10, 64)
	if err != nil {
		return world.Carrier{}, false
	}
	c, ok := tx.Carriers.Get(id)
	return c, ok && c.LabelsURL != "" && tx.Installed(c.AppID)
}

// labelRequestJSON is a label that a carrier is asked for.
type labelRequestJSON struct {
	ID          string              `json:"id"`
	Status      string              `json:"status"`
	RequestedBy requestedByJSON     `json:"requested_by"`
	Documents   []labelDocumentJSON `json:"documents"`
	CreatedAt   string              `json:"created_at"`
	Order       labelOrderJSON      `json:"fulfillment_order_info"`
}

// labelOrderJSON is a fulfillment order whose recipient has an email.
type labelOrderJSON struct {
	fulfillmentOrderJSON
	Recipient labelRecipientJSON `json:"recipient"`
}

type labelRecipientJSON struct {
	recipientJSON
	Email *string `json:"email"`
}

// LabelRequest is the part of a call to a carrier that is about a label.
func LabelRequest(tx *world.Tx, l world.Label) any {
	f, _ := tx.FulfillmentOrders.Get(l.FulfillmentOrderID)
	order, _ := showFulfillmentOrder(tx, &api.In{}, f).(fulfillmentOrderJSON)
	return labelRequestJSON{
		ID:          l.ID,
		Status:      string(l.Status),
		RequestedBy: requestedByJSON{AppID: idOrNull(l.AppID)},
		Documents:   []labelDocumentJSON{},
		CreatedAt:   colonStamp(l.CreatedAt),
		Order:       labelOrderJSON{order, labelRecipientJSON{order.Recipient, api.TextOrNil(f.Recipient.Email)}},
	}
}

// RefuseLabel fails a label that its carrier does not make. One that has moved on in
// the meantime stays as it is.
func RefuseLabel(tx *world.Tx, id string, why world.LabelReason) error {
	return settleLabel(tx, id, refused, world.LabelFailed, why)
}

// CancelLabel cancels a label whose carrier agrees. One that cannot be cancelled any
// more stays as it is.
func CancelLabel(tx *world.Tx, id string) error {
	return settleLabel(tx, id, reported, world.LabelCanceled, world.LabelReason{})
}

// Cancelable reports whether a label can still be cancelled.
func Cancelable(l world.Label) bool {
	return LabelStates().Leads(l.Status, reported, world.LabelCanceled)
}

func settleLabel(tx *world.Tx, id, on string, to world.LabelStatus, why world.LabelReason) error {
	l, ok := tx.Labels.Get(id)
	if !ok || !LabelStates().Leads(l.Status, on, to) {
		return nil
	}
	f, _ := tx.FulfillmentOrders.Get(l.FulfillmentOrderID)
	l.Reason = why
	_, err := moveLabel(tx, f, l, on, to)
	return err
}

// ExpireLabels fails the labels of the store whose time is over, and returns when the
// next one's is; the zero time if none waits.
func ExpireLabels(tx *world.Tx) (time.Time, error) {
	var next []time.Time
	for _, l := range tx.Labels.Values() {
		f, _ := tx.FulfillmentOrders.Get(l.FulfillmentOrderID)
		l, err := expireLabel(tx, f, l)
		if err != nil {
			return time.Time{}, err
		}
		if end, waits := labelEnd(tx.Limits(), l); waits {
			next = append(next, end)
		}
	}
	if len(next) == 0 {
		return time.Time{}, nil
	}
	return slices.MinFunc(next, time.Time.Compare), nil
}
