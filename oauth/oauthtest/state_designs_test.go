package oauthtest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/oauth"
)

// drawer is where the designs store states.
type drawer struct {
	mu   sync.Mutex
	held map[string]oauth.Pending
}

func (d *drawer) get(key string) (oauth.Pending, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.held[key]
	return p, ok
}

func (d *drawer) remove(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.held[key]
	delete(d.held, key)
	return ok
}

// stateDesign is a way to store states.
type stateDesign struct {
	name, breaks string
	put          func(d *drawer, key string, p oauth.Pending) error // before it is stored; nil stores
	take         func(d *drawer, ctx context.Context, key string) (oauth.Pending, bool, error)
	change       func(p *oauth.Pending)
	key          func(string) string
	alone        bool // each handle has a store of its own
}

type stateHandle struct {
	*drawer
	stateDesign
}

func (h stateHandle) Put(_ context.Context, key string, p oauth.Pending) error {
	if h.change != nil {
		h.change(&p)
	}
	if h.stateDesign.key != nil {
		key = h.stateDesign.key(key)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.put != nil {
		if err := h.put(h.drawer, key, p); err != nil {
			return err
		}
	}
	h.held[key] = p
	return nil
}

func (h stateHandle) Take(ctx context.Context, key string) (oauth.Pending, bool, error) {
	if h.stateDesign.key != nil {
		key = h.stateDesign.key(key)
	}
	if h.take != nil {
		return h.take(h.drawer, ctx, key)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p, ok := h.held[key]
	delete(h.held, key)
	return p, ok, nil
}

var stateDesigns = []stateDesign{
	{name: "right"},
	{name: "memory of each replica", breaks: "Take/removes", alone: true},
	{name: "nothing is removed", breaks: "Take/removes",
		take: func(d *drawer, _ context.Context, key string) (oauth.Pending, bool, error) {
			p, ok := d.get(key)
			return p, ok, nil
		}},
	{name: "read, then removed", breaks: "Race/take",
		take: func(d *drawer, _ context.Context, key string) (oauth.Pending, bool, error) {
			p, ok := d.get(key)
			time.Sleep(time.Millisecond)
			d.remove(key)
			return p, ok, nil
		}},
	{name: "removed, and empty for the loser", breaks: "Race/take",
		take: func(d *drawer, _ context.Context, key string) (oauth.Pending, bool, error) {
			p, ok := d.get(key)
			time.Sleep(time.Millisecond)
			if !d.remove(key) {
				p = oauth.Pending{}
			}
			return p, ok, nil
		}},
	{name: "nothing is an error", breaks: "Take/nothing",
		take: func(d *drawer, _ context.Context, key string) (oauth.Pending, bool, error) {
			if p, ok := d.get(key); d.remove(key) && ok {
				return p, true, nil
			}
			return oauth.Pending{}, false, errors.New("no rows in result set")
		}},
	{name: "a failure is nothing", breaks: "Context",
		take: func(d *drawer, ctx context.Context, key string) (oauth.Pending, bool, error) {
			p, ok := d.get(key)
			return p, ctx.Err() == nil && ok && d.remove(key), nil
		}},
	{name: "taken in spite of the error", breaks: "Context",
		take: func(d *drawer, ctx context.Context, key string) (oauth.Pending, bool, error) {
			p, ok := d.get(key)
			if ctx.Err() != nil {
				return p, ok, ctx.Err()
			}
			return p, ok && d.remove(key), nil
		}},
	{name: "a key cannot be there twice", breaks: "Put/again", put: func(d *drawer, key string, _ oauth.Pending) error {
		if _, there := d.held[key]; there {
			return errors.New("duplicate key value violates unique constraint")
		}
		return nil
	}},
	{name: "one at a time", breaks: "Keys", put: func(d *drawer, _ string, _ oauth.Pending) error {
		clear(d.held)
		return nil
	}},
	{name: "the newest is dropped with what has expired", breaks: "Expired",
		put: func(d *drawer, _ string, p oauth.Pending) error {
			if p.Expires.Before(time.Now()) {
				clear(d.held)
			}
			return nil
		}},
	{name: "keys have no case", breaks: "Keys", key: strings.ToLower},
	{name: "keys are cut", breaks: "Keys", key: func(key string) string { return key[:min(64, len(key))] }},
	{name: "keys are trimmed", breaks: "Keys", key: strings.TrimSpace},
	{name: "no ending", breaks: "Fields", change: func(p *oauth.Pending) { p.Ended = "" }},
	{name: "an ending of 64 bytes", breaks: "Fields",
		change: func(p *oauth.Pending) { p.Ended = p.Ended[:min(64, len(p.Ended))] }},
	{name: "a path of 255 bytes", breaks: "Fields",
		change: func(p *oauth.Pending) { p.ReturnTo = p.ReturnTo[:min(255, len(p.ReturnTo))] }},
	{name: "a time of its own", breaks: "Fields",
		change: func(p *oauth.Pending) { p.Expires = time.Now().Add(10 * time.Minute) }},
}

func TestStateDesigns(t *testing.T) {
	for _, d := range stateDesigns {
		t.Run(d.name, func(t *testing.T) {
			open := func() []oauth.StateStore {
				handles, shared := make([]oauth.StateStore, replicas), &drawer{held: map[string]oauth.Pending{}}
				for i := range handles {
					if d.alone {
						shared = &drawer{held: map[string]oauth.Pending{}}
					}
					handles[i] = stateHandle{shared, d}
				}
				return handles
			}
			expect(t, judge(t, stateRules, open), d.breaks)
		})
	}
}
