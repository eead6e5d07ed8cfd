package oauth

import (
	"slices"
	"strings"
	"unicode"
)

// Scope is one right that a merchant granted to the app. Scopes that the platform adds later are ordinary values of the
// type.
type Scope string

// The scopes. A write scope implies its read scope; the comment of a scope names other scopes that it implies.
const (
	ScopeReadContent  Scope = "read_content"  // pages and the blog
	ScopeWriteContent Scope = "write_content" // pages and the blog

	ScopeReadProducts  Scope = "read_products"  // products, variants, images and categories; implies ScopeReadLocations
	ScopeWriteProducts Scope = "write_products" // products, variants, images and categories; implies ScopeReadLocations

	ScopeReadCustomers  Scope = "read_customers"  // customers, and the customer inside an order
	ScopeWriteCustomers Scope = "write_customers" // customers

	ScopeReadOrders  Scope = "read_orders"  // orders; implies ScopeReadFulfillmentOrders
	ScopeWriteOrders Scope = "write_orders" // orders; implies ScopeWriteFulfillmentOrders

	ScopeReadDraftOrders  Scope = "read_draft_orders"  // draft orders
	ScopeWriteDraftOrders Scope = "write_draft_orders" // draft orders

	ScopeReadFulfillmentOrders  Scope = "read_fulfillment_orders"  // fulfillment orders and tracking events
	ScopeWriteFulfillmentOrders Scope = "write_fulfillment_orders" // fulfillment orders and tracking events

	ScopeReadCoupons  Scope = "read_coupons"  // coupons
	ScopeWriteCoupons Scope = "write_coupons" // coupons

	ScopeReadShipping  Scope = "read_shipping"  // shipping carriers and their options; implies ScopeReadLocations
	ScopeWriteShipping Scope = "write_shipping" // shipping carriers and their options; implies ScopeReadLocations

	ScopeReadShippingQuotation  Scope = "read_shipping_quotation"  // shipping quotations
	ScopeWriteShippingQuotation Scope = "write_shipping_quotation" // shipping quotations

	ScopeReadLocations  Scope = "read_locations"  // locations
	ScopeWriteLocations Scope = "write_locations" // locations

	ScopeReadPayments  Scope = "read_payments"  // payment providers, transactions and disputes
	ScopeWritePayments Scope = "write_payments" // payment providers, transactions and disputes

	ScopeReadPaymentOptions Scope = "read_payment_options" // payment options

	ScopeReadEmailTemplates  Scope = "read_email_templates"  // e-mail templates
	ScopeWriteEmailTemplates Scope = "write_email_templates" // e-mail templates

	ScopeWriteScripts Scope = "write_scripts" // scripts in the storefront
)

// Scopes are the scopes of an installation, as the platform listed them. Implied scopes are not listed, but Has
// includes them. The zero value grants nothing.
type Scopes []Scope

// ParseScopes reads the list of a token answer, separated by commas or spaces. Spaces, empty entries and duplicates are
// dropped; the result is sorted. An unknown scope is kept.
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

// Has reports whether the scope is granted, directly or by a scope that implies it.
func (s Scopes) Has(want Scope) bool {
	return slices.ContainsFunc(s, func(held Scope) bool { return held.implies(want) })
}

// Missing returns the required scopes that are not granted, in their order; nil if none is missing.
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

// grants is one step of the inheritance; implies follows it to the end. For example, write_products implies
// read_locations through read_products.
func (s Scope) grants() []Scope {
	var granted []Scope
	if resource, ok := strings.CutPrefix(string(s), "write_"); ok {
		granted = append(granted, Scope("read_"+resource))
	}
	switch s {
	case ScopeReadProducts, ScopeReadShipping:
		granted = append(granted, ScopeReadLocations)
	case ScopeReadOrders:
		granted = append(granted, ScopeReadFulfillmentOrders)
	case ScopeWriteOrders:
		granted = append(granted, ScopeWriteFulfillmentOrders)
	}
	return granted
}
