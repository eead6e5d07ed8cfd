package oauthtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// table is where the designs store installations.
type table struct {
	mu   sync.Mutex
	held map[client.ID]oauth.Install
}

func (t *table) get(id client.ID) oauth.Install {
	t.mu.Lock()
	defer t.mu.Unlock()
	in := t.held[id]
	in.Scopes = slices.Clone(in.Scopes)
	return in
}

func (t *table) set(id client.ID, in *oauth.Install) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.held, id)
	if in != nil {
		held := *in
		held.Scopes = slices.Clone(in.Scopes)
		t.held[id] = held
	}
}

// design is a way to store installations.
type design struct {
	name, breaks string
	load         func(t *table, ctx context.Context, id client.ID) (oauth.Install, error)
	swap         swapFunc
	wrap         func(oauth.TokenStore) oauth.TokenStore // for each handle
}

type swapFunc func(t *table, ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error)

// handle is a design in use.
type handle struct {
	table  *table
	right  *oauth.MemoryStore
	design design
}

func (h *handle) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	time.Sleep(time.Microsecond) // time goes by in the bubble only while all sleep
	if h.design.load != nil {
		return h.design.load(h.table, ctx, id)
	}
	if in := h.table.get(id); in.Generation != 0 {
		return in, nil
	}
	return oauth.Install{}, oauth.ErrNotInstalled
}

func (h *handle) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	if h.design.swap != nil {
		return h.design.swap(h.table, ctx, id, old, next)
	}
	swapped, err := h.right.Swap(ctx, id, old, next)
	if swapped {
		h.table.set(id, next)
	}
	return swapped, err
}

func (*handle) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "handle") }

// lasting is Swap by the rules of SQL, but what is stored is changed first.
func lasting(change func(*oauth.Install)) swapFunc {
	return func(t *table, _ context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
		t.mu.Lock()
		held := t.held[id].Generation
		t.mu.Unlock()
		if held != old {
			return false, nil
		}
		if next != nil {
			in := *next
			in.Scopes = slices.Clone(in.Scopes)
			change(&in)
			next = &in
		}
		t.set(id, next)
		return true, nil
	}
}

type cached struct {
	oauth.TokenStore
	mu   sync.Mutex
	seen map[client.ID]oauth.Install
}

func (c *cached) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	time.Sleep(time.Microsecond)
	c.mu.Lock()
	in, ok := c.seen[id]
	c.mu.Unlock()
	if ok {
		return in, nil
	}
	in, err := c.TokenStore.Load(ctx, id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.seen[id] = in
	}
	return in, err
}

type shown struct {
	oauth.TokenStore
	mu     sync.Mutex
	Tokens map[client.ID]string
}

func (s *shown) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	if next != nil {
		s.mu.Lock()
		s.Tokens[id] = string(next.Token)
		s.mu.Unlock()
	}
	return s.TokenStore.Swap(ctx, id, old, next)
}

// generationless is Swap that looks at less of the generation than it should, in one atomic step.
func generationless(matches func(held, old int64, next *oauth.Install) bool) swapFunc {
	return func(t *table, _ context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
		t.mu.Lock()
		ok := matches(t.held[id].Generation, old, next)
		t.mu.Unlock()
		if ok {
			t.set(id, next)
		}
		return ok, nil
	}
}

// renamed stores the installation of one id under another.
type renamed struct {
	oauth.TokenStore
	name func(client.ID) client.ID
}

func (r renamed) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	return r.TokenStore.Load(ctx, r.name(id))
}

func (r renamed) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	return r.TokenStore.Swap(ctx, r.name(id), old, next)
}
