package webhook

import (
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
)

// Fulfillment is the payload of fulfillment/updated, of which the contract shows
// no member.
type Fulfillment struct {
	Extra client.Extra `json:",embed"`
}

// FulfillmentOrderStatus is the payload of fulfillment_order/status_updated. The
// status may return to a former value.
type FulfillmentOrderStatus struct {
	OrderID       client.ID    `json:"order_id"`       // the order
	FulfillmentID ulid.ULID    `json:"fulfillment_id"` // the fulfillment order
	Status        string       `json:"status"`         // as it was then, such as PACKED
	Extra         client.Extra `json:",embed"`
}

func (f FulfillmentOrderStatus) identity() identity {
	order, id := number(f.OrderID), f.FulfillmentID.String()
	return identity{distinct: joined(order, id, f.Status), key: joined(order, id), lane: order}
}

// Label is the payload of fulfillment_order/label_status_updated.
type Label struct {
	OrderID       client.ID     `json:"order_id"`       // the order
	FulfillmentID ulid.ULID     `json:"fulfillment_id"` // the fulfillment order
	LabelID       ulid.ULID     `json:"label_id"`       // the label
	Status        string        `json:"status"`         // as it was then, such as READY_TO_USE
	TrackingInfo  *TrackingInfo `json:"tracking_info"`  // nil: not available
	Reason        *LabelReason  `json:"reason"`         // nil: not available
	Extra         client.Extra  `json:",embed"`
}

func (l Label) identity() identity {
	order := number(l.OrderID)
	return occurrence(joined(order, l.FulfillmentID.String(), l.LabelID.String(), l.Status), order)
}

// TrackingInfo is where a shipment can be followed.
type TrackingInfo struct {
	Code  string       `json:"code"` // the carrier's tracking code
	URL   string       `json:"url"`  // where to follow it
	Extra client.Extra `json:",embed"`
}

// LabelReason says why a label has its status.
type LabelReason struct {
	Type    string       `json:"type"`    // such as OTHER_ERROR
	Message string       `json:"message"` // in words
	Extra   client.Extra `json:",embed"`
}

// TrackingEvent is the payload of fulfillment_order/tracking_event_created, _updated
// and _deleted.
type TrackingEvent struct {
	OrderID         client.ID    `json:"order_id"`          // the order
	FulfillmentID   ulid.ULID    `json:"fulfillment_id"`    // the fulfillment order
	TrackingEventID ulid.ULID    `json:"tracking_event_id"` // the event, by the API's id
	Status          string       `json:"status"`            // what happened, such as delivered
	Extra           client.Extra `json:",embed"`
}

func (t TrackingEvent) identity() identity {
	order, fulfillment, id := number(t.OrderID), t.FulfillmentID.String(), t.TrackingEventID.String()
	return identity{distinct: joined(order, fulfillment, id, t.Status), key: joined(order, fulfillment, id), lane: order}
}
