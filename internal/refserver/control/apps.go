package control

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// addressesJSON are where privacy requests go.
type addressesJSON struct {
	StoreRedact          string `json:"store_redact"`
	CustomersRedact      string `json:"customers_redact"`
	CustomersDataRequest string `json:"customers_data_request"`
}

// paymentsJSON are where a payment app is called.
type paymentsJSON struct {
	Process string `json:"process"`
	Cancel  string `json:"cancel"`
	Status  string `json:"status"`
}

// showApp is an app without its secret.
func showApp(a world.App) any {
	s := a.Settings
	return map[string]any{
		"id": a.ID, "name": a.Name, "redirect_url": a.RedirectURL, "scopes": a.Scopes, "features": a.Features,
		"client_secret": masked,
		"addresses":     addressesJSON{s.StoreRedactURL, s.CustomersRedactURL, s.CustomersDataRequestURL},
		"payments":      paymentsJSON(a.Payments),
	}
}

func apps(c *call) (any, error) {
	return page(c, c.server.World().Apps(), func(a world.App) int64 { return a.ID }, showApp)
}

type newAppJSON struct {
	Name        string   `json:"name"`
	RedirectURL string   `json:"redirect_url"`
	Scopes      []string `json:"scopes"`
}

func addApp(c *call, in newAppJSON) (any, error) {
	if in.Name == "" {
		return nil, wrong("name", in.Name, "must not be empty")
	}
	if err := redirectURL(in.RedirectURL); err != nil {
		return nil, err
	}
	scopes := world.AllScopes()
	if len(in.Scopes) > 0 {
		var err error
		if scopes, err = scopesOf(in.Scopes); err != nil {
			return nil, err
		}
	}
	app, err := c.server.AddApp(world.App{
		Name: in.Name, RedirectURL: in.RedirectURL, Scopes: scopes, Features: []string{"*"},
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"id": app.ID, "name": app.Name, "redirect_url": app.RedirectURL, "scopes": app.Scopes, "secret": app.Secret,
	}, nil
}

// redirectURL reports why installations cannot end at an address.
func redirectURL(address string) error {
	if !world.MayRedirect(address) {
		return wrong("redirect_url", cut(address), "must be an absolute address, such as https://app.example/oauth/callback")
	}
	return nil
}

// change replaces the app of the path by what f makes of it.
func (c *call) change(f func(a *world.App)) (any, error) {
	id := c.id("app")
	if id == 0 {
		id = -1 // 0 would be the demo app
	}
	app, err := c.app(id)
	if err != nil {
		return nil, unknown("app", c.r.PathValue("app"), c.appIDs())
	}
	f(&app)
	if app, err = c.server.AddApp(app); err != nil {
		return nil, err
	}
	return showApp(app), nil
}

type redirectJSON struct {
	RedirectURL string `json:"redirect_url"`
}

func setRedirect(c *call, in redirectJSON) (any, error) {
	if err := redirectURL(in.RedirectURL); err != nil {
		return nil, err
	}
	return c.change(func(a *world.App) { a.RedirectURL = in.RedirectURL })
}

func setAddresses(c *call, in addressesJSON) (any, error) {
	err := c.addresses(map[string]string{
		"store_redact": in.StoreRedact, "customers_redact": in.CustomersRedact,
		"customers_data_request": in.CustomersDataRequest,
	})
	if err != nil {
		return nil, err
	}
	return c.change(func(a *world.App) {
		a.Settings.StoreRedactURL, a.Settings.CustomersRedactURL = in.StoreRedact, in.CustomersRedact
		a.Settings.CustomersDataRequestURL = in.CustomersDataRequest
	})
}

func setPaymentURLs(c *call, in paymentsJSON) (any, error) {
	if err := c.addresses(map[string]string{"process": in.Process, "cancel": in.Cancel, "status": in.Status}); err != nil {
		return nil, err
	}
	return c.change(func(a *world.App) { a.Payments = world.PaymentURLs(in) })
}

// addresses reports which address the platform would not call.
func (c *call) addresses(by map[string]string) error {
	for field, address := range by {
		if address == "" {
			continue
		}
		if err := c.server.CheckURL(address); err != nil {
			e := wrong(field, cut(address), "must be an https address of another machine")
			e.Message, e.Hint = field+": "+err.Error(), "\"refserver serve --partner\" or PUT "+Prefix+"partners delivers its requests to this machine"
			return e
		}
	}
	return nil
}
