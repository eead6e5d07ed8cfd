package seed

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Empty makes the store and the app of the demo shop without anything in the
// store, and installs the app with the scopes, or with all scopes if there are none.
func Empty(s *refserver.Server, scopes world.Scopes) (Shop, error) {
	if len(scopes) == 0 {
		scopes = world.AllScopes()
	}
	var shop Shop
	var err error
	if shop.Store, err = s.AddStore(demoStore()); err != nil {
		return Shop{}, fmt.Errorf("making the store: %w", err)
	}
	if shop.App, err = s.AddApp(demoApp(scopes)); err != nil {
		return Shop{}, fmt.Errorf("making the app: %w", err)
	}
	if shop.Install, err = s.Install(shop.App.ID, shop.Store.ID, scopes); err != nil {
		return Shop{}, fmt.Errorf("installing the app: %w", err)
	}
	return shop, nil
}
