package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// A delivery is kept before it is answered, and handled by a worker. In production the
// inbox is one of webhook/sqlite or webhook/postgres.
func ExampleWorker() {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	handled := make(chan string)
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		lease, _ := webhook.LeaseOf(ctx)
		handled <- fmt.Sprintf("order %d of store %d, told %d times, attempt %d", d.Payload.ID, d.StoreID, lease.Count,
			lease.Attempt)
		return nil
	})
	hooks := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events, Inbox: inbox}
	worker := &webhook.Worker{Inbox: inbox, Registry: &events}

	ctx, stop := context.WithCancel(context.Background())
	sender := webhooktest.Sender{Handler: hooks, Secret: "5f2b1c9a7d3e4f60"}
	for range 3 {
		fmt.Println(sender.Deliver(ctx, webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 5})))
	}
	done := make(chan error)
	go func() { done <- worker.Run(ctx) }()
	fmt.Println(<-handled)
	stop()
	fmt.Println(<-done)
	// Output:
	// 200 <nil>
	// 200 <nil>
	// 200 <nil>
	// order 5 of store 123, told 3 times, attempt 1
	// <nil>
}

// An app that was installed again is not torn down by a late app/uninstalled.
func ExampleWorker_probe() {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var events webhook.Registry
	webhook.On(&events, webhook.AppUninstalled, func(ctx context.Context, d webhook.Delivery[webhook.App]) error {
		fmt.Println("delete what is kept of store", d.StoreID, "from installation", webhook.Epoch(ctx))
		return nil
	})
	stale := make(chan error)
	worker := &webhook.Worker{
		Inbox: inbox, Registry: &events,
		Probe: func(ctx context.Context, store client.ID) (webhook.Installation, error) {
			var answer error // of v202503.Store(c).Get(ctx) with the token that is kept for the store
			access, err := webhook.AccessOf(answer)
			return webhook.Installation{Access: access, Epoch: "2"}, err
		},
		OnFailure: func(_ context.Context, f *webhook.Failure) { stale <- f },
	}
	ctx, stop := context.WithCancel(context.Background())
	hooks := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events, Inbox: inbox}
	sender := webhooktest.Sender{Handler: hooks, Secret: "5f2b1c9a7d3e4f60"}
	fmt.Println(sender.Deliver(ctx, webhooktest.Body(123, webhook.AppUninstalled.Name, map[string]any{"id": 7})))
	done := make(chan error)
	go func() { done <- worker.Run(ctx) }()
	fmt.Println(errors.Is(<-stale, webhook.ErrStale))
	stop()
	fmt.Println(<-done)
	// Output:
	// 200 <nil>
	// true
	// <nil>
}

// channel is a queue in the process: fast, and lost with it.
type channel chan webhook.Entry

// Deliver implements webhook.Sink.
func (c channel) Deliver(ctx context.Context, e webhook.Entry) error {
	select {
	case c <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err() // the queue is full: the platform keeps the delivery
	}
}

// A queue of one's own takes the place of the inbox.
func ExampleSink() {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		fmt.Println("order", d.Payload.ID)
		return nil
	})
	queue := make(channel, 100)
	hooks := &webhook.Handler{Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}, Registry: &events, Sink: queue}

	ctx := context.Background()
	sender := webhooktest.Sender{Handler: hooks, Secret: "5f2b1c9a7d3e4f60"}
	fmt.Println(sender.Deliver(ctx, webhooktest.Body(123, webhook.OrderPaid.Name, map[string]any{"id": 5})))
	entry := <-queue // by whoever works
	fmt.Println(entry.Lane, events.Handle(ctx, entry))
	// Output:
	// 200 <nil>
	// order 5
	// :123:order:5 <nil>
}

// updated is a list of orders that changed, as client.Sync gives it.
type updated []string

func (u updated) All(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, id := range u {
			if !yield(id, nil) {
				return
			}
		}
	}
}

func (updated) Mark() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// A sweep puts what changed into the inbox, as if it had been delivered.
func ExampleSweep() {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	sweep := &webhook.Sweep{
		Inbox: inbox, Marks: inbox,
		Stores: func(context.Context) ([]client.ID, error) { return []client.ID{123}, nil },
		Sources: []webhook.Source{{
			Event: webhook.OrderUpdated.Name,
			Since: func(context.Context, client.ID, time.Time) (webhook.Changes, error) {
				return updated{"5", "6"}, nil
			},
		}},
	}
	ctx := context.Background()
	fmt.Println(sweep.Store(ctx, 123))
	stats, err := inbox.Stats(ctx)
	fmt.Println(stats.Pending, err)
	// Output:
	// <nil>
	// 2 <nil>
}
