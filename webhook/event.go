package webhook

import "github.com/commerceplatform/commerce-go/client/value"

// Name is the name of an event, as in a delivery ("order/paid") and in a registration: client.WebhookInput{Event:
// OrderPaid.Name, URL: url}.
type Name = value.WebhookEvent

// Event ties the name of an event to the type of its payload. The events of the contract are the variables below. To
// handle an event that is newer than this package, define it: Event[Entity]{Name: "kit/updated"}. Events marked "not in
// v1" must be registered with a newer version of the API. A delivery itself has no version.
type Event[P any] struct{ Name Name }

// Events about the app itself.
var (
	AppUninstalled         = Event[App]{"app/uninstalled"}                      // the merchant removed the app; see Handler.Probe
	AppSuspended           = Event[AppAccess]{"app/suspended"}                  // the app has no access for now
	AppResumed             = Event[AppAccess]{"app/resumed"}                    // the app has access again
	AppSubscriptionUpdated = Event[AppSubscription]{"app_subscription/updated"} // the merchant changed the plan, or stopped paying; not in v1
)

// Events about the charges of the app, not in v1.
var (
	ChargeCreated       = Event[Charge]{"charge/created"}             // an amount is due
	ChargePaid          = Event[ChargeResult]{"charge/paid"}          // it was paid
	ChargeFailed        = Event[ChargeResult]{"charge/failed"}        // a payment failed; another may follow
	SubscriptionUpdated = Event[Subscription]{"subscription/updated"} // a recurring charge changed
)

// Events about the catalog and the store.
var (
	CategoryCreated                   = Event[Entity]{"category/created"}                                // there is a new category
	CategoryUpdated                   = Event[Entity]{"category/updated"}                                // a category changed, for example its visibility
	CategoryDeleted                   = Event[Entity]{"category/deleted"}                                // a category is gone
	ProductCreated                    = Event[Entity]{"product/created"}                                 // there is a new product
	ProductUpdated                    = Event[Entity]{"product/updated"}                                 // a product changed, or a variant, stock or image of it
	ProductDeleted                    = Event[Entity]{"product/deleted"}                                 // a product is gone
	ProductVariantCustomFieldsUpdated = Event[Entity]{"product_variant/custom_fields_updated"}           // the values of a variant's custom fields changed
	ProductVariantCustomFieldCreated  = Event[CustomFieldEntity]{"product_variant_custom_field/created"} // there is a new custom field of variants
	ProductVariantCustomFieldUpdated  = Event[CustomFieldEntity]{"product_variant_custom_field/updated"} // a custom field of variants changed
	ProductVariantCustomFieldDeleted  = Event[CustomFieldEntity]{"product_variant_custom_field/deleted"} // a custom field of variants is gone
	DomainUpdated                     = Event[Domain]{"domain/updated"}                                  // the domains of the store changed
	LocationCreated                   = Event[LocationEntity]{"location/created"}                        // there is a new location
	LocationUpdated                   = Event[LocationEntity]{"location/updated"}                        // a location changed, for example its priority
	LocationDeleted                   = Event[LocationEntity]{"location/deleted"}                        // a location is gone
)

// Events about customers, not in v1.
var (
	CustomerCreated = Event[CustomerEntity]{"customer/created"} // there is a new customer
	CustomerUpdated = Event[CustomerEntity]{"customer/updated"} // a customer changed
	CustomerDeleted = Event[CustomerEntity]{"customer/deleted"} // a customer is gone
)

// Events about orders. Every change of the shipping status sends an event of its own and order/updated.
var (
	OrderCreated             = Event[Entity]{"order/created"}                         // a customer placed an order
	OrderUpdated             = Event[Entity]{"order/updated"}                         // anything about an order changed
	OrderPaid                = Event[Entity]{"order/paid"}                            // an order was paid
	OrderPacked              = Event[Entity]{"order/packed"}                          // an order was packed
	OrderUnpacked            = Event[Entity]{"order/unpacked"}                        // an order was unpacked again; not in v1
	OrderFulfilled           = Event[Entity]{"order/fulfilled"}                       // an order was shipped
	OrderCancelled           = Event[Entity]{"order/cancelled"}                       // an order was cancelled
	OrderCustomFieldsUpdated = Event[Entity]{"order/custom_fields_updated"}           // the values of an order's custom fields changed
	OrderEdited              = Event[Entity]{"order/edited"}                          // the products of an order changed
	OrderPending             = Event[Entity]{"order/pending"}                         // the payment of an order is pending again
	OrderVoided              = Event[Entity]{"order/voided"}                          // the payment of an order was voided
	OrderInPreparation       = Event[Entity]{"order/in_preparation"}                  // the merchant is preparing an order
	OrderCustomFieldCreated  = Event[CustomFieldEntity]{"order_custom_field/created"} // there is a new custom field of orders
	OrderCustomFieldUpdated  = Event[CustomFieldEntity]{"order_custom_field/updated"} // a custom field of orders changed
	OrderCustomFieldDeleted  = Event[CustomFieldEntity]{"order_custom_field/deleted"} // a custom field of orders is gone
)

// Events about the fulfillment of orders.
var (
	FulfillmentUpdated                   = Event[Fulfillment]{"fulfillment/updated"}                         // something about a fulfillment changed
	FulfillmentOrderStatusUpdated        = Event[FulfillmentOrderStatus]{"fulfillment_order/status_updated"} // the status of a fulfillment order changed, forward or back
	FulfillmentOrderLabelStatusUpdated   = Event[Label]{"fulfillment_order/label_status_updated"}            // the status of a label changed, or the label failed
	FulfillmentOrderTrackingEventCreated = Event[TrackingEvent]{"fulfillment_order/tracking_event_created"}  // a carrier reported a new event
	FulfillmentOrderTrackingEventUpdated = Event[TrackingEvent]{"fulfillment_order/tracking_event_updated"}  // a carrier corrected an event
	FulfillmentOrderTrackingEventDeleted = Event[TrackingEvent]{"fulfillment_order/tracking_event_deleted"}  // a carrier withdrew an event
)

// Privacy requests. The platform sends them to the addresses in the settings of the app, without
// registration. They are a legal duty: handle all three. A request is done when its handler returned nil and the inbox
// has noted it. Worker.OnFinished is then called with the Lease and a Result without an error. Store your proof there.
var (
	StoreRedactRequested    = Event[StoreRedact]{"store/redact"}           // delete the data of a store
	CustomerRedactRequested = Event[CustomerRedact]{"customers/redact"}    // delete the data of a customer
	CustomerDataRequested   = Event[DataRequest]{"customers/data_request"} // send the merchant the stored data of a customer
)
