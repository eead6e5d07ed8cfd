package multistore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Tables returns the tables of Tokens, of claims (see App.Prepare) and of other packages that the app uses:
//
//	err := app.Tables(sqlcopy.Tables, sqlrates.Tables).Migrate(ctx)
func (a *App) Tables(more ...appdb.Part) appdb.Tables {
	parts := append([]appdb.Part{sqlstore.Tables, tables.PartOf(set)}, more...)
	return appdb.Tables{DB: a.Tokens.DB, Prefix: a.Tokens.Prefix, Parts: parts}
}

// Migrate creates Tables, and calls the functions in more, such as sqlcopy.Table.Migrate or functions for tables of the
// app. It joins their errors. Several processes may call it at the same time.
func (a *App) Migrate(ctx context.Context, more ...func(ctx context.Context) error) error {
	all := []error{a.Tables().Migrate(ctx)}
	for _, migrate := range more {
		all = append(all, migrate(ctx))
	}
	return errors.Join(all...)
}

// Check returns an error that describes invalid configuration of the parts, nil if there is none. Serve calls it.
func (a *App) Check(ctx context.Context) error {
	if a.Tokens == nil || a.Hooks.Inbox == nil {
		return fmt.Errorf("client/multistore: Config.Tokens and Config.Inbox: must be set: %w", client.ErrValidation)
	}
	if a.Install.PublicURL == "" {
		return fmt.Errorf("client/multistore: Config.PublicURL: must be set to an https address: %w", client.ErrValidation)
	}
	if !address.IsHTTPS(a.CallbackURL) {
		return fmt.Errorf("client/multistore: Config.CallbackURL %q: must be an https address, because the platform calls no other; "+
			"with the reference server, set it to https://app.example and start \"refserver serve --partner\": %w",
			address.Host(a.CallbackURL), client.ErrValidation)
	}
	all := []error{a.Tokens.Check(ctx), a.tables().Check(ctx), a.Install.Check(), a.Sessions.Check(), a.Hooks.Check(), a.Worker.Check()}
	if len(a.Sweep.Sources) > 0 {
		all = append(all, a.Sweep.Check())
	}
	for _, q := range a.queues {
		all = append(all, q.Check(ctx))
	}
	if a.OperatorAddr != "" {
		all = append(all, a.Operator.Check())
	}
	return errors.Join(all...)
}

// Serve mounts the paths of the app on mux, serves on l and runs the parts until ctx ends. Then it shuts down in the
// order of webhook.Ready.Serve, and closes Promotions. The caller may use all other paths of mux. Work lists functions
// of the caller that run until the shutdown. Serve returns the errors, nil after a graceful shutdown. It always closes
// l.
//
// Serve may be called once.
func (a *App) Serve(
	ctx context.Context, l net.Listener, mux *http.ServeMux, work ...func(ctx context.Context) error,
) (err error) {
	if a.Promotions != nil {
		if a.Promotions.Judge == nil {
			a.Promotions.Judge = a.Judge
		}
		defer func() { err = errors.Join(err, a.Promotions.Close()) }()
	}
	if err := errors.Join(a.Check(ctx), a.mount(mux)); err != nil {
		return errors.Join(err, l.Close())
	}
	work = append(work, a.Worker.Run, a.Install.KeepRetired)
	if len(a.Sweep.Sources) > 0 {
		work = append(work, a.Sweep.Run)
	}
	if len(a.Copies.Of) > 0 {
		work = append(work, a.Copies.Run)
	}
	for _, q := range a.queues {
		work = append(work, q.Run)
	}
	if a.OperatorAddr != "" {
		work = append(work, func(ctx context.Context) error { return a.Operator.ListenAndServe(ctx, a.OperatorAddr) })
	}
	return a.Ready.Serve(ctx, l, webhook.Server(l.Addr().String(), mux), work...)
}

func (a *App) mount(mux *http.ServeMux) error {
	mux.Handle("GET "+LivePath, a.Live)
	mux.Handle("GET "+ReadyPath, a.Ready)
	mux.Handle("GET "+CallbackPath, a.Install)
	return a.Hooks.Mount(mux, HooksPath)
}
