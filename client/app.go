package client

import (
	"context"
	"errors"
	"fmt"
)

// App is an app that acts for itself and in no store: it manages its billing plans. Like a
// Client it owns a rate limit and a breaker, and is immutable and safe for concurrent use.
// Its services are reached through the packages v202503 and unstable.
type App struct {
	client *Client
	id     ID
}

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
	inner, err := New(c.Config)
	if err != nil {
		return nil, err
	}
	inner.config.StoreID = 0 // addresses then have no store
	return &App{inner, c.ID}, nil
}

// Format prints the address and the app, whatever the verb.
func (a *App) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "client.App{BaseURL: %q, ID: %d}", a.client.config.BaseURL, a.id)
}

// Do performs a request that has no method of its own and decodes the answer into out, as
// Client.Do does. The path of the request begins below the version: "/apps/{app_id}/…".
func (a *App) Do(ctx context.Context, r Request, out any) error { return a.client.Do(ctx, r, out) }

// At returns the app's view at a version. It is cheap; views share everything.
func (a *App) At(v Version) AppView { return AppView{a.client.At(v), a.id} }

// AppView is an App at one version of the API. Services of apps are made from it.
type AppView struct {
	view View
	app  ID
}
