package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Neighbour is a store next to a quiet one.
type Neighbour struct {
	Name string
	// Backlog is how many of its entries are pending when the quiet store sends its first.
	Backlog int
	// Run handles one of its entries. Idle is closed when the quiet store has had all its runs.
	Run func(ctx context.Context, idle <-chan struct{}) error
}

// Neighbours are a flooding, a failing, a slow and a hanging store with so many entries each.
func Neighbours(backlog int) []Neighbour {
	after := func(d time.Duration) func(context.Context, <-chan struct{}) error {
		return func(_ context.Context, idle <-chan struct{}) error {
			select {
			case <-time.After(d):
			case <-idle:
			}
			return nil
		}
	}
	return []Neighbour{
		{"flooding", backlog, after(time.Millisecond)},
		{"failing", backlog, func(context.Context, <-chan struct{}) error { return errors.New("its system is down") }},
		{"slow", backlog, after(50 * time.Millisecond)},
		{"hanging", backlog, after(time.Hour)},
	}
}

// Beside has a store send so many entries, one every few milliseconds, next to n. It fails unless each is run although the
// backlog of n is not worked off, and logs how long they waited for their runs.
func Beside(t *testing.T, in webhook.Inbox, n Neighbour, quiet int) {
	t.Helper()
	const noisy, calm client.ID = 1, 2
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	entry := func(store client.ID, id int) webhook.Entry {
		return webhook.Entry{
			Key: fmt.Sprintf(":%d:order/updated:%d", store, id), Lane: fmt.Sprintf(":%d:order:%d", store, id), Kind: webhook.KindSignal,
			Event: "order/updated", StoreID: store, Body: fmt.Appendf(nil, `{"store_id":%d,"event":"order/updated","id":%d}`, store, id),
		}
	}
	const group = 500
	for from := 0; from < n.Backlog; from += group {
		var entries []webhook.Entry
		for id := from; id < min(from+group, n.Backlog); id++ {
			entries = append(entries, entry(noisy, id+1))
		}
		if _, err := in.Accept(ctx, entries...); err != nil {
			t.Fatal(err)
		}
	}

	idle, began := make(chan struct{}), make(chan time.Time, 1)
	var runs atomic.Int64
	var events webhook.Registry
	webhook.On(&events, webhook.OrderUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		if d.StoreID == calm {
			began <- time.Now()
			return nil
		}
		runs.Add(1)
		return n.Run(ctx, idle)
	})
	ignore := func(context.Context, *webhook.Failure) {}
	worker := &webhook.Worker{Inbox: in, Registry: &events, OnFailure: ignore, Timeout: time.Hour}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- worker.Run(ctx) }()
	for runs.Load() < min(int64(n.Backlog), webhook.DefaultConcurrency/2) && ctx.Err() == nil { // it has taken its places
		<-time.After(time.Millisecond)
	}
	var waits []time.Duration
	for id := range quiet {
		accepted := time.Now()
		if _, err := in.Accept(ctx, entry(calm, id+1)); err != nil {
			t.Fatal(err)
		}
		select {
		case at := <-began:
			waits = append(waits, at.Sub(accepted))
		case <-ctx.Done():
			t.Fatalf("entry %d of the quiet store has no run", id)
		}
		<-time.After(2 * time.Millisecond)
	}
	left := int64(n.Backlog) - runs.Load()
	close(idle)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	slices.Sort(waits)
	t.Logf("next to a %s store with %d entries: %d entries of a quiet store waited %v (p50), %v (p99), %v at most; %d runs of the other store are left",
		n.Name, n.Backlog, quiet, waits[quiet/2], waits[quiet*99/100], waits[quiet-1], max(left, 0))
	if n.Name != "failing" && left <= 0 {
		t.Errorf("next to a %s store: the quiet one waited for all of its backlog", n.Name)
	}
}
