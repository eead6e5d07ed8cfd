package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/client/multistore/multistoretest"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// README: minimal app
// serveApp is the program: it reads flags and secrets, and serves until ctx ends.
func serveApp(ctx context.Context, args []string, getenv func(string) string) (err error) {
	var c multistore.Config
	c.OAuth.Name, c.API.UserAgent = "Mirror", "Mirror (dev@app.example)"
	f := flag.NewFlagSet("mirror", flag.ContinueOnError)
	c.AddFlags(f) // base-url, auth-url, app-id, public-url, callback-url
	file := f.String("database", "app.db", "SQLite file")
	if err := errors.Join(f.Parse(args), c.ReadSecrets(getenv)); err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, *file, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	c.Inbox = db
	app, mux, err := connectApp(ctx, c)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:3000")
	if err != nil {
		return err
	}
	return app.Serve(ctx, l, mux)
}

// connectApp connects the parts of an app that copies the products of each store and shows their number.
func connectApp(ctx context.Context, c multistore.Config) (*multistore.App, *http.ServeMux, error) {
	app, db, mux := multistore.New(c), c.Inbox.DB(), http.NewServeMux()
	multistore.Follow(app, &sqlcopy.Table[client.Product]{
		DB: db, Name: "product",
		List: client.ByStore(app.Stores, func(c *client.Client) client.List[client.Product] {
			return v202503.Products(c).List(client.ProductFilter{})
		}),
		Put: func(ctx context.Context, tx *sql.Tx, store client.ID, p *client.Product) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO product (store_id, id, name) VALUES ($1, $2, $3)
				ON CONFLICT (store_id, id) DO UPDATE SET name = excluded.name`, store, p.ID, p.Name.Get("en"))
			return err
		},
	}, webhook.ProductUpdated, webhook.ProductCreated, webhook.ProductDeleted)
	webhook.OnStore(app.Events, webhook.StoreRedactRequested, func(ctx context.Context, store client.ID) error {
		_, err := db.ExecContext(ctx, "DELETE FROM product WHERE store_id = $1", store)
		return errors.Join(app.Redact(ctx, store), err)
	})
	nobody := func(context.Context, client.ID) error { return nil } // no data of customers is stored
	webhook.OnStore(app.Events, webhook.CustomerRedactRequested, nobody)
	webhook.OnStore(app.Events, webhook.CustomerDataRequested, nobody)
	app.Prepare = func(ctx context.Context, store client.ID) error {
		c, err := app.Stores.Client(ctx, store)
		if err == nil {
			_, err = v202503.Webhooks(c).Ensure(ctx, app.CallbackURL+multistore.HooksPath, app.Events.Names()...)
		}
		return err
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		in, err := app.Sessions.Of(r)
		if err != nil {
			app.Install.Begin(w, r, "/") // which returns to this page
			return
		}
		var n int
		err = db.QueryRowContext(r.Context(), "SELECT count(*) FROM product WHERE store_id = $1", in.StoreID).Scan(&n)
		if err != nil {
			http.Error(w, "try again later", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, "store %d: %d products", in.StoreID, n)
	})
	_, err := db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS product (store_id BIGINT, id BIGINT, name TEXT, PRIMARY KEY (store_id, id))")
	return app, mux, errors.Join(err, app.Tables(sqlcopy.Tables).Migrate(ctx))
}

// end

// README: test of an app
func TestProductsAreCopied(t *testing.T) {
	platform := clienttest.New(t, clienttest.Options{AutoApprove: true})
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "app.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // after the app has ended
	config := multistoretest.Config(platform)
	config.Inbox = db
	app, mux, err := connectApp(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	p := multistoretest.Serve(t, platform, app, mux)
	p.Install()
	mug := client.ProductInput{Name: client.Text{"en": "Mug"}}
	if _, err := v202503.Products(platform.Client()).Create(t.Context(), mug); err != nil {
		t.Fatal(err)
	}
	p.Until(func(context.Context) error { // the webhook was delivered, and the product is copied
		if page := p.Visit("/"); !strings.HasSuffix(page, " 1 products") {
			return fmt.Errorf("the page shows %q", page)
		}
		return nil
	})
}

// end

// The program refuses a start without its secret, and names it.
func TestMinimalAppNamesWhatItMisses(t *testing.T) {
	err := serveApp(t.Context(), []string{"-app-id", "1"}, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), multistore.SecretVariable) {
		t.Errorf("got %v, want an error that names %s", err, multistore.SecretVariable)
	}
}
