package webhook_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// TestSweepOfAServer: what changed in a store that sends no webhooks is handled, once for all its changes.
func TestSweepOfAServer(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	var made []client.ID
	for _, name := range []string{"Mug", "Plate", "Vase"} {
		p, err := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": name}})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, p.ID)
	}
	h := newHouse(t)
	var mu sync.Mutex
	var handled []client.ID
	webhook.On(h.events, webhook.ProductUpdated, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		mu.Lock()
		defer mu.Unlock()
		handled = append(handled, d.Payload.ID)
		return nil
	})
	sweep := newSweep(h, webhook.Changed(webhook.ProductUpdated.Name,
		func(_ context.Context, store client.ID, mark time.Time) (*client.Sync[client.Product], error) {
			return v202503.Products(c).List(client.ProductFilter{Paging: client.Paging{Fields: []string{"id",
				"updated_at"}}}).UpdatedSince(mark), nil
		},
		func(p *client.Product) string { return p.ID.String() }))
	sweep.Reach = -1
	sweep.Stores = func(context.Context) ([]client.ID, error) { return []client.ID{srv.StoreID()}, nil }
	swept := func(want ...client.ID) {
		t.Helper()
		if err := sweep.Store(t.Context(), srv.StoreID()); err != nil {
			t.Fatal(err)
		}
		stats := h.stats()
		for range stats.Pending {
			leases, err := h.inbox.Lease(t.Context(), webhook.LeaseQuery{Limit: 1, Term: time.Minute})
			if err != nil || len(leases) != 1 {
				t.Fatalf("got %v, %v; want a lease", leases, err)
			}
			if err := h.events.Handle(t.Context(), leases[0].Entry); err != nil {
				t.Fatal(err)
			}
			if _, err := h.inbox.Commit(t.Context(), leases[0]); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(handled)
		if !slices.Equal(handled, want) {
			t.Errorf("got %v handled, want %v", handled, want)
		}
		handled = nil
	}
	srv.Clock().Advance(time.Hour)
	swept(made...)
	changes, err := sweep.Sources[0].Since(t.Context(), srv.StoreID(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for id, err := range changes.All(t.Context()) {
		if id != made[0].String() || err != nil {
			t.Errorf("got %s, %v, want %s first", id, err, made[0])
		}
		break // as when the inbox is full
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for id, err := range changes.All(ctx) {
		if id != "" || !errors.Is(err, context.Canceled) {
			t.Errorf("got %q, %v of a list that cannot be read, want its error", id, err)
		}
	}
	srv.Clock().Advance(time.Hour)
	if _, err := v202503.Products(c).Update(t.Context(), made[1], client.ProductInput{
		Name: client.Text{"en": "Cup"}}); err != nil {
		t.Fatal(err)
	}
	swept(made[1])
}

// TestSweepWithoutAccess: why a list cannot be asked for is what the sweep is told.
func TestSweepWithoutAccess(t *testing.T) {
	denied := errors.New("no token")
	source := webhook.Changed(webhook.ProductUpdated.Name,
		func(context.Context, client.ID, time.Time) (*client.Sync[client.Product], error) { return nil, denied },
		func(p *client.Product) string { return p.ID.String() })
	if _, err := source.Since(t.Context(), 123, time.Time{}); !errors.Is(err, denied) {
		t.Errorf("got %v, want %v", err, denied)
	}
}
