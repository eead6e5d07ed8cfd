package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/lru"
)

// Stores creates and caches the clients of many stores in one process. They share one transport. Each client has its
// own rate limit, breaker and retry quota while it is cached. Config and Tokens must be set before the first use, and
// must not be changed after it. A Stores is safe for concurrent use and must not be copied.
type Stores struct {
	// Config is the configuration of every client; StoreID and Token are set for each store.
	Config Config
	// Tokens returns the token source of a store, for example from the app's database of installations. It is called
	// when a client is created, not for every request.
	Tokens func(ctx context.Context, store ID) (oauth2.TokenSource, error)
	// Max is the maximum number of cached clients. The least recently used client is dropped first. Zero means 1000.
	Max int
	// Idle is how long an unused client is cached. Zero means one hour. A value below 20 seconds would drop rate limits
	// that still apply.
	Idle time.Duration

	mu        sync.Mutex
	transport *http.Client
	tenants   lru.Map[ID, *tenant]
}

// tenant is the client of one store, or its creation.
type tenant struct {
	store  ID
	used   time.Time
	made   chan struct{} // closed when the creation has ended
	client *Client       // set after that; nil if the creation failed
}

// Client returns the client of a store. Calls for the same store return the same client while it is cached.
func (s *Stores) Client(ctx context.Context, store ID) (*Client, error) {
	if s.Tokens == nil {
		return nil, errors.New("client: Stores.Tokens: must be set to a function that returns the token source of a store")
	}
	for {
		t, isNew := s.tenant(store)
		if isNew {
			return s.make(ctx, t)
		}
		if err := t.wait(ctx); err != nil {
			return nil, fmt.Errorf("client: waiting for the client of store %d: %w", store, err)
		}
		if t.client != nil {
			return t.client, nil
		}
		// The creation failed for another caller, perhaps because its context ended.
	}
}

// ByStore returns a function that applies of to the client of a store. Such functions are required by packages that act
// on many stores:
//
//	registry.Load = discounts.LoadBy(client.ByStore(stores, v202503.Promotions))
//	table.List = client.ByStore(stores, func(c *client.Client) client.List[client.Product] {
//		return v202503.Products(c).List(client.ProductFilter{})
//	})
func ByStore[T any](s *Stores, of func(*Client) T) func(ctx context.Context, store ID) (T, error) {
	return func(ctx context.Context, store ID) (result T, err error) {
		c, err := s.Client(ctx, store)
		if err == nil {
			result = of(c)
		}
		return result, err
	}
}

// Probe reads the id of a store, for Judge.Probe. AccessOf interprets its error.
func (s *Stores) Probe(ctx context.Context, store ID) error {
	c, err := s.Client(ctx, store)
	if err != nil {
		return err
	}
	return c.Probe(ctx)
}

// make creates the client of a new entry, and drops the entry if it cannot.
func (s *Stores) make(ctx context.Context, t *tenant) (*Client, error) {
	defer func() {
		if t.client == nil {
			s.forget(t)
		}
		close(t.made)
	}()
	tokens, err := s.Tokens(ctx, t.store)
	if err != nil {
		return nil, fmt.Errorf("client: token source of store %d: %w", t.store, engine.WithCause(ctx, err))
	}
	config := s.Config
	config.StoreID, config.Token, config.HTTPClient = t.store, tokens, s.shared()
	t.client, err = New(config)
	return t.client, err
}

// wait waits until the creation or ctx has ended. If both have, it returns nil.
func (t *tenant) wait(ctx context.Context) error {
	select {
	case <-t.made:
		return nil
	default:
	}
	select {
	case <-t.made:
		return nil
	case <-ctx.Done():
		return engine.Ended(ctx)
	}
}

// Forget drops the client of a store, for example after app/uninstalled.
func (s *Stores) Forget(store ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tenants.Remove(store)
}

// CloseIdleConnections closes the idle connections of the shared transport.
func (s *Stores) CloseIdleConnections() { s.shared().CloseIdleConnections() }

// shared returns the holder of the transport that all clients use.
func (s *Stores) shared() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.transport == nil {
		s.transport = &http.Client{Transport: NewTransport()}
		if given := s.Config.HTTPClient; given != nil && given.Transport != nil {
			s.transport.Transport = given.Transport
		}
	}
	return s.transport
}

// tenant returns the entry of a store and marks it as used. It drops other entries that are idle or exceed Max. The
// caller must create the client of a new entry.
func (s *Stores) tenant(store ID) (t *tenant, isNew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	t, ok := s.tenants.Get(store)
	if !ok {
		t = &tenant{store: store, made: make(chan struct{})}
		s.tenants.Put(store, t)
	}
	t.used = now
	for other, last := range s.tenants.All() {
		idle := now.Sub(last.used) > orDefault(s.Idle, time.Hour)
		if last == t || !idle && s.tenants.Len() <= orDefault(s.Max, 1000) {
			break
		}
		s.tenants.Remove(other)
	}
	return t, !ok
}

// forget drops an entry whose client could not be created.
func (s *Stores) forget(t *tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept, ok := s.tenants.Peek(t.store); ok && kept == t {
		s.tenants.Remove(t.store)
	}
}
