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
var names = []webhook.Event[webhook.Entity]{webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted}

// gone is the state of a product that was deleted.
const gone = "gone"

// state is the stored text of a product.
func state(p *client.Product) string {
	return fmt.Sprintf("%s, %s", p.Name["en"], p.UpdatedAt.UTC().Format(time.RFC3339Nano))
}

// handlers mirror the present state of the product that a delivery names.
func handlers(c *client.Client, db *database) *webhook.Registry {
	var events webhook.Registry
	for _, e := range names {
		webhook.On(&events, e, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
			p, err := v202503.Products(c).Get(ctx, d.Payload.ID)
			switch {
			case errors.Is(err, client.ErrNotFound):
				return db.apply(ctx, d.Payload.ID, gone)
			case err != nil:
				return err
			}
			return db.apply(ctx, p.ID, state(p))
		})
	}
	return &events
}
