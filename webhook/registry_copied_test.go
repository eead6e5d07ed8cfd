package webhook_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// followed is a copy that notes what it follows, each time in a transaction.
type followed struct {
	client.Copier
	calls *[]string
}

func (f followed) note(ctx context.Context, call string) error {
	*f.calls = append(*f.calls, call)
	return webhook.CommitStep(ctx, new(sql.Tx), client.CopyStep[client.Product]{})
}

func (f followed) Changed(ctx context.Context, id client.ID) error {
	return f.note(ctx, "changed "+id.String())
}

func (f followed) Deleted(ctx context.Context, id client.ID) error {
	return f.note(ctx, "deleted "+id.String())
}

// Deletions are deleted, all else is read, and CommitStep ends each delivery in the transaction of its step.
func TestOnCopied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		var in []*sql.Tx
		var calls []string
		h.worker.Inbox = standard{transactional{h.inbox}, &in}
		h.worker.Concurrency = 1
		h.worker.Probe = func(context.Context, client.ID) (webhook.Installation, error) {
			return webhook.Installation{}, nil
		}
		broken := errors.New("no client")
		failures := 1
		of := func(_ context.Context, store client.ID) (client.Copier, error) {
			if failures--; failures >= 0 {
				return nil, broken
			}
			return followed{calls: &calls}, nil
		}
		webhook.OnCopied(h.events, of, webhook.ProductCreated, webhook.ProductUpdated, webhook.ProductDeleted)
		webhook.On(h.events, webhook.StoreRedactRequested,
			func(context.Context, webhook.Delivery[webhook.StoreRedact]) error { return nil })
		if got, want := h.events.Names(), []webhook.Name{
			"product/created", "product/deleted", "product/updated"}; !slices.Equal(got, want) {
			t.Errorf("Names: %v, want %v", got, want)
		}
		for i, event := range []webhook.Name{"product/created", "product/updated", "product/deleted"} {
			h.deliver(string(webhooktest.Body(1, event, map[string]any{"id": i + 1})))
		}
		stop := h.run()
		synctest.Wait()
		for h.stats().Pending > 0 {
			time.Sleep(time.Second)
			synctest.Wait()
		}
		stop()
		slices.Sort(calls)
		if want := []string{"changed 1", "changed 2", "deleted 3"}; !slices.Equal(calls, want) || len(in) != 3 {
			t.Errorf("got %v in %d transactions, want %v in 3", calls, len(in), want)
		}
	})
	if err := webhook.CommitStep(t.Context(), nil, client.CopyStep[client.Product]{}); err != nil {
		t.Errorf("CommitStep outside of a handler: %v, want nil", err)
	}
}

// ChangedIn lists the ids of what changed, whatever the record.
func TestChangedIn(t *testing.T) {
	srv := clienttest.New(t)
	api := v202503.New(srv.Client())
	p, err := api.Products.Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}})
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("down")
	var failure error
	source := webhook.ChangedIn(webhook.ProductUpdated.Name,
		func(context.Context, client.ID) (client.List[client.Product], error) {
			return api.Products.List(client.ProductFilter{}), failure
		})
	changes, err := source.Since(t.Context(), srv.StoreID(), srv.Clock().Now().AddDate(0, 0, -1))
	if err != nil || source.Event != webhook.ProductUpdated.Name {
		t.Fatal(source.Event, err)
	}
	var ids []string
	for id, err := range changes.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if want := []string{p.ID.String()}; !slices.Equal(ids, want) || changes.Mark().IsZero() {
		t.Errorf("got %v and mark %v, want %v and a mark", ids, changes.Mark(), want)
	}
	failure = down
	if _, err := source.Since(t.Context(), srv.StoreID(), srv.Clock().Now()); !errors.Is(err, down) {
		t.Errorf("got %v, want the error of the list", err)
	}
}
