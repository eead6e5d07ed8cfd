package world

import (
	"net/url"
	"slices"
)

// App is a partner's application.
type App struct {
	ID     int64
	Name   string
	Secret string
	// RedirectURL is where a merchant returns to with the code.
	RedirectURL string
	// Scopes are what the app asks a merchant for.
	Scopes   Scopes
	Settings Settings
	// Payments is where a payment app is called.
	Payments PaymentURLs
	// Features are abilities the platform switched on for the app, for example
	// discounts, shipping or payments; "*" is all of them.
	Features []string
	// Scripts are those registered for the app in the partner portal.
	Scripts []Script
}

// Settings are the addresses an app leaves with the platform.
type Settings struct {
	AppURL                  string
	PreferencesURL          string
	PrivacyPolicyURL        string
	StoreRedactURL          string
	CustomersRedactURL      string
	CustomersDataRequestURL string
	SupportURL              string
	SupportEmail            string
}

// PaymentURLs are the addresses of a payment app that the platform calls. An empty one
// is not called. That of refunds is in each transaction.
type PaymentURLs struct {
	// Process takes a payment, Cancel cancels one, and Status returns those of an order.
	Process string
	Cancel  string
	Status  string
}

// MayRedirect reports whether installations can end at an address. On this machine it may be one of http.
func MayRedirect(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

// Enabled reports whether the platform switched the feature on for the app.
func (a App) Enabled(feature string) bool {
	return slices.Contains(a.Features, feature) || slices.Contains(a.Features, "*")
}

// AddApp keeps the app, giving it an id and a secret if it has none, and returns
// it as kept. An app with the same id is replaced.
func (w *World) AddApp(a App) (App, error) {
	if a.Secret == "" {
		secret, err := w.NewSecret()
		if err != nil {
			return App{}, err
		}
		a.Secret = secret
	}
	now := w.clock.Now()
	err := w.change(func(s *state) ([]Event, error) {
		if a.ID == 0 {
			a.ID = s.free(s.apps.Has)
		}
		a.Scripts = s.register(a.Scripts, now)
		return nil, s.apps.Put(a.ID, a)
	})
	return a, err
}

// Apps returns every app by ascending id.
func (w *World) Apps() []App {
	s := w.read()
	return s.apps.Values()
}

// App returns the app with the id.
func (w *World) App(id int64) (App, bool) {
	s := w.read()
	return s.apps.Get(id)
}
