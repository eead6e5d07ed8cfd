package webhook

import (
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// row describes one event of the contract.
type row struct {
	name   Name
	policy policy
	// read decodes a body and returns the identity of its record.
	read func(members []wire.Member, short bool) (payload any, id identity, err error)
}

// policy is how an inbox treats the deliveries of an event.
type policy struct {
	Policy
	// resource is the kind of record that lanes are for.
	resource string
	// group is the name under which several events share entries. Empty means the name of the event.
	group Name
	// clears are the events that are obsolete after this one.
	clears    []Name
	protected bool
	// ends is true if the event means that the app is no longer installed.
	ends bool
}

// fact is for a record that is new or gone, which happens to its id once.
func fact(resource string) policy {
	return policy{Policy: Policy{Kind: KindFact, Window: FactWindow}, resource: resource}
}

// signal is for a body that can occur again, byte for byte.
func signal(resource string) policy {
	return policy{Policy: Policy{Kind: KindSignal}, resource: resource}
}

// deleted is a fact after which the record cannot be read.
func deleted(resource string) policy {
	p := fact(resource)
	p.clears = []Name{Name(resource + "/created"), Name(resource + "/updated")}
	return p
}

func (p policy) under(group Name) policy {
	p.group = group
	return p
}

// duty marks a privacy request.
func (p policy) duty() policy {
	p.protected = true
	return p
}

func (p policy) ending() policy {
	p.ends = true
	return p
}

func (p policy) kept(window time.Duration) policy {
	p.Window = window
	return p
}

// accessGroup is the group of app/suspended and app/resumed, which contradict each other and arrive in any order.
const accessGroup Name = "app/access"

// table lists the events in the order of the contract. A fact requires a key that cannot occur again by the contract.
// In doubt, an event is a signal.
func table() []row {
	return []row{
		of(AppUninstalled, signal("store").ending(), App.identity),
		of(AppSuspended, signal("store").under(accessGroup), AppAccess.identity),
		of(AppResumed, signal("store").under(accessGroup), AppAccess.identity),
		of(CategoryCreated, fact("category"), Entity.identity),
		of(CategoryUpdated, signal("category"), Entity.identity),
		of(CategoryDeleted, deleted("category"), Entity.identity),
		of(OrderCreated, fact("order"), Entity.identity),
		of(OrderUpdated, signal("order"), Entity.identity),
		of(OrderPaid, signal("order"), Entity.identity),
		of(OrderPacked, signal("order"), Entity.identity),
		of(OrderFulfilled, signal("order"), Entity.identity),
		of(OrderCancelled, signal("order"), Entity.identity),
		of(OrderCustomFieldsUpdated, signal("order"), Entity.identity),
		of(OrderEdited, signal("order"), Entity.identity),
		of(OrderPending, signal("order"), Entity.identity),
		of(OrderVoided, signal("order"), Entity.identity),
		of(OrderInPreparation, signal("order"), Entity.identity),
		of(OrderUnpacked, signal("order"), Entity.identity),
		of(ProductCreated, fact("product"), Entity.identity),
		of(ProductUpdated, signal("product"), Entity.identity),
		of(ProductDeleted, deleted("product"), Entity.identity),
		of(ProductVariantCustomFieldsUpdated, signal("product_variant"), Entity.identity),
		of(DomainUpdated, signal("store"), Domain.identity),
		of(OrderCustomFieldCreated, fact("order_custom_field"), CustomFieldEntity.identity, isUUID("id")),
		of(OrderCustomFieldUpdated, signal("order_custom_field"), CustomFieldEntity.identity, isUUID("id")),
		of(OrderCustomFieldDeleted, deleted("order_custom_field"), CustomFieldEntity.identity, isUUID("id")),
		of(ProductVariantCustomFieldCreated, fact("product_variant_custom_field"), CustomFieldEntity.identity, isUUID("id")),
		of(ProductVariantCustomFieldUpdated, signal("product_variant_custom_field"), CustomFieldEntity.identity, isUUID("id")),
		of(ProductVariantCustomFieldDeleted, deleted("product_variant_custom_field"), CustomFieldEntity.identity, isUUID("id")),
		of(FulfillmentUpdated, signal("fulfillment"), nil),
		of(FulfillmentOrderStatusUpdated, signal("order"), FulfillmentOrderStatus.identity, isULID("fulfillment_id")),
		of(FulfillmentOrderLabelStatusUpdated, signal("order"), Label.identity, isULID("fulfillment_id"), isULID("label_id")),
		of(FulfillmentOrderTrackingEventCreated, fact("order"), TrackingEvent.identity, isULID("fulfillment_id"), isULID("tracking_event_id")),
		of(FulfillmentOrderTrackingEventUpdated, signal("order"), TrackingEvent.identity, isULID("fulfillment_id"), isULID("tracking_event_id")),
		of(FulfillmentOrderTrackingEventDeleted, fact("order"), TrackingEvent.identity, isULID("fulfillment_id"), isULID("tracking_event_id")),
		of(LocationCreated, fact("location"), LocationEntity.identity, isULID("id")),
		of(LocationUpdated, signal("location"), LocationEntity.identity, isULID("id")),
		of(LocationDeleted, deleted("location"), LocationEntity.identity, isULID("id")),
		of(AppSubscriptionUpdated, signal("app"), AppSubscription.identity),
		of(ChargeCreated, fact("charge"), Charge.identity),
		of(ChargePaid, signal("charge"), ChargeResult.paid),
		of(ChargeFailed, signal("charge"), ChargeResult.failed),
		of(CustomerCreated, fact("customer"), CustomerEntity.identity),
		of(CustomerUpdated, fact("customer"), CustomerEntity.identity),
		of(CustomerDeleted, deleted("customer"), CustomerEntity.identity),
		of(SubscriptionUpdated, fact("subscription"), Subscription.identity),
		of(StoreRedactRequested, signal("store").duty().ending(), StoreRedact.identity),
		of(CustomerRedactRequested, signal("customer").duty(), CustomerRedact.identity),
		of(CustomerDataRequested, fact("customer").duty().kept(Forever), DataRequest.identity),
	}
}

// Events lists the events of the contract: those of its table of events, and the three privacy requests.
func Events() []Name {
	var names []Name
	for _, r := range table() {
		names = append(names, r.name)
	}
	return names
}

var errPayload = errors.New("payload lacks a member that the event requires")

// of builds the row of e. id returns a partial identity if the payload lacks a member that the event requires. It is
// nil if the contract shows no payload.
func of[P any](e Event[P], p policy, id func(P) identity, checks ...check) row {
	return row{e.Name, p, func(members []wire.Member, short bool) (any, identity, error) {
		payload, err := payloadOf[P](members, short)
		if err != nil {
			return nil, identity{}, err
		}
		if err := all(checks, members); err != nil {
			return nil, identity{}, err
		}
		if id == nil {
			return payload, identity{}, nil
		}
		i := id(*payload)
		if i.partial() {
			return nil, identity{}, errPayload
		}
		return payload, i, nil
	}}
}

// check rejects a textual id that the type of its field would change into another one: a ULID accepts any 26 bytes, and
// a UUID accepts four spellings.
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

func all(checks []check, members []wire.Member) error {
	for _, c := range checks {
		if !c.valid(textIn(memberNamed(members, c.member))) {
			return errPayload
		}
	}
	return nil
}
