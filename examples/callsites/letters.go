package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// operated is an inbox that operators can look into. Those of webhook/sqlite and webhook/postgres are.
type operated interface {
	webhook.Browser
	webhook.DeadLetters
}

// replay makes the dead letters of an event pending again, and returns their number.
func replay(ctx context.Context, inbox operated, event webhook.Name) (int, error) {
	// README: replay
	dead := webhook.EntryFilter{State: webhook.EntryDead, Event: client.Set(event)}
	page, err := inbox.Browse(ctx, webhook.BrowseQuery{Filter: dead, Limit: 100})
	if err != nil {
		return 0, err
	}
	n, err := inbox.ReplayListed(ctx, page.Entries...) // pending again with 0 attempts, unless they changed since
	// end
	return n, err
}

// purge deletes the dead letters of a store, and returns their number.
func purge(ctx context.Context, inbox operated, store client.ID) (int, error) {
	// README: purge store
	n, err := inbox.PurgeStore(ctx, store, nil) // or those for which a function returns true
	// end
	return n, err
}

// buries delivers events that fail, and looks after their dead letters.
func buries(ctx context.Context, platform *clienttest.Server, out io.Writer) error {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var events webhook.Registry
	dead, fixed := make(chan struct{}, 2), false
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		defer func() { dead <- struct{}{} }()
		if fixed {
			return nil
		}
		return fmt.Errorf("order %d: %w", d.Payload.ID, webhook.ErrPermanent)
	})
	secret := platform.App().Secret
	hooks := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, Inbox: inbox}
	work := func(runs int) error {
		ctx, end := context.WithCancel(ctx)
		defer end()
		worker := &webhook.Worker{Inbox: inbox, Registry: &events, OnFailure: func(context.Context, *webhook.Failure) {}}
		done := make(chan error, 1)
		go func() { done <- worker.Run(ctx) }()
		for range runs {
			<-dead
		}
		end()
		return <-done
	}
	sender := webhooktest.Sender{Handler: hooks, Secret: secret}
	for _, order := range []int{7, 8} {
		body := webhooktest.Body(platform.StoreID(), webhook.OrderPaid.Name, map[string]any{"id": order})
		if _, err := sender.Deliver(ctx, body); err != nil {
			return err
		}
	}
	if err := work(2); err != nil {
		return err
	}
	fixed = true
	replayed, failed := replay(ctx, inbox, webhook.OrderPaid.Name)
	if err := errors.Join(failed, work(replayed)); err != nil {
		return err
	}
	purged, err := purge(ctx, inbox, platform.StoreID())
	fmt.Fprintf(out, "dead letters: %d replayed, %d purged\n", replayed, purged)
	return err
}
