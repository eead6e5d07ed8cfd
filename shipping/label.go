package shipping

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxLabels is the maximum number of labels in one request of the platform.
const MaxLabels = 50

// maxRefs bounds the labels in the other callbacks, for which the contract gives no limit. Strict JSON allows about
// as many, because each takes five of wire.MaxValues.
const maxRefs = 3_000

// Label is a shipping label that the carrier is requested to make. When it is made or has failed, report it with
// client.LabelService.Update, within an hour.
type Label struct {
	ID ulid.ULID `json:"id"`
	// Status is client.LabelStarted.
	Status      client.LabelStatus `json:"status"`
	RequestedBy Requester          `json:"requested_by"` // the requester
	// Documents is empty at this time.
	Documents []client.Object `json:"documents"`
	CreatedAt client.Time     `json:"created_at"`
	// FulfillmentOrder is the fulfillment order of the label. Its recipient has an e-mail address here.
	FulfillmentOrder client.FulfillmentOrder `json:"fulfillment_order_info"`
	Extra            client.Extra            `json:",embed"`
}

// Requester is the app or the user of the store that requested a label. An unknown id is 0.
type Requester struct {
	AppID  client.ID    `json:"app_id"`  // of an app
	UserID client.ID    `json:"user_id"` // of a user
	Extra  client.Extra `json:",embed"`
}

// LabelRef identifies a label that was requested before.
type LabelRef struct {
	FulfillmentOrderID ulid.ULID    `json:"fulfillment_order_id"` // the fulfillment order
	LabelID            ulid.ULID    `json:"label_id"`             // the label
	Extra              client.Extra `json:",embed"`
}

// LabelFailure reports a label that was not processed. All other labels of the callback count as processed.
type LabelFailure struct {
	LabelID ulid.ULID // the label
	// Code is the reason. If empty, it is LabelOtherError for a label to be made, and LabelCarrierSystemError
	// otherwise.
	Code LabelCode
	// Message is an explanation for the merchant.
	Message string
}

// LabelCode is the reason why a label was not processed.
type LabelCode string

// The values of LabelCode. LabelOtherError is for labels to be made. The others are for labels to be cancelled,
// suspended or reactivated.
const (
	LabelOtherError             LabelCode = "OTHER_ERROR"
	LabelInTransit              LabelCode = "LABEL_IN_TRANSIT"              // the parcel is on its way
	LabelDelivered              LabelCode = "LABEL_DELIVERED"               // the parcel has arrived
	LabelWindowExpired          LabelCode = "CANCELLATION_WINDOW_EXPIRED"   // it is too late to cancel
	LabelCarrierSystemError     LabelCode = "CARRIER_SYSTEM_ERROR"          // the carrier's systems failed
	LabelCarrierPolicyViolation LabelCode = "CARRIER_POLICY_VIOLATION"      // the carrier's rules forbid it
	LabelInsufficientPermission LabelCode = "INSUFFICIENT_PERMISSIONS"      // the requester lacks permission
	LabelCancellationRejected   LabelCode = "CARRIER_CANCELLATION_REJECTED" // the carrier rejects the cancellation
)

// Known reports whether the contract names the code.
func (c LabelCode) Known() bool {
	return wire.Known(c,
		LabelOtherError, LabelInTransit, LabelDelivered, LabelWindowExpired, LabelCarrierSystemError,
		LabelCarrierPolicyViolation, LabelInsufficientPermission, LabelCancellationRejected,
	)
}

// strictly decodes the ids of labels only in their usual form. The default of ulid accepts any 26 characters.
var strictly = wire.ReadBy(func(raw []byte, id *ulid.ULID) (err error) {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil || text == nil {
		return err
	}
	*id, err = ulid.ParseStrict(*text)
	return err
})

// looseLabel are labels to be made in other forms. A carrier needs the ids, the addresses, the option, and the weights
// and pieces of the parcel.
var looseLabel = callback.Loose{
	Of: "a label",
	Needed: []string{
		"id", "fulfillment_order_info.id", "fulfillment_order_info.total_weight",
		"fulfillment_order_info.assigned_location.location_id", "fulfillment_order_info.assigned_location.address",
		"fulfillment_order_info.recipient", "fulfillment_order_info.destination", "fulfillment_order_info.line_items.id",
		"fulfillment_order_info.line_items.quantity", "fulfillment_order_info.line_items.unit_dimension",
		"fulfillment_order_info.shipping.type", "fulfillment_order_info.shipping.option.code",
		"fulfillment_order_info.shipping.option.reference", "fulfillment_order_info.shipping.pickup_details.location_id",
		"fulfillment_order_info.shipping.pickup_details.store_branch_id",
		"fulfillment_order_info.shipping.pickup_details.address",
	},
	RuleOf: ruleOf, Own: []wire.Option{strictly},
}

// looseRef is a label of the other callbacks, of which the answer contains both ids.
var looseRef = callback.Loose{
	Of: "a reference to a label", Needed: []string{"fulfillment_order_id", "label_id"}, RuleOf: ruleOf, Own: looseLabel.Own,
}

// readLabels reads the body of generate. A label that cannot be read does not affect the others. It is in failed if
// its id can be read, and in the error in any case. Members that were not read are named in ignored.
func readLabels(body []byte) (labels []Label, failed []LabelFailure, ignored, err error) {
	if err := wire.CheckRoom(body, reflect.TypeFor[[]Label]()); err != nil {
		return nil, nil, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	parts, err := labelParts(body, MaxLabels)
	if err != nil {
		return nil, nil, nil, err
	}
	for i, part := range parts {
		var l Label
		unread, wrong := readLabel(part, &l, &looseLabel, &l.ID, "id")
		if unread != nil {
			ignored = errors.Join(ignored, fmt.Errorf("label %d: %w", i, unread))
		}
		if wrong == nil {
			labels = append(labels, l)
			continue
		}
		err = errors.Join(err, fmt.Errorf("label %d: %w", i, wrong))
		var named struct {
			ID ulid.ULID `json:"id"`
		}
		if wire.Unmarshal(part, &named, strictly) == nil && named.ID != (ulid.ULID{}) {
			failed = append(failed, LabelFailure{named.ID, LabelOtherError, "the request for the label could not be read"})
		}
	}
	return labels, failed, ignored, err
}

// readRefs reads the body of the other callbacks.
func readRefs(body []byte) ([]LabelRef, error) {
	var envelope struct {
		Labels json.RawMessage `json:"labels"`
	}
	if _, err := (&callback.Loose{Of: "a label callback", RuleOf: ruleOf}).Read(body, &envelope, nil); err != nil {
		return nil, err
	}
	parts, err := labelParts(envelope.Labels, maxRefs)
	if err != nil {
		return nil, err
	}
	refs := make([]LabelRef, len(parts))
	for i, part := range parts {
		if _, err := readLabel(part, &refs[i], &looseRef, &refs[i].LabelID, "label_id"); err != nil {
			return nil, fmt.Errorf("label %d: %w", i, err)
		}
	}
	return refs, nil
}

// readLabel reads a label, or a reference to one, that must have an id.
func readLabel(part []byte, v any, loose *callback.Loose, id *ulid.ULID, name string) (ignored, err error) {
	if wire.UnmarshalStrict(part, v, strictly) != nil {
		ignored, err = loose.Read(part, v, nil)
	}
	if err == nil && *id == (ulid.ULID{}) {
		err = fmt.Errorf("%w: %s: nothing: must be a ULID", ErrMalformed, name)
	}
	return ignored, err
}

// labelParts splits a list of labels. Each label is then read strictly and separately.
func labelParts(list []byte, most int) ([]json.RawMessage, error) {
	var parts []json.RawMessage
	err := wire.UnmarshalList(list, &parts, most)
	if errors.Is(err, wire.ErrTooMany) || err == nil && len(parts) == 0 {
		return nil, fmt.Errorf("%w: must be 1 to %d labels", ErrMalformed, most)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: not a list of labels", ErrMalformed)
	}
	return parts, nil
}
