package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// receive is the app. It accepts deliveries and processes them until ctx ends.
func receive(ctx context.Context, o options, stdout io.Writer) (err error) {
	db, err := openDatabase(ctx, o.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	c, err := client.New(client.Config{
		BaseURL: o.baseURL, StoreID: client.ID(o.storeID), UserAgent: "receiver (developers@app.example)",
		Token: client.StaticToken(o.token),
	})
	if err != nil {
		return err
	}
	secrets, reread, err := readSecrets(o)
	if err != nil {
		return err
	}
	events, inbox := handlers(c, db), db.inbox
	logger := slog.New(slog.NewTextHandler(stdout, nil))
	// README: inbox
	hooks := &webhook.Handler{SecretSet: secrets, Registry: events, Inbox: inbox}
	worker := &webhook.Worker{Inbox: inbox, Registry: events}
	// end
	hooks.Logger, worker.Logger = logger, logger
	defer onHangup(func() {
		n, err := reread()
		if err != nil {
			logger.Error("the secrets were not changed", "error", err)
			return
		}
		logger.Info("the secrets were read again", "secrets", n)
	})()
	worker.Concurrency = 8
	worker.Lease = 3 * time.Second // how long the entries of a killed process wait
	if err := errors.Join(hooks.Check(), worker.Check()); err != nil {
		return err
	}
	stopPage, err := operate(ctx, o.ops, db, stdout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopPage()) }()
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	ready, mux := &webhook.Ready{Wait: o.wait}, http.NewServeMux()
	ready.Checks = []webhook.ReadyCheck{webhook.InboxAnswers(inbox), webhook.Backlog(inbox, 5*time.Minute)} // it serves only webhooks
	mux.Handle("/readyz", ready)
	mux.Handle("/livez", new(webhook.Live))
	mux.Handle("/", hooks)
	fmt.Fprintf(stdout, "%shttp://%s\n", listening, listener.Addr())
	// README: inbox
	return ready.Serve(ctx, listener, webhook.Server(o.listen, mux), worker.Run) // which drains when ctx ends
	// end
}

// listening begins the line with the address for webhooks.
const listening = "webhooks arrive at "

// names are the events that the app handles.
var names = []webhook.Event[webhook.Entity]{
	webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted,
	webhook.CategoryCreated, webhook.CategoryUpdated, webhook.CategoryDeleted,
}

// handlers mirror the present state of the record that a delivery names.
func handlers(c *client.Client, db *database) *webhook.Registry {
	var events webhook.Registry
	for _, e := range names {
		webhook.On(&events, e, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
			r, err := read(ctx, c, e.Name, d.Payload.ID)
			if err != nil {
				return err
			}
			return db.apply(ctx, e.Name, r)
		})
	}
	return &events
}

// read returns a record of the store. A deleted record has the state gone.
func read(ctx context.Context, c *client.Client, event webhook.Name, id client.ID) (record, error) {
	r := record{resource: "category", id: int64(id)}
	var err error
	switch event {
	case webhook.ProductCreated.Name, webhook.ProductUpdated.Name, webhook.ProductDeleted.Name:
		r.resource = "product"
		var p *client.Product
		if p, err = v202503.Products(c).Get(ctx, id); err == nil {
			r.state = productState(p)
		}
	default:
		var category *client.Category
		if category, err = v202503.Categories(c).Get(ctx, id); err == nil {
			r.state = categoryState(category)
		}
	}
	if errors.Is(err, client.ErrNotFound) {
		r.state, err = gone, nil
	}
	return r, err
}

// gone is the state of a record that was deleted.
const gone = "gone"

// A state is the stored text of a record.

func productState(p *client.Product) string {
	return fmt.Sprintf("%s, %d variants, %s", p.Name["en"], len(p.Variants), p.UpdatedAt.UTC().Format(time.RFC3339Nano))
}

func categoryState(c *client.Category) string {
	return fmt.Sprintf("%s, %s", c.Name["en"], c.UpdatedAt.UTC().Format(time.RFC3339Nano))
}
