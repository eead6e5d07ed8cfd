package control

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// named are the resources whose records are named by members, by the name of the member. If the name is ambiguous,
// namedIn has the resource by the whole path.
func namedBy() map[string]string {
	return map[string]string{
		"blog_id":              "blogs",
		"carrier_id":           "carriers",
		"cart_id":              "carts",
		"categories":           "categories",
		"category_id":          "categories",
		"coupons":              "coupons",
		"customer_id":          "customers",
		"fulfillment_order_id": "fulfillment_orders",
		"image_id":             "images",
		"location_id":          "locations",
		"order_id":             "orders",
		"plan_id":              "plans",
		"product_id":           "products",
		"products":             "products",
		"promotion_id":         "promotions",
		"provider_id":          "payment_providers",
		"table_id":             "price_tables",
		"transaction_id":       "transactions",
		"variant_id":           "variants",
	}
}

// namedIn are those of single members: resource and path.
func namedIn() map[string]string {
	return map[string]string{
		"categories.parent": "categories", "checkouts.id": "carts", "custom_field_values.field": "custom_fields",
		"fulfillment_orders.shipping.carrier.id": "carriers", "kits.id": "products", "orders.rates.carrier": "carriers",
		"orders.rates.id": "carrier_options", "orders.rates.location": "locations", "quotes.rates.carrier": "carriers",
		"quotes.rates.id": "carrier_options", "quotes.rates.location": "locations",
	}
}

// owners are the resources that the member owner of metafields and of values of custom fields chooses for owner_id.
func owners() map[string]string {
	return map[string]string{
		"product": "products", "product_variant": "variants", "customer": "customers", "category": "categories",
		"order": "orders",
		"page":  "pages",
	}
}

// indexed are the indexes by which the records that name another are found at once.
func indexed() map[string]string {
	return map[string]string{
		"carrier_options.carrier_id": "carrier", "disputes.transaction_id": "transaction",
		"fulfillment_orders.order_id": "order", "images.product_id": "product", "inventory_levels.location_id": "location",
		"inventory_levels.variant_id": "variant", "labels.fulfillment_order_id": "fulfillment_order",
		"orders.customer_id": "customer", "products.categories": "category",
		"tracking_events.fulfillment_order_id": "fulfillment_order", "transactions.order_id": "order",
		"variants.image_id": "image", "variants.product_id": "product",
	}
}

// trail is the way from a record to a member that names records.
type trail struct {
	member string // with dots
	fields []int  // by their place; slices and pointers on the way are gone through
	of     string // the resource; empty if the member owner chooses it
}

// trails are those of a resource.
func (r resource) trails() []trail {
	record := r.table.MethodByName("Get").Type().Out(0)
	return trailsOf(r.name, record, trail{}, namedBy(), namedIn())
}

func trailsOf(resource string, t reflect.Type, at trail, by, in map[string]string) (out []trail) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t != reflect.TypeFor[json.RawMessage]() {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[decimal.Decimal]() {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		next := trail{member: at.member, fields: append(at.fields[:len(at.fields):len(at.fields)], i)}
		if !f.Anonymous {
			next.member = strings.TrimPrefix(at.member+"."+snake(f.Name), ".")
		}
		of, special := in[resource+"."+next.member]
		if !special {
			of = by[snake(f.Name)]
		}
		switch {
		case of != "" && isKey(f.Type):
			next.of = of
			out = append(out, next)
		case next.member == "owner_id" && f.Type.Kind() == reflect.Int64:
			out = append(out, next)
		default:
			out = append(out, trailsOf(resource, f.Type, next, by, in)...)
		}
	}
	return out
}

// isKey reports whether a member has keys of records.
func isKey(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.Int64 || t.Kind() == reflect.String
}

// keys calls found with each key in a member of a record until it returns false.
func (t trail) keys(record reflect.Value, found func(of, key string) bool) {
	of := t.of
	if of == "" {
		of = owners()[strings.ToLower(record.FieldByName("Owner").String())]
	}
	follow(record, t.fields, func(key string) bool { return found(of, key) })
}

func follow(v reflect.Value, fields []int, found func(key string) bool) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return v.IsNil() || follow(v.Elem(), fields, found)
	case reflect.Slice:
		for i := range v.Len() {
			if !follow(v.Index(i), fields, found) {
				return false
			}
		}
		return true
	}
	if len(fields) > 0 {
		return follow(v.Field(fields[0]), fields[1:], found)
	}
	if v.IsZero() {
		return true
	}
	return found(keyText(v))
}
