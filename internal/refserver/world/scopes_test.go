package world_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestScopesHas(t *testing.T) {
	for _, tc := range []struct {
		granted, asked string
		want           bool
	}{
		{"read_products", "read_products", true},
		{"read_products", "write_products", false},
		{"write_products", "read_products", true},
		{"write_scripts", "read_scripts", true},
		{"read_products", "read_locations", true},
		{"write_products", "read_locations", true},
		{"write_products", "write_locations", false},
		{"read_shipping", "read_locations", true},
		{"write_shipping", "read_locations", true},
		{"read_orders", "read_fulfillment_orders", true},
		{"read_orders", "write_fulfillment_orders", false},
		{"write_orders", "write_fulfillment_orders", true},
		{"write_orders", "read_fulfillment_orders", true},
		{"read_orders", "read_draft_orders", false},
		{"", "read_orders", false},
	} {
		if got := world.ParseScopes(tc.granted).Has(tc.asked); got != tc.want {
			t.Errorf("%q has %q: got %v, want %v", tc.granted, tc.asked, got, tc.want)
		}
	}
	if !(world.Scopes{}).HasAny(nil) {
		t.Error("asking for nothing was refused")
	}
	if got := world.ParseScopes(" a, b,,a ").String(); got != "a,b" {
		t.Errorf("got %q, want %q", got, "a,b")
	}
}
