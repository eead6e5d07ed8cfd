package webhook

import (
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Fulfillment is the payload of fulfillment/updated. The contract shows no member of it.
type Fulfillment struct {
	Extra value.Extra `json:",embed"`
}

// FulfillmentOrderStatus is the payload of fulfillment_order/status_updated. The status may return to a former value.
type FulfillmentOrderStatus struct {
	OrderID       value.ID    `json:"order_id"`       // the order
	FulfillmentID ulid.ULID   `json:"fulfillment_id"` // the fulfillment order
	Status        string      `json:"status"`         // at the time of the event, such as PACKED
	Extra         value.Extra `json:",embed"`
}

func (f FulfillmentOrderStatus) identity() identity {
	order, id := number(f.OrderID), f.FulfillmentID.String()
	return identity{distinct: joined(order, id, f.Status), key: joined(order, id), lane: order}
}

// Label is the payload of fulfillment_order/label_status_updated.
type Label struct {
	OrderID       value.ID      `json:"order_id"`       // the order
	FulfillmentID ulid.ULID     `json:"fulfillment_id"` // the fulfillment order
	LabelID       ulid.ULID     `json:"label_id"`       // the label
	Status        string        `json:"status"`         // at the time of the event, such as READY_TO_USE
	TrackingInfo  *TrackingInfo `json:"tracking_info"`  // nil if not available
	Reason        *LabelReason  `json:"reason"`         // nil if not available
	Extra         value.Extra   `json:",embed"`
}

func (l Label) identity() identity {
	order := number(l.OrderID)
	return occurrence(joined(order, l.FulfillmentID.String(), l.LabelID.String(), l.Status), order)
}

// TrackingInfo describes how to track a shipment.
type TrackingInfo struct {
	Code  string      `json:"code"` // the carrier's tracking code
	URL   string      `json:"url"`  // the carrier's tracking page
	Extra value.Extra `json:",embed"`
}

// LabelReason is the reason of a label's status.
type LabelReason struct {
	Type    string      `json:"type"`    // such as OTHER_ERROR
	Message string      `json:"message"` // a description
	Extra   value.Extra `json:",embed"`
}

// TrackingEvent is the payload of fulfillment_order/tracking_event_created, _updated and _deleted.
type TrackingEvent struct {
	OrderID         value.ID    `json:"order_id"`          // the order
	FulfillmentID   ulid.ULID   `json:"fulfillment_id"`    // the fulfillment order
	TrackingEventID ulid.ULID   `json:"tracking_event_id"` // the event, by the API's id
	Status          string      `json:"status"`            // such as delivered
	Extra           value.Extra `json:",embed"`
}

func (t TrackingEvent) identity() identity {
	order, fulfillment, id := number(t.OrderID), t.FulfillmentID.String(), t.TrackingEventID.String()
	return identity{distinct: joined(order, fulfillment, id, t.Status), key: joined(order, fulfillment, id), lane: order}
}
