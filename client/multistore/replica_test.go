package multistore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

const secret client.Secret = "0123456789abcdef0123456789abcdef"

// shop is what the replicas of an app share.
type shop struct {
	t        *testing.T
	stores   client.ID // their ids are 1 to stores
	platform *platform
	tokens   *oauth.MemoryStore
	inbox    *inboxmem.Inbox
	mirrors  map[client.ID]*mirror

	mu       sync.Mutex
	handled  map[client.ID]int // runs of order/paid that succeeded
	redacted []client.ID
	lost     []string // entries that were dropped or are dead
}

// replica is one process of the app. Its parts are those of multistore.New.
type replica struct {
	*multistore.App
	carts   *discounts.Handler
	hooks   webhooktest.Sender
	mu      sync.Mutex
	outages []client.AuthorizationOutage
}

func newShop(t *testing.T, stores client.ID) *shop {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{
		t: t, stores: stores, tokens: &oauth.MemoryStore{},
		platform: &platform{t: t, removed: map[client.ID]bool{}, says: map[client.ID]hostile.Answer{}},
		inbox:    inbox, mirrors: map[client.ID]*mirror{}, handled: map[client.ID]int{},
	}
	for store := range s.all {
		in := oauth.Install{StoreID: store, Token: client.Secret(fmt.Sprint("token", store)), Generation: int64(store)}
		if _, err := s.tokens.Swap(t.Context(), store, 0, &in); err != nil {
			t.Fatal(err)
		}
		s.mirrors[store] = &mirror{rows: map[client.ID]bool{}}
	}
	return s
}

func (s *shop) all(yield func(client.ID) bool) {
	for store := client.ID(1); store <= s.stores && yield(store); store++ {
	}
}

// installed iterates over the stores with a token.
func (s *shop) installed(ctx context.Context) iter.Seq2[client.ID, error] {
	return func(yield func(client.ID, error) bool) {
		for store := range s.all {
			if _, err := s.tokens.Load(ctx, store); err == nil && !yield(store, nil) {
				return
			}
		}
	}
}

// replica connects the parts of a process to what the replicas share.
func (s *shop) replica() *replica {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	a := multistore.New(multistore.Config{
		OAuth: oauth.App{ID: 1, Secret: secret},
		API: client.Config{
			BaseURL: "https://api.example.com", UserAgent: "Test (t@example.com)", Logger: quiet,
			HTTPClient: &http.Client{Transport: s.platform},
		},
	})
	r := &replica{App: a, hooks: webhooktest.Sender{Handler: a.Hooks, Secret: secret}}
	a.Install.Tokens, a.Stores.Tokens = s.tokens, oauth.Sources(s.tokens)
	a.Stores.Max = int(s.stores)
	a.Hooks.Inbox, a.Worker.Inbox, a.Worker.Poll = s.inbox, s.inbox, copyEvery
	a.Hooks.Logger, a.Worker.Logger, a.Worker.OnFinished = quiet, quiet, s.finished
	a.Copies.Stores, a.Copies.Every, a.Copies.Concurrency = s.installed, copyEvery, 32
	a.Copies.OnFailure = func(context.Context, client.ID, error) {}
	a.Copies.Of = []func(context.Context, client.ID) (client.Copier, error){
		func(ctx context.Context, store client.ID) (client.Copier, error) { return s.products(ctx, a, store) },
	}
	a.Judge.OnOutage = func(_ context.Context, o client.AuthorizationOutage) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.outages = append(r.outages, o)
	}
	a.Promotions = &discounts.PromotionCache{Judge: a.Judge, Logger: quiet, Load: r.load}
	r.carts = &discounts.Handler{
		Promotions: a.Promotions, Guarded: true, Logger: quiet, Plans: discounts.Plans{LineItems: half},
	}
	s.handle(a)
	return r
}

// products returns the copy of the products of a store.
func (s *shop) products(ctx context.Context, a *multistore.App, store client.ID) (client.Copier, error) {
	c, err := a.Stores.Client(ctx, store)
	if err != nil {
		return nil, err
	}
	list := v202503.Products(c).List(client.ProductFilter{})
	return &client.Copy[client.Product]{List: list, Mirror: s.mirrors[store]}, nil
}

// handle registers the handlers of the app, except that of app/uninstalled.
func (s *shop) handle(a *multistore.App) {
	webhook.OnStore(a.Events, webhook.StoreRedactRequested, func(ctx context.Context, store client.ID) error {
		s.mu.Lock()
		s.redacted = append(s.redacted, store)
		s.mu.Unlock()
		return a.Redact(ctx, store)
	})
	webhook.OnStore(a.Events, webhook.OrderPaid, func(ctx context.Context, store client.ID) error {
		if err := a.Stores.Probe(ctx, store); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.handled[store]++
		return nil
	})
}

// finished collects the entries that were dropped or are dead.
func (s *shop) finished(_ context.Context, l webhook.Lease, r webhook.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Dead || r.Dropped > 0 {
		s.lost = append(s.lost, fmt.Sprintf("dead %t: %s of store %d: %v", r.Dead, l.Event, l.StoreID, r.Err))
	}
}

func (r *replica) load(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
	c, err := r.Stores.Client(ctx, store)
	if err != nil {
		return nil, err
	}
	return v202503.Promotions(c).List().Collect(ctx)
}

// reported returns the reports of outages so far.
func (r *replica) reported() []client.AuthorizationOutage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.outages)
}

// cart returns the status of the answer to a cart of a store.
func (r *replica) cart(store client.ID) int {
	const cart = `{"cart_id":"1","store_id":"%d","execution_tier":"line_item","currency":"ARS","language":"es",` +
		`"products":[{"id":101,"price":"10.00","product_id":1,"quantity":1,"variant_id":11}]}`
	w := httptest.NewRecorder()
	body := bytes.NewBufferString(fmt.Sprintf(cart, store))
	r.carts.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/carts", body))
	return w.Code
}

func half(_ context.Context, p *discounts.LinePlan) error {
	fifty, err := discounts.BasisPoints(5000)
	if err != nil {
		return err
	}
	offer, ok := p.Named("Half")
	if !ok {
		return errors.New("no promotion")
	}
	for _, line := range p.Lines() {
		p.Discount(offer, line, fifty)
	}
	return nil
}

// mirror stores the ids of products in memory.
type mirror struct {
	mu      sync.Mutex
	state   string
	rows    map[client.ID]bool
	deleted int
}

// whole reports whether the mirror has all records and never deleted one.
func (m *mirror) whole() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.rows) == 3 && m.deleted == 0
}

func (m *mirror) State(context.Context) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state, nil
}

func (m *mirror) IDs(_ context.Context, after client.ID, limit int) ([]client.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(m.rows)), func(id client.ID) bool { return id <= after })
	return ids[:min(len(ids), limit)], nil
}

func (m *mirror) Apply(_ context.Context, step client.CopyStep[client.Product]) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state != step.Before {
		return client.ErrCopyMoved
	}
	for i := range step.Put {
		m.rows[step.Put[i].ID] = true
	}
	for _, id := range step.Delete {
		delete(m.rows, id)
		m.deleted++
	}
	m.state = step.After
	return nil
}
