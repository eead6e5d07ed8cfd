package res

import "github.com/commerceplatform/commerce-go/internal/refserver/api"

// EventKind is one name of an event that apps can register for.
type EventKind struct {
	Name string
	// Versions that know the event; nil is all of them.
	Versions []string
	// Scopes of which an app needs one to receive it; none means that any app may.
	Scopes []string
}

// Events is the table of events in the order of the contract. It lacks the data-protection events, which apps have in
// their settings and do not register.
func Events() []EventKind {
	products := []string{"read_products"}
	orders := []string{"read_orders"}
	customers := []string{"read_customers"}
	locations := []string{"read_locations"}
	fulfillment := []string{"read_fulfillment_orders"}
	since := []string{api.V202503, api.Unstable}
	return []EventKind{
		{Name: "app/uninstalled"},
		{Name: "app/suspended"},
		{Name: "app/resumed"},
		{Name: "category/created", Scopes: products},
		{Name: "category/updated", Scopes: products},
		{Name: "category/deleted", Scopes: products},
		{Name: "order/created", Scopes: orders},
		{Name: "order/updated", Scopes: orders},
		{Name: "order/paid", Scopes: orders},
		{Name: "order/packed", Scopes: orders},
		{Name: "order/fulfilled", Scopes: orders},
		{Name: "order/cancelled", Scopes: orders},
		{Name: "order/custom_fields_updated", Scopes: orders},
		{Name: "order/edited", Scopes: orders},
		{Name: "order/pending", Scopes: orders},
		{Name: "order/voided", Scopes: orders},
		{Name: "order/in_preparation", Scopes: orders},
		{Name: "order/unpacked", Scopes: orders, Versions: since},
		{Name: "product/created", Scopes: products},
		{Name: "product/updated", Scopes: products},
		{Name: "product/deleted", Scopes: products},
		{Name: "product_variant/custom_fields_updated", Scopes: products},
		{Name: "domain/updated"},
		{Name: "order_custom_field/created", Scopes: orders},
		{Name: "order_custom_field/updated", Scopes: orders},
		{Name: "order_custom_field/deleted", Scopes: orders},
		{Name: "product_variant_custom_field/created", Scopes: products},
		{Name: "product_variant_custom_field/updated", Scopes: products},
		{Name: "product_variant_custom_field/deleted", Scopes: products},
		{Name: "fulfillment/updated", Scopes: []string{"read_orders", "read_shipping"}},
		{Name: "fulfillment_order/status_updated", Scopes: fulfillment},
		{Name: "fulfillment_order/label_status_updated", Scopes: fulfillment},
		{Name: "fulfillment_order/tracking_event_created", Scopes: fulfillment},
		{Name: "fulfillment_order/tracking_event_updated", Scopes: fulfillment},
		{Name: "fulfillment_order/tracking_event_deleted", Scopes: fulfillment},
		{Name: "location/created", Scopes: locations},
		{Name: "location/updated", Scopes: locations},
		{Name: "location/deleted", Scopes: locations},
		{Name: "app_subscription/updated", Versions: since},
		{Name: "charge/created", Versions: since},
		{Name: "charge/paid", Versions: since},
		{Name: "charge/failed", Versions: since},
		{Name: "customer/created", Scopes: customers, Versions: since},
		{Name: "customer/updated", Scopes: customers, Versions: since},
		{Name: "customer/deleted", Scopes: customers, Versions: since},
		{Name: "subscription/updated", Versions: since},
	}
}
