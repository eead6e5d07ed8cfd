package oauth_test

import (
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
)

func TestParseScopes(t *testing.T) {
	for _, tt := range []struct {
		list string
		want oauth.Scopes
		text string
	}{
		{"", nil, ""},
		{" , ,,\t\n", nil, ""},
		{"write_orders", oauth.Scopes{oauth.ScopeWriteOrders}, "write_orders"},
		{"write_orders,read_products", oauth.Scopes{oauth.ScopeReadProducts, oauth.ScopeWriteOrders}, "read_products,write_orders"},
		{" write_orders , read_products read_products,", oauth.Scopes{oauth.ScopeReadProducts, oauth.ScopeWriteOrders}, "read_products,write_orders"},
		{"read_the_future", oauth.Scopes{"read_the_future"}, "read_the_future"},
	} {
		got := oauth.ParseScopes(tt.list)
		if !slices.Equal(got, tt.want) || got.String() != tt.text {
			t.Errorf("%q: got %v, %q; want %v, %q", tt.list, []oauth.Scope(got), got, []oauth.Scope(tt.want), tt.text)
		}
	}
}

func TestScopesHas(t *testing.T) {
	for _, tt := range []struct {
		held, want string
		has        bool
	}{
		{"", "read_products", false},
		{"read_products", "", false},
		{"read_products", "read_products", true},
		{"write_products", "read_products", true},
		{"read_products", "write_products", false},
		{"write_payments", "read_payments", true},
		{"write_the_future", "read_the_future", true},
		{"write_products_extra", "read_products", false},

		{"read_products", "read_locations", true},
		{"write_products", "read_locations", true},
		{"read_shipping", "read_locations", true},
		{"write_shipping", "read_locations", true},
		{"write_locations", "read_locations", true},
		{"write_products,write_shipping", "write_locations", false},
		{"read_shipping_quotation,write_shipping_quotation", "read_locations", false},
		{"read_locations", "read_products", false},

		{"read_orders", "read_fulfillment_orders", true},
		{"read_orders", "write_fulfillment_orders", false},
		{"write_orders", "write_fulfillment_orders", true},
		{"write_orders", "read_fulfillment_orders", true},
		{"read_draft_orders,write_draft_orders", "read_fulfillment_orders", false},
		{"write_fulfillment_orders", "read_orders", false},
		{"read_payment_options", "read_payments", false},
	} {
		if got := oauth.ParseScopes(tt.held).Has(oauth.Scope(tt.want)); got != tt.has {
			t.Errorf("%q has %q: got %v, want %v", tt.held, tt.want, got, tt.has)
		}
	}
}

func TestScopesMissing(t *testing.T) {
	s := oauth.ParseScopes("write_orders,read_products")
	got := s.Missing(oauth.ScopeWriteProducts, oauth.ScopeReadOrders, oauth.ScopeReadLocations, oauth.ScopeReadCoupons)
	if want := (oauth.Scopes{oauth.ScopeWriteProducts, oauth.ScopeReadCoupons}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := s.Missing(oauth.ScopeReadOrders); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}
