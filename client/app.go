package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// App is an app that acts for itself and in no store: it manages its billing plans. Like a
// Client it owns a rate limit and a breaker, and is immutable and safe for concurrent use.
// Its services are reached through the packages v202503 and unstable.
type App engine.Core

// AppConfig describes an App. All its fields are required.
type AppConfig struct {
	// ID is the app, its client_id.
	ID ID
	// Secret is the client secret. Requests carry it as a store's carry their token, so
	// that it goes where it must and prints nowhere.
	Secret Secret
	// Config says the rest, as for a Client: BaseURL and UserAgent are required, StoreID
	// and Token stay zero.
	Config Config
}

// Format prints the address and the app, whatever the verb.
func (c AppConfig) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "client.AppConfig{ID: %d, BaseURL: %q}", c.ID, c.Config.BaseURL)
}

// NewApp returns an App, or an error that names the field of the configuration, its value
// and the rule it breaks. It does no I/O.
func NewApp(c AppConfig) (*App, error) {
	switch {
	case c.ID <= 0:
		return nil, fmt.Errorf("client: AppConfig.ID %d: want the id of an app", c.ID)
	case c.Secret == "":
		return nil, errors.New("client: AppConfig.Secret is empty: want the client secret of the app")
	case c.Config.StoreID != 0:
		return nil, fmt.Errorf("client: AppConfig.Config.StoreID %d: want none: an App acts in no store", c.Config.StoreID)
	case c.Config.Token != nil:
		return nil, errors.New("client: AppConfig.Config.Token: want none: the Secret takes its place")
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

// Do performs a request that has no method of its own and decodes the answer into out, as
// Client.Do does. The path of the request begins below the version: "/apps/{app_id}/…".
func (a *App) Do(ctx context.Context, r Request, out any) error {
	return a.core().Do(ctx, r.engine(), out)
}
