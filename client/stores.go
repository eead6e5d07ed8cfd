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

// Stores gives the clients of many stores in one process. They share one
// transport; each store has its own rate limit, breaker and retry quota for as
// long as it is in use. Config and Tokens must be set before the first use and
// not be changed after it. A Stores is safe for concurrent use and must not be copied.
type Stores struct {
	// Config is the configuration of every client; StoreID and Token are filled in.
	Config Config
	// Tokens gives the token source of a store, for example from the app's database
	// of installations. It is called when a client is made, not for every request.
	Tokens func(ctx context.Context, store ID) (oauth2.TokenSource, error)
	// Max bounds the number of clients kept; the one not used for longest goes
	// first. Zero is 1000.
	Max int
	// Idle is how long a client that is not asked for is kept. Zero is one hour.
	// Less than 20 seconds would forget rate limits that still hold.
	Idle time.Duration

	mu        sync.Mutex
	transport *http.Client
	tenants   lru.Map[ID, *tenant]
}

// tenant is the client of one store, or the making of it.
type tenant struct {
	store  ID
	used   time.Time
	made   chan struct{} // closed when the making is over
	client *Client       // then; nil if it failed
}

// Client returns the client of a store. Calls for the same store get the same
// client while it is kept.
func (s *Stores) Client(ctx context.Context, store ID) (*Client, error) {
	if s.Tokens == nil {
		return nil, errors.New("client: Stores.Tokens is nil: want a function that gives the token source of a store")
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
		// The failure was another caller's, perhaps the end of its context.
	}
}

// make makes the client of a new entry, and drops the entry if it cannot.
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

// wait returns when the making is over, also if ctx is, or else when ctx is.
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

// CloseIdleConnections closes the connections that the shared transport keeps
// open for later calls.
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

// tenant returns the entry of a store, marks it as used now and lets go of others
// that are idle or too many. The client of a new entry is for the caller to make.
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

// forget drops an entry whose client could not be made.
func (s *Stores) forget(t *tenant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept, ok := s.tenants.Peek(t.store); ok && kept == t {
		s.tenants.Remove(t.store)
	}
}
