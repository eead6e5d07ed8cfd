package control

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// showStore is a store with its installations, whose tokens are not shown.
func (c *call) showStore(st world.Store) any {
	installs := []any{}
	for _, in := range c.server.World().Installs(st.ID) {
		installs = append(installs, map[string]any{
			"app": in.App, "scopes": in.Scopes, "at": stamp(in.At), "access_token": masked,
		})
	}
	return map[string]any{
		"id": st.ID, "name": st.MainText(st.Name), "domain": st.OriginalDomain, "country": st.Country,
		"currency": st.MainCurrency,
		"language": st.MainLanguage, "features": st.Features, "suspended": st.Suspended, "installs": installs,
	}
}

// storeNow is the store of the path as it is after a change.
func (c *call) storeNow() (any, error) {
	return c.showStore(c.st), nil
}

func stores(c *call) (any, error) {
	return page(c, c.server.World().Stores(), func(s world.Store) int64 { return s.ID }, c.showStore)
}

type storeJSON struct {
	ID       int64    `json:"id"`
	App      int64    `json:"app"`
	Features []string `json:"features"`
}

func addStore(c *call, in storeJSON) (any, error) {
	if in.ID < 0 {
		return nil, wrong("id", in.ID, "must be 1 or more, or 0 to choose an id")
	}
	if _, taken := c.server.World().Store(in.ID); taken {
		return nil, wrong("id", in.ID, "must not be the id of another store")
	}
	var app world.App
	if in.App != 0 {
		var err error
		if app, err = c.app(in.App); err != nil {
			return nil, err
		}
	}
	for _, name := range in.Features {
		if !slices.Contains(world.StoreFeatures(), name) {
			return nil, misspelt("feature", name, world.StoreFeatures())
		}
	}
	st, err := seed.Store(c.server, in.ID)
	if err != nil {
		return nil, err
	}
	if err := c.server.AddFeatures(st.ID, in.Features...); err != nil {
		return nil, err
	}
	st, _ = c.server.World().Store(st.ID)
	out := map[string]any{"id": st.ID, "store": c.showStore(st), "access_token": nil}
	if in.App != 0 {
		made, err := c.server.Install(app.ID, st.ID, app.Scopes)
		if err != nil {
			return nil, err
		}
		out["store"], out["access_token"] = c.showStore(st), made.Token
	}
	return out, nil
}

type installJSON struct {
	App    int64    `json:"app"`
	Scopes []string `json:"scopes"`
}

func install(c *call, in installJSON) (any, error) { return c.install(in, false) }

func reinstall(c *call, in installJSON) (any, error) { return c.install(in, true) }

// install installs an app that is not installed, or that is and is to be again.
func (c *call) install(in installJSON, again bool) (any, error) {
	app, err := c.app(in.App)
	if err != nil {
		return nil, err
	}
	before, installed := c.server.World().Installed(app.ID, c.st.ID)
	switch {
	case installed && !again:
		return nil, conflict(fmt.Sprintf("app %d is already installed in store %d", app.ID, c.st.ID),
			"\"refserver install --again\" or POST …/reinstall gives it a new token")
	case !installed && again:
		return nil, c.notInstalled(app)
	}
	scopes := world.AllScopes()
	if again {
		scopes = before.Scopes
	}
	if len(in.Scopes) > 0 {
		if scopes, err = scopesOf(in.Scopes); err != nil {
			return nil, err
		}
	}
	made, err := c.server.Install(app.ID, c.st.ID, scopes)
	if err != nil {
		return nil, err
	}
	return map[string]any{"app": app.ID, "store": c.st.ID, "scopes": made.Scopes, "access_token": made.Token}, nil
}

// notInstalled is the error of an act that requires an installation.
func (c *call) notInstalled(app world.App) *Error {
	return conflict(fmt.Sprintf("app %d is not installed in store %d", app.ID, c.st.ID),
		`"refserver install" or POST …/install installs it`)
}

func conflict(why, hint string) *Error {
	return &Error{Status: http.StatusConflict, Message: why, Hint: hint}
}

// scopesOf are scopes that exist.
func scopesOf(names []string) (world.Scopes, error) {
	all := world.AllScopes()
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, misspelt("scope", name, all)
		}
	}
	return world.ParseScopes(strings.Join(names, ",")), nil
}

type appJSON struct {
	App   int64  `json:"app"`
	State string `json:"state"`
}

func uninstall(c *call, in appJSON) (any, error) {
	app, err := c.app(in.App)
	if err != nil {
		return nil, err
	}
	if _, installed := c.server.World().Installed(app.ID, c.st.ID); !installed {
		return nil, c.notInstalled(app)
	}
	if err := c.server.Uninstall(app.ID, c.st.ID); err != nil {
		return nil, err
	}
	return c.storeNow()
}

func suspend(c *call) (any, error) { return c.suspended(c.server.Suspend) }

func resume(c *call) (any, error) { return c.suspended(c.server.Resume) }

func (c *call) suspended(f func(store int64) error) (any, error) {
	if err := f(c.st.ID); err != nil {
		return nil, err
	}
	return c.storeNow()
}

func browserInstall(c *call, in appJSON) (any, error) {
	app, err := c.app(in.App)
	if err != nil {
		return nil, err
	}
	if app.RedirectURL == "" {
		return nil, conflict(fmt.Sprintf("app %d has no redirect URL", app.ID), "\"refserver do apps.redirect\" or PUT "+Prefix+"apps/{app}/redirect sets it")
	}
	q := url.Values{"store_id": {strconv.FormatInt(c.st.ID, 10)}}
	if in.State != "" {
		q.Set("state", in.State)
	}
	to := fmt.Sprintf("%s%s/apps/%d/authorize?%s", c.baseURL(), refserver.AuthPath, app.ID, q.Encode())
	return map[string]any{"url": to, "redirect_url": app.RedirectURL}, nil
}
