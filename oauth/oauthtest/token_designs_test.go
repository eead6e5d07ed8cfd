package oauthtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

var designs = []design{
	{name: "right"},
	{name: "nothing is the zero installation", breaks: "Load/nothing",
		load: func(t *table, _ context.Context, id client.ID) (oauth.Install, error) {
			return t.get(id), nil
		}},
	{name: "nothing is an error of the database", breaks: "Load/nothing",
		load: func(t *table, _ context.Context, id client.ID) (oauth.Install, error) {
			if in := t.get(id); in.Generation != 0 {
				return in, nil
			}
			return oauth.Install{}, errors.New("no rows in result set")
		}},
	{name: "a failed load is nothing", breaks: "Context",
		load: func(t *table, ctx context.Context, id client.ID) (oauth.Install, error) {
			if in := t.get(id); ctx.Err() == nil && in.Generation != 0 {
				return in, nil
			}
			return oauth.Install{}, oauth.ErrNotInstalled
		}},
	{name: "a failed swap is a lost race", breaks: "Context",
		swap: func(t *table, ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
			if ctx.Err() != nil || t.get(id).Generation != old {
				return false, nil
			}
			t.set(id, next)
			return true, nil
		}},
	{name: "read, then write", breaks: "Race/replace",
		swap: func(t *table, _ context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
			held := t.get(id).Generation
			time.Sleep(time.Millisecond)
			if held != old {
				return false, nil
			}
			t.set(id, next)
			return true, nil
		}},
	{name: "an insert that is read, then written", breaks: "Race/insert",
		swap: func(t *table, ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
			if old == 0 && t.get(id).Generation == 0 {
				time.Sleep(time.Millisecond)
				t.set(id, next)
				return true, nil
			}
			return lasting(func(*oauth.Install) {})(t, ctx, id, old, next)
		}},
	{name: "an insert replaces", breaks: "Swap/insert",
		swap: generationless(func(held, old int64, _ *oauth.Install) bool { return held == old || old == 0 })},
	{name: "a replacement inserts", breaks: "Swap/nothing there",
		swap: generationless(func(held, old int64, _ *oauth.Install) bool {
			return held == old || held == 0
		})},
	{name: "the last one wins", breaks: "Swap/replace",
		swap: generationless(func(_, _ int64, _ *oauth.Install) bool { return true })},
	{name: "a deletion asks for no generation", breaks: "Swap/delete",
		swap: generationless(func(held, old int64, next *oauth.Install) bool {
			return held == old || next == nil
		})},
	{name: "the larger generation wins", breaks: "Swap/replace",
		swap: generationless(func(held, old int64, next *oauth.Install) bool {
			return held == old && (next == nil || next.Generation > held)
		})},
	{name: "generations are floats", breaks: "Fields",
		swap: generationless(func(held, old int64, _ *oauth.Install) bool { return float64(held) == float64(old) })},
	{name: "one record for all", breaks: "Stores",
		wrap: func(s oauth.TokenStore) oauth.TokenStore { return renamed{s, func(client.ID) client.ID { return 1 }} }},
	{name: "ids of 32 bits", breaks: "Stores", wrap: func(s oauth.TokenStore) oauth.TokenStore {
		return renamed{s, func(id client.ID) client.ID { return client.ID(int32(id)) }}
	}},
	{name: "ids are floats", breaks: "Stores", wrap: func(s oauth.TokenStore) oauth.TokenStore {
		return renamed{s, func(id client.ID) client.ID { return client.ID(float64(id) / 2) }}
	}},
	{name: "short tokens", breaks: "Fields",
		swap: lasting(func(in *oauth.Install) { in.Token = in.Token[:min(255, len(in.Token))] })},
	{name: "tokens are trimmed", breaks: "Fields",
		swap: lasting(func(in *oauth.Install) { in.Token = client.Secret(strings.TrimSpace(string(in.Token))) })},
	{name: "tokens are UTF-8", breaks: "Fields",
		swap: lasting(func(in *oauth.Install) { in.Token = client.Secret(strings.ToValidUTF8(string(in.Token), "?")) })},
	{name: "known scopes only", breaks: "Fields", swap: lasting(func(in *oauth.Install) {
		in.Scopes = slices.DeleteFunc(in.Scopes, func(s oauth.Scope) bool { return s == "one_that_is_not_known_yet" })
	})},
	{name: "the time of the zone", breaks: "Fields", swap: lasting(func(in *oauth.Install) {
		at := in.InstalledAt
		in.InstalledAt = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
	})},
	{name: "scopes are shared", breaks: "Fields/copied",
		load: func(t *table, _ context.Context, id client.ID) (oauth.Install, error) {
			t.mu.Lock()
			defer t.mu.Unlock()
			if in, ok := t.held[id]; ok {
				return in, nil
			}
			return oauth.Install{}, oauth.ErrNotInstalled
		}},
	{name: "two statements", breaks: "Race/load",
		swap: func(t *table, ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
			in := t.get(id)
			if in.Generation != old {
				return false, nil
			}
			if next != nil && old != 0 {
				in.Generation = next.Generation
				t.set(id, &in)
				time.Sleep(time.Millisecond)
			}
			t.set(id, next)
			return true, nil
		}},
	{name: "deleted and inserted", breaks: "Race/load",
		swap: func(t *table, _ context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
			if t.get(id).Generation != old {
				return false, nil
			}
			t.set(id, nil)
			time.Sleep(time.Millisecond)
			t.set(id, next)
			return true, nil
		}},
	{name: "a cache in each replica", breaks: "Swap/replace", wrap: func(s oauth.TokenStore) oauth.TokenStore {
		return &cached{TokenStore: s, seen: map[client.ID]oauth.Install{}}
	}},
	{name: "it can be printed", breaks: "Secrecy", wrap: func(s oauth.TokenStore) oauth.TokenStore {
		return &shown{TokenStore: s, Tokens: map[client.ID]string{}}
	}},
	{name: "errors have the statement", breaks: "Secrecy",
		swap: func(t *table, ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
			if ctx.Err() != nil && next != nil {
				return false, fmt.Errorf("INSERT INTO installs VALUES (%d, '%s'): %w", id, string(next.Token), ctx.Err())
			}
			return lasting(func(*oauth.Install) {})(t, ctx, id, old, next)
		}},
}

func TestTokenDesigns(t *testing.T) {
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			open := func() []oauth.TokenStore {
				held, right := &table{held: map[client.ID]oauth.Install{}}, &oauth.MemoryStore{}
				handles := make([]oauth.TokenStore, replicas)
				for i := range handles {
					handles[i] = &handle{held, right, d}
					if d.wrap != nil {
						handles[i] = d.wrap(handles[i])
					}
				}
				return handles
			}
			expect(t, judge(t, tokenRules, open), d.breaks)
		})
	}
}
