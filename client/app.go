package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// App is an app that acts for itself and not on a store. It manages its billing plans. Like a Client, it has a rate
// limiter and a circuit breaker, and is immutable and safe for concurrent use. The packages v202503 and unstable have
// its services.
type App engine.Core

// AppConfig describes an App. All its fields are required.
type AppConfig struct {
	// ID is the client_id of the app.
	ID ID
	// Secret is the client secret of the app. Requests send it in place of an access token. It is never printed.
	Secret Secret
	// Config has the other settings, as for a Client. BaseURL and UserAgent are required. StoreID and Token must be
	// zero.
	Config Config
}

// Format prints the address and the app, whatever the verb.
func (c AppConfig) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "client.AppConfig{ID: %d, BaseURL: %q}", c.ID, c.Config.BaseURL)
}

// NewApp returns an App, or an error that names the invalid field of the configuration, its value and the rule. It does
// no I/O.
func NewApp(c AppConfig) (*App, error) {
	switch {
	case c.ID <= 0:
		return nil, fmt.Errorf("client: AppConfig.ID %d: must be the id of an app", c.ID)
	case c.Secret == "":
		return nil, errors.New("client: AppConfig.Secret is empty: must be the client secret of the app")
	case c.Config.StoreID != 0:
		return nil, fmt.Errorf("client: AppConfig.Config.StoreID %d: must be 0, because an App acts on no store", c.Config.StoreID)
	case c.Config.Token != nil:
		return nil, errors.New("client: AppConfig.Config.Token must be nil, because Secret takes its place")
	}
	c.Config.StoreID, c.Config.Token = c.ID, StaticToken(c.Secret)
	base, err := c.Config.check()
	if err != nil {
		return nil, err
	}
	config := c.Config.engine(base)
	config.Store, config.App = 0, int64(c.ID)
	return (*App)(engine.New(config)), nil
}

func (a *App) core() *engine.Core { return (*engine.Core)(a) }

// Format prints the address and the app, whatever the verb.
func (a *App) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "client.App{BaseURL: %q, ID: %d}", codecOf(a.core()).config.BaseURL, a.core().Config().App)
}

// Do sends a request to an endpoint without a method and decodes the response into out, as Client.Do does. The path of
// the request begins after the version: "/apps/{app_id}/…".
func (a *App) Do(ctx context.Context, r Request, out any) error {
	return a.core().Do(ctx, r.engine(), out)
}
