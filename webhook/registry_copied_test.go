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
		var own []error // of a handler that updates the copy, and then ends the delivery with an effect of its own
		webhook.On(h.events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
			own = append(own, followed{calls: &calls}.Changed(ctx, d.Payload.ID), webhook.CommitTx(ctx, new(sql.Tx)))
			return errors.Join(own...)
		})
		webhook.On(h.events, webhook.StoreRedactRequested,
			func(context.Context, webhook.Delivery[webhook.StoreRedact]) error { return nil })
		if got, want := h.events.Names(), []webhook.Name{
			"order/paid", "product/created", "product/deleted", "product/updated"}; !slices.Equal(got, want) {
			t.Errorf("Names: %v, want %v", got, want)
		}
		for i, event := range []webhook.Name{"product/created", "product/updated", "product/deleted", "order/paid"} {
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
		want := []string{"changed 1", "changed 2", "changed 4", "deleted 3"}
		if !slices.Equal(calls, want) || len(in) != len(want) {
			t.Errorf("got %v in %d transactions, want %v, each in one", calls, len(in), want)
		}
		if len(own) != 2 || errors.Join(own...) != nil {
			t.Errorf("a handler of the app: %v, want one run without an error", own)
		}
	})
	if err := webhook.CommitStep(t.Context(), nil, client.CopyStep[client.Product]{}); err != nil {
		t.Errorf("CommitStep outside of a handler: %v, want nil", err)
	}
}

// ChangedIn lists the ids of what changed, whatever the record.
func TestChangedIn(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	p, err := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}})
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("down")
	var failure error
	source := webhook.ChangedIn(webhook.ProductUpdated.Name,
		func(context.Context, client.ID) (client.List[client.Product], error) {
			return v202503.Products(c).List(client.ProductFilter{}), failure
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

// Customers are copied as products are: a sweep finds a change whose delivery was lost, although customer/updated is a
// fact by the contract, and changes that arrive meanwhile are one run.
func TestOnCopiedCustomers(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	made, err := v202503.Customers(c).Create(t.Context(), client.CustomerInput{Name: "Ana", Email: "ana@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	var calls []string
	of := func(context.Context, client.ID) (client.Copier, error) { return followed{calls: &calls}, nil }
	webhook.OnCopied(h.events, of, webhook.CustomerCreated, webhook.CustomerUpdated, webhook.CustomerDeleted)
	sweep := newSweep(h, webhook.ChangedIn(webhook.CustomerUpdated.Name,
		func(context.Context, client.ID) (client.List[client.Customer], error) {
			return v202503.Customers(c).List(client.CustomerFilter{}), nil
		}))
	if err := sweep.Check(); err != nil {
		t.Fatal(err)
	}
	sweep.Reach = -1
	if err := sweep.Store(t.Context(), srv.StoreID()); err != nil {
		t.Fatal(err)
	}
	for n := range 3 { // each delivery has another time, so the contract distinguishes them
		at := time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC).Format(time.RFC3339)
		h.deliver(string(webhooktest.Body(srv.StoreID(), "customer/updated",
			map[string]any{"id": made.ID, "event_launch_ts": at})))
	}
	leases, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 10, Term: time.Minute})
	if err != nil || len(leases) != 1 || leases[0].Count != 4 {
		t.Fatalf("got %v (%d arrivals), %v; want one entry for four arrivals", leases, leases[0].Count, err)
	}
	if err := h.events.Handle(t.Context(), leases[0].Entry); err != nil {
		t.Fatal(err)
	}
	if want := []string{"changed " + made.ID.String()}; !slices.Equal(calls, want) {
		t.Errorf("got %v, want %v", calls, want)
	}
}

// The app's own policy of a copied event holds, whether it is set before or afterwards.
func TestOnCopiedKeepsPolicies(t *testing.T) {
	var r webhook.Registry
	of := func(context.Context, client.ID) (client.Copier, error) { return nil, errors.New("no copy") }
	fact := webhook.Policy{Kind: webhook.KindFact, Window: time.Hour}
	r.Policy(webhook.CustomerCreated.Name, fact)
	webhook.OnCopied(&r, of, webhook.CustomerCreated, webhook.CustomerUpdated, webhook.CustomerDeleted)
	r.Policy(webhook.CustomerUpdated.Name, fact)
	for _, name := range []webhook.Name{"customer/created", "customer/updated", "customer/deleted"} {
		members := map[string]any{"id": 1, "event_launch_ts": "2026-01-01T00:00:00Z"}
		if got := r.Entry("", "", webhooktest.Body(1, name, members)); got.Kind != webhook.KindFact {
			t.Errorf("%s is a %s, want a fact", name, got.Kind)
		}
	}
}
