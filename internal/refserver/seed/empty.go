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

// Another makes one more store, as empty, of the owner of the demo shop, and installs the app in it with the scopes it asks for.
func Another(s *refserver.Server, app world.App, id int64) (Shop, error) {
	if _, taken := s.World().Store(id); taken || id < 1 {
		return Shop{}, fmt.Errorf("store %d: want an id from 1 on that no store has", id)
	}
	st := demoStore()
	st.ID, st.OriginalDomain, st.Domains = id, "", nil
	shop := Shop{App: app}
	var err error
	if shop.Store, err = s.AddStore(st); err != nil {
		return Shop{}, fmt.Errorf("making the store: %w", err)
	}
	if shop.Install, err = s.Install(app.ID, shop.Store.ID, app.Scopes); err != nil {
		return Shop{}, fmt.Errorf("installing the app: %w", err)
	}
	return shop, nil
}
