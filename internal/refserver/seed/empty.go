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

// Another makes one more store, as empty, of the owner of the demo shop, and installs the app in it with the scopes it
// asks for.
func Another(s *refserver.Server, app world.App, id int64) (Shop, error) {
	if id < 1 {
		return Shop{}, fmt.Errorf("store %d: must be 1 or more", id)
	}
	shop := Shop{App: app}
	var err error
	if shop.Store, err = Store(s, id); err != nil {
		return Shop{}, err
	}
	if shop.Install, err = s.Install(app.ID, shop.Store.ID, app.Scopes); err != nil {
		return Shop{}, fmt.Errorf("installing the app: %w", err)
	}
	return shop, nil
}

// Store makes one more store, as empty, of the owner of the demo shop, without an app. Id 0 draws one.
func Store(s *refserver.Server, id int64) (world.Store, error) {
	if _, taken := s.World().Store(id); taken || id < 0 {
		return world.Store{}, fmt.Errorf("store %d: must be an id that no store has", id)
	}
	st := demoStore()
	st.ID, st.OriginalDomain, st.Domains = id, "", nil
	st, err := s.AddStore(st)
	if err != nil {
		return world.Store{}, fmt.Errorf("making the store: %w", err)
	}
	return st, nil
}
