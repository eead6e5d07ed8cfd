package seed

import (
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestDemoScopes(t *testing.T) {
	for _, tc := range []struct{ asked, want world.Scopes }{
		{nil, world.AllScopes()},
		{world.Scopes{"read_products"}, world.Scopes{"read_products"}},
	} {
		s := refserver.New(refserver.Options{})
		defer s.Close()
		shop, err := Demo(s, tc.asked)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(shop.Install.Scopes, tc.want) || shop.App.ID != DemoApp || shop.Store.ID != DemoStore {
			t.Errorf("got %+v", shop)
		}
	}
}
