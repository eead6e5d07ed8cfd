package webhook

import "github.com/commerceplatform/commerce-go/client"

// Name is the name of an event as it stands in a delivery, "order/paid", and in a
// registration: client.WebhookInput{Event: OrderPaid.Name, URL: url}.
type Name = client.WebhookEvent

// Event ties the name of an event to the type of its payload. The events of the
// contract are the variables below; one that is newer than this package is handled
// by writing its Event down, for example Event[Entity]{Name: "kit/updated"}. Those that
// are not in v1 are registered in a newer version; deliveries are of none.
type Event[P any] struct{ Name Name }

// Events about the app itself.
var (
	AppUninstalled         = Event[App]{"app/uninstalled"}                      // the merchant removed the app; see Handler.Probe
	AppSuspended           = Event[AppAccess]{"app/suspended"}                  // the app has no access for now
	AppResumed             = Event[AppAccess]{"app/resumed"}                    // the app has access again
	AppSubscriptionUpdated = Event[AppSubscription]{"app_subscription/updated"} // the merchant changed the plan, or stopped paying; not in v1
)

// Events about what the app charges for, not in v1.
var (
	ChargeCreated       = Event[Charge]{"charge/created"}             // something is to be paid
	ChargePaid          = Event[ChargeResult]{"charge/paid"}          // it was paid
	ChargeFailed        = Event[ChargeResult]{"charge/failed"}        // a payment failed; another may follow
	SubscriptionUpdated = Event[Subscription]{"subscription/updated"} // what is paid time and again changed
)

// Events about the catalog and the store.
var (
	CategoryCreated                   = Event[Entity]{"category/created"}                                // there is a new category
	CategoryUpdated                   = Event[Entity]{"category/updated"}                                // a category changed, its visibility for example
	CategoryDeleted                   = Event[Entity]{"category/deleted"}                                // a category is gone
	ProductCreated                    = Event[Entity]{"product/created"}                                 // there is a new product
	ProductUpdated                    = Event[Entity]{"product/updated"}                                 // a product changed, or a variant, stock or image of it
	ProductDeleted                    = Event[Entity]{"product/deleted"}                                 // a product is gone
	ProductVariantCustomFieldsUpdated = Event[Entity]{"product_variant/custom_fields_updated"}           // a variant has other values for its custom fields
	ProductVariantCustomFieldCreated  = Event[CustomFieldEntity]{"product_variant_custom_field/created"} // there is a new custom field of variants
	ProductVariantCustomFieldUpdated  = Event[CustomFieldEntity]{"product_variant_custom_field/updated"} // a custom field of variants changed
	ProductVariantCustomFieldDeleted  = Event[CustomFieldEntity]{"product_variant_custom_field/deleted"} // a custom field of variants is gone
	DomainUpdated                     = Event[Domain]{"domain/updated"}                                  // the domains of the store changed
	LocationCreated                   = Event[LocationEntity]{"location/created"}                        // there is a new location
	LocationUpdated                   = Event[LocationEntity]{"location/updated"}                        // a location changed, its priority for example
	LocationDeleted                   = Event[LocationEntity]{"location/deleted"}                        // a location is gone
)

// Events about customers, not in v1.
var (
	CustomerCreated = Event[CustomerEntity]{"customer/created"} // there is a new customer
	CustomerUpdated = Event[CustomerEntity]{"customer/updated"} // a customer changed
	CustomerDeleted = Event[CustomerEntity]{"customer/deleted"} // a customer is gone
)

// Events about orders. Every change of the shipping status sends its own event and
// order/updated.
var (
	OrderCreated             = Event[Entity]{"order/created"}                         // somebody bought something
	OrderUpdated             = Event[Entity]{"order/updated"}                         // anything about an order changed
	OrderPaid                = Event[Entity]{"order/paid"}                            // an order was paid
	OrderPacked              = Event[Entity]{"order/packed"}                          // an order was packed
	OrderUnpacked            = Event[Entity]{"order/unpacked"}                        // an order was unpacked again; not in v1
	OrderFulfilled           = Event[Entity]{"order/fulfilled"}                       // an order was sent off
	OrderCancelled           = Event[Entity]{"order/cancelled"}                       // an order was cancelled
	OrderCustomFieldsUpdated = Event[Entity]{"order/custom_fields_updated"}           // an order has other values for its custom fields
	OrderEdited              = Event[Entity]{"order/edited"}                          // the products of an order changed
	OrderPending             = Event[Entity]{"order/pending"}                         // the payment of an order is pending again
	OrderVoided              = Event[Entity]{"order/voided"}                          // the payment of an order was given up
	OrderInPreparation       = Event[Entity]{"order/in_preparation"}                  // the merchant is at it
	OrderCustomFieldCreated  = Event[CustomFieldEntity]{"order_custom_field/created"} // there is a new custom field of orders
	OrderCustomFieldUpdated  = Event[CustomFieldEntity]{"order_custom_field/updated"} // a custom field of orders changed
	OrderCustomFieldDeleted  = Event[CustomFieldEntity]{"order_custom_field/deleted"} // a custom field of orders is gone
)

// Events about the fulfillment of orders.
var (
	FulfillmentUpdated                   = Event[Fulfillment]{"fulfillment/updated"}                         // something about a fulfillment changed
	FulfillmentOrderStatusUpdated        = Event[FulfillmentOrderStatus]{"fulfillment_order/status_updated"} // a fulfillment order went on, or back
	FulfillmentOrderLabelStatusUpdated   = Event[Label]{"fulfillment_order/label_status_updated"}            // a label went on, or failed
	FulfillmentOrderTrackingEventCreated = Event[TrackingEvent]{"fulfillment_order/tracking_event_created"}  // a carrier tells something new
	FulfillmentOrderTrackingEventUpdated = Event[TrackingEvent]{"fulfillment_order/tracking_event_updated"}  // a carrier corrects what it told
	FulfillmentOrderTrackingEventDeleted = Event[TrackingEvent]{"fulfillment_order/tracking_event_deleted"}  // a carrier takes back what it told
)

// Requests of data protection. They come to the addresses in the settings of the
// app, without registration, and are a legal duty: handle all three. The receipt that one was done is that its
// handler returned nil and the inbox has noted it: Worker.OnFinished is then told the Lease and a Result without
// an error, and is where you keep what you may have to show.
var (
	StoreRedactRequested    = Event[StoreRedact]{"store/redact"}           // delete the data of a store
	CustomerRedactRequested = Event[CustomerRedact]{"customers/redact"}    // delete the data of a customer
	CustomerDataRequested   = Event[DataRequest]{"customers/data_request"} // send the merchant what is kept of a customer
)
