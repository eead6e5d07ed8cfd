package webhook

import "github.com/commerceplatform/commerce-go/client"

// Name is the name of an event as it stands in a delivery, "order/paid", and in a
// registration: client.WebhookInput{Event: OrderPaid.Name, URL: url}.
type Name = client.WebhookEvent

// Event ties the name of an event to the type of its payload. The events of the
// contract are the variables below; one that is newer than this package is handled
// by writing its Event down, for example Event[Entity]{Name: "kit/updated"}.
type Event[P any] struct{ Name Name }

// Events about the app itself.
var (
	AppUninstalled         = Event[App]{"app/uninstalled"}
	AppSuspended           = Event[AppAccess]{"app/suspended"}
	AppResumed             = Event[AppAccess]{"app/resumed"}
	AppSubscriptionUpdated = Event[AppSubscription]{"app_subscription/updated"}
)

// Events about what the app charges for.
var (
	ChargeCreated       = Event[Charge]{"charge/created"}
	ChargePaid          = Event[ChargeResult]{"charge/paid"}
	ChargeFailed        = Event[ChargeResult]{"charge/failed"}
	SubscriptionUpdated = Event[Subscription]{"subscription/updated"}
)

// Events about the catalog and the store.
var (
	CategoryCreated                   = Event[Entity]{"category/created"}
	CategoryUpdated                   = Event[Entity]{"category/updated"}
	CategoryDeleted                   = Event[Entity]{"category/deleted"}
	ProductCreated                    = Event[Entity]{"product/created"}
	ProductUpdated                    = Event[Entity]{"product/updated"}
	ProductDeleted                    = Event[Entity]{"product/deleted"}
	ProductVariantCustomFieldsUpdated = Event[Entity]{"product_variant/custom_fields_updated"}
	ProductVariantCustomFieldCreated  = Event[CustomFieldEntity]{"product_variant_custom_field/created"}
	ProductVariantCustomFieldUpdated  = Event[CustomFieldEntity]{"product_variant_custom_field/updated"}
	ProductVariantCustomFieldDeleted  = Event[CustomFieldEntity]{"product_variant_custom_field/deleted"}
	DomainUpdated                     = Event[Domain]{"domain/updated"}
	LocationCreated                   = Event[LocationEntity]{"location/created"}
	LocationUpdated                   = Event[LocationEntity]{"location/updated"}
	LocationDeleted                   = Event[LocationEntity]{"location/deleted"}
)

// Events about customers.
var (
	CustomerCreated = Event[CustomerEntity]{"customer/created"}
	CustomerUpdated = Event[CustomerEntity]{"customer/updated"}
	CustomerDeleted = Event[CustomerEntity]{"customer/deleted"}
)

// Events about orders. Every change of the shipping status sends its own event and
// order/updated.
var (
	OrderCreated             = Event[Entity]{"order/created"}
	OrderUpdated             = Event[Entity]{"order/updated"}
	OrderPaid                = Event[Entity]{"order/paid"}
	OrderPacked              = Event[Entity]{"order/packed"}
	OrderUnpacked            = Event[Entity]{"order/unpacked"}
	OrderFulfilled           = Event[Entity]{"order/fulfilled"}
	OrderCancelled           = Event[Entity]{"order/cancelled"}
	OrderCustomFieldsUpdated = Event[Entity]{"order/custom_fields_updated"}
	OrderEdited              = Event[Entity]{"order/edited"}
	OrderPending             = Event[Entity]{"order/pending"}
	OrderVoided              = Event[Entity]{"order/voided"}
	OrderInPreparation       = Event[Entity]{"order/in_preparation"}
	OrderCustomFieldCreated  = Event[CustomFieldEntity]{"order_custom_field/created"}
	OrderCustomFieldUpdated  = Event[CustomFieldEntity]{"order_custom_field/updated"}
	OrderCustomFieldDeleted  = Event[CustomFieldEntity]{"order_custom_field/deleted"}
)

// Events about the fulfillment of orders.
var (
	FulfillmentUpdated                   = Event[Fulfillment]{"fulfillment/updated"}
	FulfillmentOrderStatusUpdated        = Event[FulfillmentOrderStatus]{"fulfillment_order/status_updated"}
	FulfillmentOrderLabelStatusUpdated   = Event[Label]{"fulfillment_order/label_status_updated"}
	FulfillmentOrderTrackingEventCreated = Event[TrackingEvent]{"fulfillment_order/tracking_event_created"}
	FulfillmentOrderTrackingEventUpdated = Event[TrackingEvent]{"fulfillment_order/tracking_event_updated"}
	FulfillmentOrderTrackingEventDeleted = Event[TrackingEvent]{"fulfillment_order/tracking_event_deleted"}
)

// Requests of data protection. They come to the addresses in the settings of the
// app, without registration, and are a legal duty: handle all three.
var (
	StoreRedactRequested    = Event[StoreRedact]{"store/redact"}
	CustomerRedactRequested = Event[CustomerRedact]{"customers/redact"}
	CustomerDataRequested   = Event[DataRequest]{"customers/data_request"}
)
