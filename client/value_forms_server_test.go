package client_test

import (
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

// TestFormsTakeThePlatformsPages: the general decoder reads pages that the forms reject, only more slowly, so no other
// test notices such a page.
func TestFormsTakeThePlatformsPages(t *testing.T) {
	if page := bench.Page(t, "/products", 2); !client.Formed(page, new([]client.Product)) {
		t.Errorf("products: not in plain form: %s", page)
	}
	if page := bench.Page(t, "/orders", 2); !client.Formed(page, new([]client.Order)) {
		t.Errorf("orders: not in plain form: %s", page)
	}
}
