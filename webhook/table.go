package webhook

import (
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// row is what the package knows about one event of the contract.
type row struct {
	name Name
	// read decodes a body. id tells deliveries of this event and store apart, from
	// the members that the contract names and with ids normalised: a member that it
	// does not name, a retry counter say, makes no difference. It is empty where
	// the contract shows no payload; then the whole body counts.
	read func(body []byte) (payload any, id string, err error)
}

// table lists the events in the order of the contract.
func table() []row {
	return []row{
		of(AppUninstalled, App.id),
		of(AppSuspended, nil),
		of(AppResumed, nil),
		of(CategoryCreated, Entity.id),
		of(CategoryUpdated, Entity.id),
		of(CategoryDeleted, Entity.id),
		of(OrderCreated, Entity.id),
		of(OrderUpdated, Entity.id),
		of(OrderPaid, Entity.id),
		of(OrderPacked, Entity.id),
		of(OrderFulfilled, Entity.id),
		of(OrderCancelled, Entity.id),
		of(OrderCustomFieldsUpdated, Entity.id),
		of(OrderEdited, Entity.id),
		of(OrderPending, Entity.id),
		of(OrderVoided, Entity.id),
		of(OrderInPreparation, Entity.id),
		of(OrderUnpacked, Entity.id),
		of(ProductCreated, Entity.id),
		of(ProductUpdated, Entity.id),
		of(ProductDeleted, Entity.id),
		of(ProductVariantCustomFieldsUpdated, Entity.id),
		of(DomainUpdated, Domain.id),
		of(OrderCustomFieldCreated, CustomFieldEntity.id, isUUID("id")),
		of(OrderCustomFieldUpdated, CustomFieldEntity.id, isUUID("id")),
		of(OrderCustomFieldDeleted, CustomFieldEntity.id, isUUID("id")),
		of(ProductVariantCustomFieldCreated, CustomFieldEntity.id, isUUID("id")),
		of(ProductVariantCustomFieldUpdated, CustomFieldEntity.id, isUUID("id")),
		of(ProductVariantCustomFieldDeleted, CustomFieldEntity.id, isUUID("id")),
		of(FulfillmentUpdated, nil),
		of(FulfillmentOrderStatusUpdated, FulfillmentOrderStatus.id, isULID("fulfillment_id")),
		of(FulfillmentOrderLabelStatusUpdated, Label.id, isULID("fulfillment_id"), isULID("label_id")),
		of(FulfillmentOrderTrackingEventCreated, TrackingEvent.id, isULID("fulfillment_id"), isULID("tracking_event_id")),
		of(FulfillmentOrderTrackingEventUpdated, TrackingEvent.id, isULID("fulfillment_id"), isULID("tracking_event_id")),
		of(FulfillmentOrderTrackingEventDeleted, TrackingEvent.id, isULID("fulfillment_id"), isULID("tracking_event_id")),
		of(LocationCreated, LocationEntity.id, isULID("id")),
		of(LocationUpdated, LocationEntity.id, isULID("id")),
		of(LocationDeleted, LocationEntity.id, isULID("id")),
		of(AppSubscriptionUpdated, AppSubscription.id),
		of(ChargeCreated, Charge.id),
		of(ChargePaid, ChargeResult.id),
		of(ChargeFailed, ChargeResult.id),
		of(CustomerCreated, CustomerEntity.id),
		of(CustomerUpdated, CustomerEntity.id),
		of(CustomerDeleted, CustomerEntity.id),
		of(SubscriptionUpdated, Subscription.id),
		of(StoreRedactRequested, StoreRedact.id),
		of(CustomerRedactRequested, CustomerRedact.id),
		of(CustomerDataRequested, DataRequest.id),
	}
}

// Events lists the events of the contract: those of its table of events and the
// three requests of data protection.
func Events() []Name {
	var names []Name
	for _, r := range table() {
		names = append(names, r.name)
	}
	return names
}

// body is a delivery with the members that all share, so that Extra of the
// payload holds only what is left.
type body[P any] struct {
	StoreID json.RawMessage `json:"store_id"`
	Event   string          `json:"event"`
	Payload P               `json:",embed"`
}

var errPayload = errors.New("payload lacks what the event names")

// of builds the row of e. id returns "" if the payload lacks a member that the
// event cannot do without. A nil id is for events without a known payload.
func of[P any](e Event[P], id func(P) string, checks ...check) row {
	return row{e.Name, func(raw []byte) (any, string, error) {
		var b body[P]
		// The body was inspected strictly when its event was read.
		if err := wire.Unmarshal(raw, &b); err != nil {
			return nil, "", err
		}
		if err := all(checks, raw); err != nil {
			return nil, "", err
		}
		if id == nil {
			return b.Payload, "", nil
		}
		s := id(b.Payload)
		if s == "" {
			return nil, "", errPayload
		}
		return b.Payload, s, nil
	}}
}

// check refuses a textual id that the type of its field would bend into another
// one: a ULID reads any 26 bytes, and a UUID reads four spellings.
type check struct {
	member string
	valid  func(string) bool
}

func isULID(member string) check {
	return check{member, func(s string) bool { _, err := ulid.ParseStrict(s); return err == nil }}
}

func isUUID(member string) check {
	const canonical = 36
	return check{member, func(s string) bool { _, err := uuid.Parse(s); return err == nil && len(s) == canonical }}
}

func all(checks []check, raw []byte) error {
	if len(checks) == 0 {
		return nil
	}
	var members client.Extra
	if err := wire.Unmarshal(raw, &members); err != nil {
		return err
	}
	for _, c := range checks {
		var s string
		if _, err := members.Decode(c.member, &s); err != nil || !c.valid(s) {
			return errPayload
		}
	}
	return nil
}
