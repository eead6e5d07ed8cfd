package res

import "github.com/commerceplatform/commerce-go/internal/refserver/api"

// EventKind is one name of an event that apps can register for.
type EventKind struct {
	Name string
	// Versions that know the event; nil is all of them.
	Versions []string
	// Scopes of which an app needs one to hear of it; none means that any app may.
	Scopes []string
	// ID tells what the member id of the payload is; empty if it has none.
	ID IDKind
}

// IDKind tells what the id of a payload is of and what it looks like.
type IDKind string

// The kinds of id.
const (
	NoID      IDKind = ""
	IntegerID IDKind = "integer"
	ULIDID    IDKind = "ulid"
	UUIDID    IDKind = "uuid"
)

// Events is the table of events in the order of the contract. What apps have in
// their settings, the data-protection events, is not registered and not in it.
func Events() []EventKind {
	products := []string{"read_products"}
	orders := []string{"read_orders"}
	customers := []string{"read_customers"}
	locations := []string{"read_locations"}
	fulfillment := []string{"read_fulfillment_orders"}
	since := []string{api.V202503, api.Unstable}
	return []EventKind{
		{Name: "app/uninstalled", ID: IntegerID},
		{Name: "app/suspended", ID: IntegerID},
		{Name: "app/resumed", ID: IntegerID},
		{Name: "category/created", Scopes: products, ID: IntegerID},
		{Name: "category/updated", Scopes: products, ID: IntegerID},
		{Name: "category/deleted", Scopes: products, ID: IntegerID},
		{Name: "order/created", Scopes: orders, ID: IntegerID},
		{Name: "order/updated", Scopes: orders, ID: IntegerID},
		{Name: "order/paid", Scopes: orders, ID: IntegerID},
		{Name: "order/packed", Scopes: orders, ID: IntegerID},
		{Name: "order/fulfilled", Scopes: orders, ID: IntegerID},
		{Name: "order/cancelled", Scopes: orders, ID: IntegerID},
		{Name: "order/custom_fields_updated", Scopes: orders, ID: IntegerID},
		{Name: "order/edited", Scopes: orders, ID: IntegerID},
		{Name: "order/pending", Scopes: orders, ID: IntegerID},
		{Name: "order/voided", Scopes: orders, ID: IntegerID},
		{Name: "order/in_preparation", Scopes: orders, ID: IntegerID},
		{Name: "order/unpacked", Scopes: orders, Versions: since, ID: IntegerID},
		{Name: "product/created", Scopes: products, ID: IntegerID},
		{Name: "product/updated", Scopes: products, ID: IntegerID},
		{Name: "product/deleted", Scopes: products, ID: IntegerID},
		{Name: "product_variant/custom_fields_updated", Scopes: products, ID: IntegerID},
		{Name: "domain/updated"},
		{Name: "order_custom_field/created", Scopes: orders, ID: UUIDID},
		{Name: "order_custom_field/updated", Scopes: orders, ID: UUIDID},
		{Name: "order_custom_field/deleted", Scopes: orders, ID: UUIDID},
		{Name: "product_variant_custom_field/created", Scopes: products, ID: UUIDID},
		{Name: "product_variant_custom_field/updated", Scopes: products, ID: UUIDID},
		{Name: "product_variant_custom_field/deleted", Scopes: products, ID: UUIDID},
		{Name: "fulfillment/updated", Scopes: []string{"read_orders", "read_shipping"}, ID: IntegerID},
		{Name: "fulfillment_order/status_updated", Scopes: fulfillment},
		{Name: "fulfillment_order/label_status_updated", Scopes: fulfillment},
		{Name: "fulfillment_order/tracking_event_created", Scopes: fulfillment},
		{Name: "fulfillment_order/tracking_event_updated", Scopes: fulfillment},
		{Name: "fulfillment_order/tracking_event_deleted", Scopes: fulfillment},
		{Name: "location/created", Scopes: locations, ID: ULIDID},
		{Name: "location/updated", Scopes: locations, ID: ULIDID},
		{Name: "location/deleted", Scopes: locations, ID: ULIDID},
		{Name: "app_subscription/updated", Versions: since, ID: IntegerID},
		{Name: "charge/created", Versions: since, ID: IntegerID},
		{Name: "charge/paid", Versions: since, ID: IntegerID},
		{Name: "charge/failed", Versions: since, ID: IntegerID},
		{Name: "customer/created", Scopes: customers, Versions: since, ID: IntegerID},
		{Name: "customer/updated", Scopes: customers, Versions: since, ID: IntegerID},
		{Name: "customer/deleted", Scopes: customers, Versions: since, ID: IntegerID},
		{Name: "subscription/updated", Versions: since},
	}
}
