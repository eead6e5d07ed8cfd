package clienttest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// A server that restarts in the midst of creates and webhooks loses answers, those of its clients and those of the app.
// It does not lose records, as if it had a database.
func TestProofRestarts(t *testing.T) {
	restarts, clients := tier.Size(3, 20, 100), 16
	srv := clienttest.New(t)
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	c := srv.Client()
	mug, err := v202503.Products(c).Create(t.Context(), client.ProductInput{
		Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(1250))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	app := newApp(t, srv)
	shop, hooks := newRelay(t, strings.TrimPrefix(srv.URL(), "http://")), newRelay(t, app.address)
	if err := srv.Forward("https://app.example", "http://"+hooks.address); err != nil {
		t.Fatal(err)
	}
	register(t, c, "https://app.example/hooks", "order/created")

	rounds := make([]*round, restarts)
	for i := range rounds {
		rounds[i] = newRound(clients)
	}
	var all sync.WaitGroup
	buyers := newBuyers(t, srv, clients, "http://"+shop.address, mug.Variants[0].ID)
	for _, b := range buyers {
		all.Go(func() {
			for _, r := range rounds {
				b.live(t, r)
			}
		})
	}
	for _, r := range rounds {
		close(r.begun)
		r.steady.Wait()
		<-hooks.fall() // as long as there are creates: the next delivery is accepted and its answer lost
		<-shop.fall()
		<-time.After(20 * time.Millisecond) // in which the address refuses
		shop.rise(t)
		hooks.rise(t)
		r.upAt = time.Now()
		close(r.up)
		r.back.Wait()
		srv.Clock().Advance(5 * time.Minute) // for retries of deliveries
	}
	all.Wait()
	srv.Clock().Advance(48 * time.Hour)
	app.drain(t, srv)
	has := records(t, c, mug.ID)
	app.verify(t, srv, has)
	verifyCreates(t, buyers, has, restarts)
}

// round is a restart and what is around it.
type round struct {
	begun, up    chan struct{}
	upAt         time.Time
	steady, back sync.WaitGroup // clients that have created before the restart, and that are served again
}

func newRound(clients int) *round {
	r := &round{begun: make(chan struct{}), up: make(chan struct{})}
	r.steady.Add(clients)
	r.back.Add(clients)
	return r
}

// buyer is a client and what became of its creates.
type buyer struct {
	name    string
	client  *client.Client
	variant client.ID
	creates []create
	known   client.ID // a product whose create was answered
	waits   []time.Duration
}

// create is one of a product or an order.
type create struct {
	name string
	id   client.ID
	err  error
}

func newBuyers(t *testing.T, srv *clienttest.Server, n int, address string, variant client.ID) []*buyer {
	t.Helper()
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	buyers := make([]*buyer, n)
	for i := range buyers {
		c, err := client.New(client.Config{
			BaseURL: address, StoreID: srv.StoreID(), Token: client.StaticToken(token), UserAgent: "Tests (tests@app.example)",
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.CloseIdleConnections)
		buyers[i] = &buyer{name: fmt.Sprint("client ", i), client: c, variant: variant}
	}
	return buyers
}

// live creates until the server has restarted, and asks it for something then.
func (b *buyer) live(t *testing.T, r *round) {
	<-r.begun
	for range 2 { // one of each
		if err := b.create(t.Context()); err != nil {
			t.Errorf("%s, before a restart: %v", b.name, err)
		}
	}
	r.steady.Done()
	for up := false; !up; {
		_ = b.create(t.Context()) // is compared with the server in the end
		select {
		case <-r.up:
			up = true
		default:
		}
	}
	if p, err := v202503.Products(b.client).Get(t.Context(), b.known); err != nil || p.ID != b.known {
		t.Errorf("%s, after a restart: %v, want product %v", b.name, err, b.known)
	}
	b.waits = append(b.waits, time.Since(r.upAt))
	r.back.Done()
}

// create makes a product or an order, in turn.
func (b *buyer) create(ctx context.Context) error {
	c := create{name: fmt.Sprintf("%s, create %d", b.name, len(b.creates))}
	if len(b.creates)%2 == 0 {
		var p *client.Product
		if p, c.err = v202503.Products(b.client).Create(ctx, client.ProductInput{Name: client.Text{"en": c.name}}); c.err == nil {
			c.id, b.known = p.ID, p.ID
		}
	} else {
		mail := strings.NewReplacer(" ", "", ",", ".").Replace(c.name) // a customer for each: to show one takes as long as it has orders
		var o *client.Order
		if o, c.err = v202503.Orders(b.client).Create(ctx, client.OrderInput{
			Note: c.name, Customer: client.OrderCustomerInput{Name: c.name, Email: mail + "@mail.example"},
			Products: []client.OrderProductInput{{VariantID: b.variant, Quantity: 1}},
		}); c.err == nil {
			c.id = o.ID
		}
	}
	b.creates = append(b.creates, c)
	return c.err
}

// record is what the server has.
type record struct {
	id    client.ID
	order bool // else a product
}

// records are those of creates, by the name that these gave.
func records(t *testing.T, c *client.Client, but client.ID) map[string][]record {
	t.Helper()
	all := make(map[string][]record)
	for p, err := range v202503.Products(c).List(client.ProductFilter{}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if p.ID != but {
			all[p.Name["en"]] = append(all[p.Name["en"]], record{p.ID, false})
		}
	}
	for o, err := range v202503.Orders(c).List(client.OrderFilter{}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all[o.Note] = append(all[o.Note], record{o.ID, true})
	}
	return all
}

// verifyCreates compares what clients were told with what the server has, and takes that out of has.
func verifyCreates(t *testing.T, buyers []*buyer, has map[string][]record, restarts int) {
	t.Helper()
	answered, applied, unapplied, unsent := 0, 0, 0, 0
	var waits []time.Duration
	for _, b := range buyers {
		waits = append(waits, b.waits...)
		for _, c := range b.creates {
			made := has[c.name]
			delete(has, c.name)
			switch {
			case len(made) > 1:
				t.Errorf("%s: made %d times: %v; the client was told %v", c.name, len(made), made, c.err)
			case c.err == nil:
				answered++
				if len(made) == 0 || made[0].id != c.id {
					t.Errorf("%s: the client was told of %v, the server has %v", c.name, c.id, made)
				}
			case !errors.Is(c.err, client.ErrOutcomeUnknown):
				unsent++
				if len(made) > 0 {
					t.Errorf("%s: the client was told that nothing came of it: %v; the server has %v", c.name, c.err, made)
				}
			case len(made) == 1:
				applied++
			default:
				unapplied++
			}
		}
	}
	for name, made := range has {
		t.Errorf("%q, which nobody created: %v", name, made)
	}
	slices.Sort(waits)
	t.Logf("%d creates answered; of unknown outcome: %d applied, %d not; %d not sent", answered, applied, unapplied, unsent)
	t.Logf("from the restart to the end of the next call: median %v, worst %v", waits[len(waits)/2].Round(time.Millisecond), waits[len(waits)-1].Round(time.Millisecond))
	if applied < restarts {
		t.Errorf("the answers of %d creates were lost, want one or more in each of %d restarts", applied, restarts)
	}
}

// app is told of orders.
type app struct {
	address string
	hooks   *webhook.Handler
	inbox   *inboxmem.Inbox

	mu             sync.Mutex
	acked, handled map[client.ID]int
}

// newApp returns an app whose worker runs until the test ends.
func newApp(t *testing.T, srv *clienttest.Server) *app {
	t.Helper()
	a := &app{acked: make(map[client.ID]int), handled: make(map[client.ID]int)}
	var events webhook.Registry
	webhook.On(&events, webhook.OrderCreated, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		a.note(a.handled, d.Payload.ID)
		return nil
	})
	var err error
	if a.inbox, err = inboxmem.New(inboxmem.Options{AllowLossy: true}); err != nil {
		t.Fatal(err)
	}
	a.hooks = &webhook.Handler{Secrets: []client.Secret{srv.App().Secret}, Registry: &events, Inbox: a.inbox, OnFailure: func(context.Context, *webhook.Failure) {}}
	worker := &webhook.Worker{Inbox: a.inbox, Registry: &events}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx) }()
	server := httptest.NewServer(a)
	a.address = server.Listener.Addr().String()
	t.Cleanup(func() {
		server.Close()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return a
}

func (a *app) note(in map[client.ID]int, order client.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	in[order]++
}

// ServeHTTP notes what is acknowledged.
func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer := httptest.NewRecorder()
	a.hooks.ServeHTTP(answer, r)
	var told struct {
		ID client.ID `json:"id"`
	}
	if answer.Code == http.StatusOK && json.Unmarshal(body, &told) == nil {
		a.note(a.acked, told.ID)
	}
	w.WriteHeader(answer.Code)
}

// drain waits until nothing is on its way to the app, or waits in it.
func (a *app) drain(t *testing.T, srv *clienttest.Server) {
	t.Helper()
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for {
		s, err := a.inbox.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Pending == 0 {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
}

// verify compares what the app handled with what it acknowledged, and with what the server has.
func (a *app) verify(t *testing.T, srv *clienttest.Server, has map[string][]record) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	again := 0
	for order, times := range a.acked {
		again += times - 1
		if a.handled[order] != 1 {
			t.Errorf("the delivery about order %v was acknowledged and handled %d times, want 1", order, a.handled[order])
		}
	}
	for name, made := range has {
		for _, r := range made {
			if r.order && a.acked[r.id] == 0 {
				t.Errorf("%s: no delivery about order %v was acknowledged", name, r.id)
			}
		}
	}
	attempts := 0
	deliveries := srv.Deliveries()
	for _, d := range deliveries {
		attempts += len(d.Attempts)
		if !d.Delivered {
			t.Errorf("delivery %d was not delivered in %d attempts", d.ID, len(d.Attempts))
		}
	}
	t.Logf("%d deliveries in %d attempts; %d acknowledged again", len(deliveries), attempts, again)
	if again == 0 {
		t.Error("no acknowledgement was lost")
	}
}
