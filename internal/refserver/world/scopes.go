package world

import (
	"slices"
	"strings"
)

// Scopes are permissions a merchant granted, in the words of the contract.
type Scopes []string

// ParseScopes reads a comma-separated list; spaces around a scope do not count.
func ParseScopes(s string) Scopes {
	var out Scopes
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// String is the comma-separated list that a token answer carries.
func (s Scopes) String() string { return strings.Join(s, ",") }

// Has reports whether the scope was granted or follows from one that was.
func (s Scopes) Has(scope string) bool {
	return slices.ContainsFunc(s, func(granted string) bool { return implies(granted, scope) })
}

// HasAny reports whether one of the scopes is held; no scope at all is asked of nobody.
func (s Scopes) HasAny(scopes []string) bool {
	return len(scopes) == 0 || slices.ContainsFunc(scopes, s.Has)
}

// Covers reports whether every one of the other scopes is held.
func (s Scopes) Covers(other Scopes) bool {
	return !slices.ContainsFunc(other, func(o string) bool { return !s.Has(o) })
}

// implied is what a scope grants on top of itself and, for a write scope, its
// read scope.
var implied = map[string][]string{
	"read_shipping":  {"read_locations"},
	"write_shipping": {"read_locations"},
	"read_products":  {"read_locations"},
	"write_products": {"read_locations"},
	"read_orders":    {"read_fulfillment_orders"},
	"write_orders":   {"read_fulfillment_orders", "write_fulfillment_orders"},
}

func implies(granted, wanted string) bool {
	if granted == wanted || slices.Contains(implied[granted], wanted) {
		return true
	}
	resource, isWrite := strings.CutPrefix(granted, "write_")
	return isWrite && wanted == "read_"+resource
}

// AllScopes returns every scope there is.
func AllScopes() Scopes {
	return Scopes{
		"read_content", "write_content",
		"read_products", "write_products",
		"read_customers", "write_customers",
		"read_orders", "write_orders",
		"read_draft_orders", "write_draft_orders",
		"read_coupons", "write_coupons",
		"read_shipping", "write_shipping",
		"read_shipping_quotation", "write_shipping_quotation",
		"read_locations", "write_locations",
		"read_fulfillment_orders", "write_fulfillment_orders",
		"read_payments", "write_payments",
		"read_payment_options",
		"read_email_templates", "write_email_templates",
		"write_scripts",
	}
}
