package main

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// fact is the content of a webhook.
type fact struct {
	event webhook.Name
	about string // the record's id, and the status if the payload has one
}

func (f fact) String() string { return string(f.event) + " " + f.about }

// entityFact is the content of a webhook that names a record.
func entityFact(event webhook.Name, id client.ID) fact { return fact{event, id.String()} }

// statusFact is the content of the webhook of a fulfillment order.
func statusFact(id, status string) fact {
	return fact{webhook.FulfillmentOrderStatusUpdated.Name, id + " " + status}
}

// inbox receives webhooks and checks that the expected ones arrive.
type inbox struct {
	handler *webhook.Handler // nil without an app secret

	mu       sync.Mutex
	expected map[fact]bool
	seen     map[fact]int
	store    client.ID                        // the served store; 0 until it is known
	latest   webhook.Delivery[webhook.Entity] // without Raw if none arrived
	failures []string
	news     chan struct{} // closed with the next webhook
	gate     *gate
}

func newInbox() *inbox {
	return &inbox{expected: map[fact]bool{}, seen: map[fact]int{}, news: make(chan struct{})}
}

// entityEvents are the events of the app that name a record. Events of orders are included only if there is one.
func (o options) entityEvents() []webhook.Event[webhook.Entity] {
	all := []webhook.Event[webhook.Entity]{
		webhook.ProductCreated, webhook.ProductUpdated, webhook.CategoryCreated, webhook.CategoryUpdated,
	}
	if o.order {
		all = append(all, webhook.OrderCreated, webhook.OrderUpdated, webhook.OrderPaid, webhook.OrderPacked, webhook.OrderFulfilled)
	}
	return all
}

// events are the names of all events of the app.
func (o options) events() []webhook.Name {
	var names []webhook.Name
	for _, e := range o.entityEvents() {
		names = append(names, e.Name)
	}
	if o.order {
		names = append(names, webhook.FulfillmentOrderStatusUpdated.Name)
	}
	return names
}

func (b *inbox) newHandler(s *session) *webhook.Handler {
	var registry webhook.Registry
	for _, e := range s.o.entityEvents() {
		webhook.On(&registry, e, b.receive)
	}
	if s.o.order {
		webhook.On(&registry, webhook.FulfillmentOrderStatusUpdated, b.receiveStatus)
	}
	return &webhook.Handler{
		Secrets:    []client.Secret{s.o.appSecret},
		Registry:   &registry,
		HeaderName: s.o.signatureHeader,
		KnownStore: func(_ context.Context, store client.ID) (bool, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			return store == b.store, nil
		},
		OnJoined: func(_ context.Context, event webhook.Name, _ client.ID) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.gate != nil && b.gate.fact.event == event {
				offer(b.gate.joined, struct{}{})
			}
		},
		OnFailure: func(_ context.Context, f *webhook.Failure) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.failures = append(b.failures, f.Error())
		},
	}
}

// receive counts a webhook. It may run twice for the same one, like every handler.
func (b *inbox) receive(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
	is := entityFact(d.Event, d.Payload.ID)
	b.mu.Lock()
	b.count(is)
	b.latest = d
	gate := b.gate
	b.mu.Unlock()
	if gate == nil || gate.fact != is {
		return nil
	}
	return gate.pass(ctx)
}

// receiveStatus counts a webhook of a fulfillment order.
func (b *inbox) receiveStatus(_ context.Context, d webhook.Delivery[webhook.FulfillmentOrderStatus]) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(statusFact(d.Payload.FulfillmentID.String(), d.Payload.Status))
	return nil
}

// count counts a webhook and wakes a waiting caller. The lock is held.
func (b *inbox) count(is fact) {
	b.seen[is]++
	close(b.news)
	b.news = make(chan struct{})
}

// serve sets the store whose webhooks are accepted.
func (b *inbox) serve(store client.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.store = store
}

// expect adds an expected webhook about a record.
func (b *inbox) expect(e webhook.Event[webhook.Entity], id client.ID) { b.want(entityFact(e.Name, id)) }

// want adds an expected webhook.
func (b *inbox) want(f fact) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected[f] = true
}

// await waits until all expected webhooks have arrived, and returns the missing ones.
func (b *inbox) await(ctx context.Context, wait time.Duration) []string {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		b.mu.Lock()
		missing, news := b.missing(), b.news
		b.mu.Unlock()
		if len(missing) == 0 {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return missing
		}
	}
}

// missing lists the expected webhooks that have not arrived. The lock is held.
func (b *inbox) missing() []string {
	var out []string
	for f := range b.expected {
		if b.seen[f] == 0 {
			out = append(out, f.String())
		}
	}
	slices.Sort(out)
	return out
}

// total is the number of runs of handlers.
func (b *inbox) total() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for runs := range maps.Values(b.seen) {
		n += runs
	}
	return n
}

// of returns the number of different facts of an event, and the number of expected ones.
func (b *inbox) of(e webhook.Name) (seen, expected int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for f := range b.seen {
		if f.event == e {
			seen++
		}
	}
	for f := range b.expected {
		if f.event == e {
			expected++
		}
	}
	return seen, expected
}

// last returns the latest webhook, and the failures so far.
func (b *inbox) last() (webhook.Delivery[webhook.Entity], []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.latest, slices.Clone(b.failures)
}

// setGate holds the webhooks that the gate is for; nil holds none.
func (b *inbox) setGate(g *gate) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gate = g
}

// gate holds the handler of one webhook in its run until it is opened.
type gate struct {
	fact    fact
	entered chan struct{} // the handler runs
	joined  chan struct{} // another delivery waits for the next run
	opened  chan struct{}
	ended   chan struct{} // a run of the handler was cancelled

	mu   sync.Mutex
	runs int
}

func newGate(f fact) *gate {
	const most = 3 // deliveries pass it
	return &gate{fact: f, entered: make(chan struct{}, most), joined: make(chan struct{}, most), opened: make(chan struct{}), ended: make(chan struct{}, most)}
}

func (g *gate) pass(ctx context.Context) error {
	g.mu.Lock()
	g.runs++
	g.mu.Unlock()
	offer(g.entered, struct{}{})
	select {
	case <-g.opened:
		return nil
	case <-ctx.Done():
		offer(g.ended, struct{}{})
		return ctx.Err()
	}
}

// passed returns the number of runs.
func (g *gate) passed() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.runs
}

// await waits for a signal of the gate, but not longer than the handler does.
func (g *gate) await(ctx context.Context, signal <-chan struct{}) {
	select {
	case <-signal:
	case <-g.ended:
	case <-ctx.Done():
	}
}
