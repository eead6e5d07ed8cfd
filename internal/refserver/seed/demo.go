package seed

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Shop is what Demo made: an app, installed in a store.
type Shop struct {
	App     world.App
	Store   world.Store
	Install world.Install
}

// Ids of the demo shop. They are fixed so that what is written down about it
// stays true.
const (
	DemoApp   = 2001
	DemoStore = 1001
	// DemoScript is not auto-installed; the one after it is, the next is not.
	DemoScript = 3001
)

// Demo makes the demo shop and installs its app with the scopes, or with all
// scopes if there are none.
func Demo(s *refserver.Server, scopes world.Scopes) (Shop, error) {
	shop, err := Empty(s, scopes)
	if err != nil {
		return Shop{}, err
	}
	if err := furnish(s, shop.Store); err != nil {
		return Shop{}, fmt.Errorf("furnishing the demo store: %w", err)
	}
	return shop, nil
}

// furnish gives the store a catalog, customers and sales. Nothing of it depends on
// anything but the clock and the seed of the world.
func furnish(s *refserver.Server, st world.Store) error {
	c := newCaller(s, st)
	categories := c.categories()
	products := c.products(categories, c.warehouse())
	c.kit(products)
	customers := c.customers()
	c.coupons(categories["kitchen"])
	c.orders(products, customers)
	c.shipments()
	c.unfinished(products, customers)
	c.content(products, customers)
	c.blog()
	return c.err
}

func demoStore() world.Store {
	return world.Store{
		ID:                  DemoStore,
		Name:                map[string]string{"en": "Demo Store", "es": "Tienda Demo", "pt": "Loja Demo"},
		Description:         map[string]string{"en": "A store to try things on"},
		Type:                "clothing",
		Email:               "owner@demo-store.example",
		Logo:                "//cdn.demo-store.example/logo.png",
		ContactEmail:        "hello@demo-store.example",
		Address:             "1 Example Street",
		Phone:               "+15550100",
		PlanName:            "standard",
		Blog:                "https://blog.demo-store.example",
		WhatsappPhoneNumber: "+15550100",
		BusinessID:          "30-12345678-9",
		BusinessName:        "Demo Store SA",
		BusinessAddress:     "1 Example Street",
		Country:             "AR",
		OriginalDomain:      "demo-store.example",
		Domains:             []string{"demo-store.example", "www.demo-store.example"},
		CurrentTheme:        "plain",
		MainLanguage:        "en",
		MainCurrency:        "ARS",
		AdminLanguage:       "en",
		Features:            []string{"inventory-levels", "fulfillment-orders"},
		Languages: []world.Language{
			{Code: "en", Currency: "ARS", Active: true},
			{Code: "es", Currency: "ARS", Active: true},
			{Code: "pt", Currency: "BRL", Active: false},
		},
	}
}

func demoApp(scopes world.Scopes) world.App {
	a := world.App{ID: DemoApp, Name: "Demo App", Scopes: scopes, Features: []string{"*"}, Scripts: scripts()}
	Settle(&a, "https://app.example")
	return a
}

// Settle gives an app the addresses of an https origin. Their paths are those of an app that uses package
// client/multistore, so that nobody has to set them for such an app.
func Settle(a *world.App, origin string) {
	a.RedirectURL = origin + "/oauth/callback"
	a.Settings = world.Settings{
		AppURL:                  origin,
		PreferencesURL:          origin + "/preferences",
		PrivacyPolicyURL:        origin + "/privacy",
		StoreRedactURL:          origin + "/hooks/store/redact",
		CustomersRedactURL:      origin + "/hooks/customers/redact",
		CustomersDataRequestURL: origin + "/hooks/customers/data_request",
		SupportURL:              origin + "/support",
		SupportEmail:            "support@app.example",
	}
}
