package shipping

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// MaxLabels is the number of labels that the platform asks for at once.
const MaxLabels = 50

// maxRefs bounds the other callbacks, of which the contract gives no number. Strict JSON has room for as many: each
// takes five of wire.MaxValues.
const maxRefs = 3_000

// Label is a shipping label that the carrier is asked to make. When it is made, or has failed, tell the
// platform with client.LabelService.Update, within an hour.
type Label struct {
	ID ulid.ULID `json:"id"`
	// Status is client.LabelStarted.
	Status      client.LabelStatus `json:"status"`
	RequestedBy Requester          `json:"requested_by"` // who wants it
	// Documents are none yet.
	Documents []client.Object `json:"documents"`
	CreatedAt client.Time     `json:"created_at"`
	// FulfillmentOrder is what the label is for. Its recipient has an e-mail address here.
	FulfillmentOrder client.FulfillmentOrder `json:"fulfillment_order_info"`
	Extra            client.Extra            `json:",embed"`
}

// Requester is who asked for a label: an app, or a user of the store. An id is 0 if it is not
// known.
type Requester struct {
	AppID  client.ID    `json:"app_id"`  // of an app
	UserID client.ID    `json:"user_id"` // of a user
	Extra  client.Extra `json:",embed" wire:"methods"`
}

// MarshalJSON writes the fields and the members in Extra.
func (r Requester) MarshalJSON() ([]byte, error) {
	type plain Requester
	return wire.MarshalRecord((*plain)(&r))
}

// UnmarshalJSON reads an object, or [], "", false and null as none.
func (r *Requester) UnmarshalJSON(data []byte) error {
	type plain Requester
	var lax client.Nullable[plain]
	err := lax.UnmarshalJSON(data)
	*r = Requester(lax.V)
	return err
}

// LabelRef names a label that was asked for before.
type LabelRef struct {
	FulfillmentOrderID ulid.ULID    `json:"fulfillment_order_id"` // of the order's part
	LabelID            ulid.ULID    `json:"label_id"`             // of the label
	Extra              client.Extra `json:",embed"`
}

// LabelFailure is a label that nothing is done about. The others of the callback are done.
type LabelFailure struct {
	LabelID ulid.ULID // which label
	// Code is the reason. "" means LabelOtherError for a label that is to be made, and
	// LabelCarrierSystemError for others.
	Code LabelCode
	// Message explains it to the merchant.
	Message string
}

// LabelCode is why nothing is done about a label.
type LabelCode string

// The values of LabelCode. LabelOtherError is for a label that is to be made, the others are for
// one that is to be cancelled, suspended or reactivated.
const (
	LabelOtherError             LabelCode = "OTHER_ERROR"
	LabelInTransit              LabelCode = "LABEL_IN_TRANSIT"              // the parcel is on its way
	LabelDelivered              LabelCode = "LABEL_DELIVERED"               // the parcel has arrived
	LabelWindowExpired          LabelCode = "CANCELLATION_WINDOW_EXPIRED"   // it is too late to cancel
	LabelCarrierSystemError     LabelCode = "CARRIER_SYSTEM_ERROR"          // the carrier's systems failed
	LabelCarrierPolicyViolation LabelCode = "CARRIER_POLICY_VIOLATION"      // the carrier's rules forbid it
	LabelInsufficientPermission LabelCode = "INSUFFICIENT_PERMISSIONS"      // whoever asks may not
	LabelCancellationRejected   LabelCode = "CARRIER_CANCELLATION_REJECTED" // the carrier refuses
)

// Known reports whether the contract names the code.
func (c LabelCode) Known() bool {
	return enum.Known(c,
		LabelOtherError, LabelInTransit, LabelDelivered, LabelWindowExpired, LabelCarrierSystemError,
		LabelCarrierPolicyViolation, LabelInsufficientPermission, LabelCancellationRejected,
	)
}

// strictly has the ids of labels read in their usual form and no other: ulid would make an id of any 26 characters.
var strictly = wire.ReadBy(func(raw []byte, id *ulid.ULID) (err error) {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil || text == nil {
		return err
	}
	*id, err = ulid.ParseStrict(*text)
	return err
})

// readLabels reads the body of generate. A label that cannot be read does not cost the others: it is
// among the failures if its id can be read, and in the error in any case.
func readLabels(body []byte) (labels []Label, failed []LabelFailure, err error) {
	if err := wire.CheckRoom(body, reflect.TypeFor[[]Label]()); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	parts, err := labelParts(body, MaxLabels)
	if err != nil {
		return nil, nil, err
	}
	for i, part := range parts {
		var l Label
		readErr := wire.UnmarshalStrict(part, &l, strictly)
		if readErr == nil && l.ID != (ulid.ULID{}) {
			labels = append(labels, l)
			continue
		}
		err = errors.Join(err, fmt.Errorf("%w: label %d: %w", ErrMalformed, i, misreadLabel[Label](part, readErr, "id")))
		var named struct {
			ID ulid.ULID `json:"id"`
		}
		if wire.Unmarshal(part, &named, strictly) == nil && named.ID != (ulid.ULID{}) {
			failed = append(failed, LabelFailure{named.ID, LabelOtherError, "the request for the label could not be read"})
		}
	}
	return labels, failed, err
}

// readRefs reads the body of the other callbacks.
func readRefs(body []byte) ([]LabelRef, error) {
	var envelope struct {
		Labels json.RawMessage `json:"labels"`
	}
	if err := wire.UnmarshalStrict(body, &envelope); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, misread[struct {
			Labels json.RawMessage `json:"labels"`
		}](body, err, "a label callback"))
	}
	parts, err := labelParts(envelope.Labels, maxRefs)
	if err != nil {
		return nil, err
	}
	refs := make([]LabelRef, len(parts))
	for i, part := range parts {
		if err := wire.UnmarshalStrict(part, &refs[i], strictly); err != nil || refs[i].LabelID == (ulid.ULID{}) {
			return nil, fmt.Errorf("%w: label %d: %w", ErrMalformed, i, misreadLabel[LabelRef](part, err, "label_id"))
		}
	}
	return refs, nil
}

// misreadLabel says why a label could not be read; err is nil if it lacks its id.
func misreadLabel[T any](part []byte, err error, id string) error {
	if err == nil {
		return fmt.Errorf("%s: nothing: must be a ULID", id)
	}
	return misread[T](part, err, "one", strictly)
}

// labelParts splits a list of labels. Each of them is read strictly by itself.
func labelParts(list []byte, most int) ([]json.RawMessage, error) {
	var parts []json.RawMessage
	err := wire.UnmarshalList(list, &parts, most)
	if errors.Is(err, wire.ErrTooMany) || err == nil && len(parts) == 0 {
		return nil, fmt.Errorf("%w: want 1 to %d labels", ErrMalformed, most)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: not a list of labels", ErrMalformed)
	}
	return parts, nil
}
