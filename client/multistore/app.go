package multistore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// Paths that an App serves.
const (
	CallbackPath = "/oauth/callback" // the redirect URL of the app must end with this path
	HooksPath    = "/hooks"          // webhooks; privacy requests use paths below it, see webhook.Handler.Mount
	LivePath     = "/livez"          // liveness probe
	ReadyPath    = "/readyz"         // readiness probe
)

// Database is an inbox in the database of an app, such as a *sqlite.Inbox or a *postgres.Inbox.
type Database interface {
	webhook.Inbox
	// DB returns the database. The app has its own tables in the same database.
	DB() *sql.DB
	// Close closes the inbox. The app calls it after Serve has returned.
	Close() error
}

// Config configures an App.
type Config struct {
	// OAuth describes the app as it is registered with the platform. Its secret also signs webhooks, and the session
	// key is derived from it. If its UserAgent is empty, the UserAgent of API is used.
	OAuth oauth.App
	// API configures the clients of all stores. BaseURL and UserAgent are required. StoreID and Token are set for each
	// store.
	API client.Config
	// Tokens stores installations. It is required. If its DB is nil, New sets it to the DB of Inbox. If its App is 0,
	// New sets it to OAuth.ID.
	Tokens *sqlstore.Store
	// Inbox stores deliveries. It is required.
	Inbox Database
	// PublicURL is the address at which browsers reach the app. It is required. See oauth.Handler.PublicURL.
	PublicURL string
	// CallbackURL is the https address at which the platform calls the app, if it differs from PublicURL. Empty means
	// PublicURL. With the reference server it is https://app.example, which "refserver serve --partner" connects to the
	// app, whereas PublicURL is an http address for the browser on the same machine.
	CallbackURL string
	// OperatorAddr is the listen address of the operator page, such as "127.0.0.1:8081"; see inboxops.Handler. If it is
	// empty, the page is not served.
	OperatorAddr string
}

// App is one process of an app for many stores. New sets its fields. They may be changed before Serve, but not after.
// An App must not be copied.
type App struct {
	Tokens   *sqlstore.Store   // the installations
	Stores   *client.Stores    // the clients of the installed stores
	Sessions *oauth.Sessions   // the sessions of signed-in merchants
	Install  *oauth.Handler    // ReturnTo is "/"
	Events   *webhook.Registry // app/uninstalled is handled; On, OnStore and Follow add others
	Hooks    *webhook.Handler  // receives deliveries
	Worker   *webhook.Worker   // runs the handlers of Events
	Sweep    *webhook.Sweep    // reads the lists of Follow for changes without a webhook
	Copies   *client.Copies    // the copies added by Follow
	Judge    *client.Judge     // decides for Worker, Copies, Install and Promotions whether the app is installed in a store
	Live     *webhook.Live     // at LivePath
	Ready    *webhook.Ready    // at ReadyPath
	Operator *inboxops.Handler // the page of the inbox, at OperatorAddr

	// CallbackURL is the address at which the platform calls the app, without a path such as HooksPath.
	CallbackURL string
	// OperatorAddr is the address of Operator. If it is empty, the page is not served.
	OperatorAddr string
	// Prepare registers with the platform the resources that the app requires in a store. For example, it calls
	// WebhookService.Ensure with the address CallbackURL + HooksPath and Events.Names. It is called after each
	// installation, and for each store when a process starts, because an earlier process may have ended before it had
	// prepared a store. Therefore it must be idempotent. If nil, nothing is prepared.
	//
	// A claim in the database of Tokens ensures that only one process at a time prepares a store. If that process is
	// killed, another one prepares the store 20 seconds later. The context is canceled if the claim is lost. A call
	// waits for the claim no longer than OAuth.Timeout. Then it returns an error that names the process with the claim,
	// the installation is answered with oauth.ErrIncomplete, and Install.KeepRetired repeats the call.
	Prepare func(ctx context.Context, store client.ID) error
	// Promotions is the registry of a discounts.Handler. It is updated on installation and uninstallation, and Serve
	// closes it. Nil means that the app has no discounts.
	Promotions *discounts.PromotionCache

	forget []func(ctx context.Context, store client.ID) error
	queues []*sqljobs.Queue
	ready  tables.Ready
}

// New connects the parts of an app. Serve reports errors in the configuration.
func New(c Config) *App {
	if c.Tokens != nil && c.Tokens.DB == nil && c.Inbox != nil {
		c.Tokens.DB = c.Inbox.DB()
	}
	if c.Tokens != nil && c.Tokens.App == 0 {
		c.Tokens.App = c.OAuth.ID
	}
	c.OAuth.UserAgent = cmp.Or(c.OAuth.UserAgent, c.API.UserAgent)
	a := &App{
		Tokens: c.Tokens, Events: new(webhook.Registry), Live: new(webhook.Live), Ready: new(webhook.Ready),
		Stores:   &client.Stores{Config: c.API, Tokens: oauth.Sources(c.Tokens)},
		Sessions: &oauth.Sessions{Key: c.OAuth.Secret.Derive("sessions"), Tokens: c.Tokens, PublicURL: c.PublicURL},
		Judge:    new(client.Judge), Operator: &inboxops.Handler{Inbox: c.Inbox, Title: c.OAuth.Name}, CallbackURL: cmp.Or(c.CallbackURL, c.PublicURL),
		OperatorAddr: c.OperatorAddr,
	}
	// Created at the first call, so that it uses the hooks that were set before that call.
	alive := sync.OnceValue(func() func(context.Context, oauth.Install) (bool, error) {
		return oauth.AliveBy(a.Stores.Config)
	})
	a.Install = &oauth.Handler{
		App: c.OAuth, Tokens: c.Tokens, States: c.Tokens, PublicURL: c.PublicURL, ReturnTo: "/",
		OnInstalled: a.installed, SignIn: a.Sessions.SignIn,
		Verify: func(ctx context.Context, in oauth.Install) (bool, error) {
			return alive()(ctx, in)
		},
		Judge: a.Judge,
	}
	a.Hooks = &webhook.Handler{Secrets: []client.Secret{c.OAuth.Secret}, Registry: a.Events, Inbox: c.Inbox}
	a.Judge.Token = a.token
	a.Judge.Probe, a.Operator.Judge, a.Operator.Queues = a.Stores.Probe, a.Judge, map[string]inboxops.Queue{}
	a.Operator.Visits = map[string]func() map[client.ID]client.Visited{
		"copies": func() map[client.ID]client.Visited { return a.Copies.Visits() },
		"promotions": func() map[client.ID]client.Visited {
			if a.Promotions == nil {
				return nil
			}
			return a.Promotions.Visits()
		},
		"sweep": func() map[client.ID]client.Visited { return a.Sweep.Visits() },
	}
	a.Worker = &webhook.Worker{
		Inbox: c.Inbox, Registry: a.Events, Probe: a.probe, Judge: a.Judge,
	}
	a.Sweep = &webhook.Sweep{Inbox: c.Inbox, Registry: a.Events, Stores: c.Tokens.Installed}
	a.Copies = &client.Copies{Stores: c.Tokens.Stores, Prepare: a.prepare, OnGone: a.Uninstalled, Judge: a.Judge}
	webhook.OnStore(a.Events, webhook.AppUninstalled, a.Uninstalled)
	return a
}

// Parts returns the parts that otelcommerce.Telemetry.Instrument instruments. Call it before Serve:
//
//	stop, err := telemetry.Instrument(append(app.Parts(), carts, rates)...)
func (a *App) Parts() []any {
	return []any{&a.Stores.Config, a.Hooks, a.Worker, a.Sweep, a.Judge, a.Hooks.Inbox}
}

// token describes the stored token of a store to the Judge.
func (a *App) token(ctx context.Context, store client.ID) (number int64, isNew bool, err error) {
	in, err := a.Install.Tokens.Load(ctx, store)
	if errors.Is(err, oauth.ErrNotInstalled) {
		err = nil
	}
	return in.Generation, in.Due, err
}

// installed prepares a store that has just installed or reinstalled the app.
func (a *App) installed(ctx context.Context, in oauth.Install) error {
	if a.Promotions != nil {
		a.Promotions.Install(in.StoreID)
	}
	defer a.Copies.Wake()
	if err := a.prepare(ctx, in.StoreID); err != nil { // it is repeated, which must not begin all copies again
		return err
	}
	return a.Forget(ctx, in.StoreID)
}

func (a *App) prepare(ctx context.Context, store client.ID) error {
	if a.Prepare == nil {
		return nil
	}
	ctx, release, err := a.claim(ctx, store)
	if err != nil {
		return err
	}
	defer release()
	return a.Prepare(ctx, store)
}

// probe is the Probe of Worker. A retired token is not missing. The platform is asked about it again, because it can
// refuse a token for some time.
func (a *App) probe(ctx context.Context, store client.ID) (webhook.Installation, error) {
	ask := webhook.ProbeBy(a.Stores.Client)
	found, err := ask(ctx, store)
	if err != nil || found.Access != webhook.AccessGone {
		return found, err
	}
	retired, err := a.Install.ReviveStore(ctx, store)
	if err != nil || !retired {
		return found, err
	}
	if found, err = ask(ctx, store); err == nil && found.Access == webhook.AccessGone {
		found = webhook.Installation{Access: webhook.AccessGone}
	}
	return found, err
}

// Uninstalled retires the token of a store, unless the token is valid because the app has been installed again. It
// handles app/uninstalled. Serve runs Install.KeepRetired.
func (a *App) Uninstalled(ctx context.Context, store client.ID) error {
	err := a.Install.Uninstall(ctx, store)
	if a.Promotions != nil {
		a.Promotions.Uninstall(store)
	}
	return err
}

// Redact erases the retired token and the jobs of a store, and calls Forget. The handler of store/redact must call it
// before it deletes the records.
func (a *App) Redact(ctx context.Context, store client.ID) error {
	all := []error{a.Install.Erase(ctx, store), a.Forget(ctx, store)}
	for _, q := range a.queues {
		all = append(all, q.Forget(ctx, store))
	}
	return errors.Join(all...)
}

// Forget deletes the state of all copies of a store, so that the next run reads all records.
func (a *App) Forget(ctx context.Context, store client.ID) error {
	var all []error
	for _, forget := range a.forget {
		all = append(all, forget(ctx, store))
	}
	return errors.Join(all...)
}
