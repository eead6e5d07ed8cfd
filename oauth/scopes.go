package oauth

import (
	"slices"
	"strings"
	"unicode"
)

// Scope is one right a merchant granted to the app. Scopes the platform adds later are ordinary values of the type.
type Scope string

// The scopes. A write scope implies its read scope; a scope that implies more says so.
const (
	ReadContent  Scope = "read_content"  // pages and the blog
	WriteContent Scope = "write_content" // pages and the blog

	ReadProducts  Scope = "read_products"  // products, variants, images and categories; implies ReadLocations
	WriteProducts Scope = "write_products" // products, variants, images and categories; implies ReadLocations

	ReadCustomers  Scope = "read_customers"  // customers, and the customer inside an order
	WriteCustomers Scope = "write_customers" // customers

	ReadOrders  Scope = "read_orders"  // orders; implies ReadFulfillmentOrders
	WriteOrders Scope = "write_orders" // orders; implies WriteFulfillmentOrders

	ReadDraftOrders  Scope = "read_draft_orders"  // draft orders
	WriteDraftOrders Scope = "write_draft_orders" // draft orders

	ReadFulfillmentOrders  Scope = "read_fulfillment_orders"  // fulfillment orders and tracking events
	WriteFulfillmentOrders Scope = "write_fulfillment_orders" // fulfillment orders and tracking events

	ReadCoupons  Scope = "read_coupons"  // coupons
	WriteCoupons Scope = "write_coupons" // coupons

	ReadShipping  Scope = "read_shipping"  // shipping carriers and their options; implies ReadLocations
	WriteShipping Scope = "write_shipping" // shipping carriers and their options; implies ReadLocations

	ReadShippingQuotation  Scope = "read_shipping_quotation"  // shipping quotations
	WriteShippingQuotation Scope = "write_shipping_quotation" // shipping quotations

	ReadLocations  Scope = "read_locations"  // locations
	WriteLocations Scope = "write_locations" // locations

	ReadPayments  Scope = "read_payments"  // payment providers, transactions and disputes
	WritePayments Scope = "write_payments" // payment providers, transactions and disputes

	ReadPaymentOptions Scope = "read_payment_options" // payment options

	ReadEmailTemplates  Scope = "read_email_templates"  // e-mail templates
	WriteEmailTemplates Scope = "write_email_templates" // e-mail templates

	WriteScripts Scope = "write_scripts" // scripts in the storefront
)

// Scopes are the scopes of an install, as the platform listed them; what they imply is not listed but known to Has.
// The zero value grants nothing.
type Scopes []Scope

// ParseScopes reads the list of a token answer, separated by commas or spaces. Spaces, empty places and repetitions are dropped; the
// result is sorted. An unknown scope is kept.
func ParseScopes(list string) Scopes {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	var s Scopes
	for _, name := range names {
		s = append(s, Scope(name))
	}
	slices.Sort(s)
	return slices.Compact(s)
}

// String returns the comma-separated list, in the order of s.
func (s Scopes) String() string {
	names := make([]string, len(s))
	for i, scope := range s {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

// Has reports whether want is granted, by itself or by a scope that implies it.
func (s Scopes) Has(want Scope) bool {
	return slices.ContainsFunc(s, func(held Scope) bool { return held.implies(want) })
}

// Missing returns those of required that are not granted, in their order; nil when nothing is missing.
func (s Scopes) Missing(required ...Scope) Scopes {
	var missing Scopes
	for _, want := range required {
		if !s.Has(want) {
			missing = append(missing, want)
		}
	}
	return missing
}

func (s Scope) implies(want Scope) bool {
	return s == want || slices.ContainsFunc(s.grants(), func(granted Scope) bool { return granted.implies(want) })
}

// grants is one step of the inheritance; implies follows it to the end. write_products reaches read_locations by way of
// read_products.
func (s Scope) grants() []Scope {
	var granted []Scope
	if resource, ok := strings.CutPrefix(string(s), "write_"); ok {
		granted = append(granted, Scope("read_"+resource))
	}
	switch s {
	case ReadProducts, ReadShipping:
		granted = append(granted, ReadLocations)
	case ReadOrders:
		granted = append(granted, ReadFulfillmentOrders)
	case WriteOrders:
		granted = append(granted, WriteFulfillmentOrders)
	}
	return granted
}
