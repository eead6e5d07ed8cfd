package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/shipping/sqlrates"
	"github.com/commerceplatform/commerce-go/webhook"
)

// app is one process of the app.
type app struct {
	*multistore.App
	options
	db   *sql.DB
	tags *sqljobs.Queue
}

// newApp returns the app that uses a database.
func newApp(o options, db multistore.Database) *app {
	// README: multistore
	o.Inbox = db
	m := multistore.New(o.Config)
	a := &app{App: m, options: o, db: db.DB()}
	multistore.Follow(m, a.products(), webhook.ProductUpdated, webhook.ProductCreated, webhook.ProductDeleted)
	multistore.Follow(m, a.orders(), webhook.OrderUpdated, webhook.OrderCreated, webhook.OrderPaid, webhook.OrderCancelled)
	webhook.OnStore(m.Events, webhook.StoreRedactRequested, a.redactStore)
	webhook.On(m.Events, webhook.CustomerRedactRequested, a.redactCustomer)
	webhook.On(m.Events, webhook.CustomerDataRequested, a.noteDataRequest)
	a.tags = m.Jobs(a.renaming())
	// end
	a.Prepare, a.Ready.Wait, a.Worker.Lease, a.Copies.Every = a.prepare, o.wait, o.lease, o.every
	return a
}

// prepare registers the app's webhooks, promotions and carriers in a store, and keeps existing registrations.
func (a *app) prepare(ctx context.Context, store client.ID) error {
	c, err := a.Stores.Client(ctx, store)
	if err != nil {
		return err
	}
	_, hooks := v202503.Webhooks(c).Ensure(ctx, a.CallbackURL+multistore.HooksPath, a.Events.Names()...)
	_, _, promotion := v202503.Promotions(c).CreateOrGet(ctx, promotion)
	_, carrier := v202503.Carriers(c).Ensure(ctx, carrier(a.CallbackURL+"/rates/"+string(a.ratesToken())), bicycle, point)
	return errors.Join(a.noteShop(ctx, c, store), hooks, promotion, v202503.Discounts(c).Set(ctx, a.CallbackURL+"/carts"), carrier)
}

// migrate creates the tables of the packages and of the app, at each start and in several processes at the same time.
func (a *app) migrate(ctx context.Context) error {
	// README: database
	return errors.Join(a.Tables(sqlcopy.Tables, sqljobs.Tables, sqlrates.Tables).Migrate(ctx), a.createTables(ctx))
	// end
}

// serve runs the app until ctx ends.
func serve(ctx context.Context, o options, stdout io.Writer) (err error) {
	db, err := openDatabase(ctx, o.database)
	if err != nil {
		return err
	}
	a := newApp(o, db)
	carts, rates, mux := a.offers(), a.courier(), http.NewServeMux()
	stop, noTelemetry := observe(ctx, append(a.Parts(), carts, rates)...)
	defer func() { err = errors.Join(err, stop(), db.Close()) }()
	mux.Handle("POST /carts", carts)
	mux.Handle("POST /rates/", rates)
	mux.Handle("/", a.pages())
	if err := errors.Join(noTelemetry, a.migrate(ctx), carts.Check(), rates.Check()); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "listening at http://%s\n", listener.Addr())
	return a.Serve(ctx, listener, mux)
}
