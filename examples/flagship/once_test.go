package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

var errKilled = errors.New("killed")

// These inboxes are of a process that is killed between the transaction of a handler and the end of its delivery.
type (
	killedOnSQLite   struct{ *sqlite.Inbox }
	killedOnPostgres struct{ *postgres.Inbox }
)

func (killedOnSQLite) Commit(context.Context, webhook.Lease) (bool, error)   { return false, errKilled }
func (killedOnPostgres) Commit(context.Context, webhook.Lease) (bool, error) { return false, errKilled }

// killedAfterItsTransaction proves that there is no moment between the two.
func killedAfterItsTransaction(t *testing.T, database string) {
	w := newWorld(t, database)
	store := w.platform.StoreID()
	token, err := w.platform.Install()
	w.must(err)
	_, err = w.app.Tokens.Swap(t.Context(), store, 0, &oauth.Install{StoreID: store, Token: token, Generation: 1})
	w.must(err)
	p, err := v202503.Products(w.client).Create(t.Context(), client.ProductInput{Name: client.Text{"es": "Taza"}})
	w.must(err)
	sender := webhooktest.Sender{Handler: w.app.Hooks, Secret: w.app.OAuth.Secret}
	body := webhooktest.Body(store, webhook.ProductCreated.Name, map[string]any{"id": p.ID})
	status, err := sender.Deliver(t.Context(), body)
	if err != nil || status != 200 {
		t.Fatal(status, err)
	}
	worker := w.app.Worker
	switch inbox := w.inbox.(type) {
	case *sqlite.Inbox:
		worker.Inbox = killedOnSQLite{inbox}
	case *postgres.Inbox:
		worker.Inbox = killedOnPostgres{inbox}
	}
	ctx, stop := context.WithCancel(t.Context())
	worked := make(chan error, 1)
	go func() { worked <- worker.Run(ctx) }()
	w.until(func(ctx context.Context) error {
		stats, err := w.inbox.Stats(ctx)
		if err == nil && stats.Pending > 0 {
			err = fmt.Errorf("%d deliveries are pending", stats.Pending)
		}
		return err
	})
	stop()
	w.must(<-worked)
	w.once(webhook.ProductCreated.Name)
	w.must(w.equal(t.Context()))
}
