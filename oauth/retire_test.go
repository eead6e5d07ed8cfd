package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// retiring is a handler of one installed store whose token is accepted if alive is true.
type retiring struct {
	*oauth.Handler
	alive     bool
	installed int
}

func newRetiring(t *testing.T, tokens oauth.TokenStore) *retiring {
	t.Helper()
	r := &retiring{}
	r.Handler = &oauth.Handler{
		Tokens:      tokens,
		Verify:      func(context.Context, oauth.Install) (bool, error) { return r.alive, nil },
		OnInstalled: func(context.Context, oauth.Install) error { r.installed++; return nil },
	}
	r.swap(t, 0, &oauth.Install{StoreID: storeA, Token: "one", Generation: 5})
	return r
}

func (r *retiring) swap(t *testing.T, old int64, next *oauth.Install) {
	t.Helper()
	if done, err := r.Tokens.Swap(t.Context(), storeA, old, next); err != nil || !done {
		t.Fatalf("swap from %d: got %v, %v", old, done, err)
	}
}

// holds fails the test unless the token is loaded (empty: none), and as many are retired.
func (r *retiring) holds(t *testing.T, token client.Secret, retired int) {
	t.Helper()
	in, err := r.Tokens.Load(t.Context(), storeA)
	if in.Token != token || (err != nil) != (token == "") || err != nil && !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("load: got %v, %v; want token %v", in, err, token)
	}
	for in, err := range r.Tokens.(oauth.Retirer).Retired(t.Context()) {
		if !in.RetiredAt.IsZero() {
			retired--
		}
		if err != nil {
			t.Error(err)
		}
	}
	if retired != 0 {
		t.Errorf("%d retired tokens are missing", retired)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRetiredToken(t *testing.T) {
	t.Run("is revived once the platform accepts it", func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		must(t, r.Uninstall(t.Context(), storeA))
		must(t, r.Uninstall(t.Context(), storeA))
		r.holds(t, "", 1)
		must(t, r.Revive(t.Context()))
		r.holds(t, "", 1)
		r.alive = true
		must(t, r.Revive(t.Context()))
		r.holds(t, "one", 0)
		if r.installed != 1 {
			t.Errorf("OnInstalled was called %d times, want once", r.installed)
		}
	})
	t.Run("of one store is revived at once", bubble(func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		revive := func(retired, fails bool) {
			t.Helper()
			if got, err := r.ReviveStore(t.Context(), storeA); got != retired || (err != nil) != fails {
				t.Errorf("got %v, %v; want %v, and an error: %v", got, err, retired, fails)
			}
		}
		revive(false, false)
		must(t, r.Uninstall(t.Context(), storeA))
		revive(true, false)
		r.holds(t, "", 1)
		refuses := r.Verify
		r.Verify = func(context.Context, oauth.Install) (bool, error) { return false, client.ErrIntermediary }
		revive(true, true)
		r.Verify, r.alive = refuses, true
		time.Sleep(3 * time.Hour) // the first refusal may be as long ago when a token is retired
		revive(true, false)
		r.holds(t, "one", 0)
		r.alive = false
		must(t, r.Uninstall(t.Context(), storeA))
		r.alive = true
		revive(true, false)
		r.holds(t, "one", 0)
	}))
	t.Run("that cannot be read is missing an hour later", bubble(func(t *testing.T) {
		r := newRetiring(t, unreadableRetired{&oauth.MemoryStore{}})
		must(t, r.Uninstall(t.Context(), storeA))
		if got, err := r.ReviveStore(t.Context(), storeA); !got || !errors.Is(err, oauth.ErrUnreadable) {
			t.Errorf("at once: got %v, %v; want ErrUnreadable", got, err)
		}
		time.Sleep(time.Hour)
		if got, err := r.ReviveStore(t.Context(), storeA); got || err != nil {
			t.Errorf("an hour later: got %v, %v", got, err)
		}
	}))
	t.Run("is replaced by a new installation", func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		must(t, r.Uninstall(t.Context(), storeA))
		r.swap(t, 0, &oauth.Install{StoreID: storeA, Token: "two", Generation: 6})
		r.holds(t, "two", 0)
	})
	t.Run("is erased by store/redact", func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		r.alive = true
		must(t, r.Erase(t.Context(), storeA))
		r.holds(t, "one", 0)
		r.alive = false
		must(t, r.Erase(t.Context(), storeA))
		must(t, r.Erase(t.Context(), storeA))
		r.holds(t, "", 0)
	})
	t.Run("is erased after 30 days", bubble(func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		must(t, r.Uninstall(t.Context(), storeA))
		ctx, stop := context.WithTimeout(t.Context(), 30*24*time.Hour-time.Second)
		defer stop()
		must(t, r.KeepRetired(ctx))
		r.holds(t, "", 1)
		time.Sleep(time.Second)
		must(t, r.Revive(t.Context()))
		r.holds(t, "", 0)
	}))
	t.Run("is not erased by a wrong clock", bubble(func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		must(t, r.Uninstall(t.Context(), storeA))
		refuses := r.Verify
		r.Verify = func(context.Context, oauth.Install) (bool, error) { return false, client.ErrIntermediary }
		for range 2 {
			if err := r.Revive(t.Context()); !errors.Is(err, client.ErrIntermediary) {
				t.Errorf("got %v, want ErrIntermediary", err)
			}
			r.holds(t, "", 1)
			time.Sleep(59 * 24 * time.Hour) // in which the clock jumps ahead
		}
		r.Verify, r.alive = refuses, true
		must(t, r.Revive(t.Context()))
		r.holds(t, "one", 0)
	}))
	t.Run("is erased after 60 days if it cannot be verified", bubble(func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		must(t, r.Uninstall(t.Context(), storeA))
		r.Verify = func(context.Context, oauth.Install) (bool, error) { return false, client.ErrIntermediary }
		time.Sleep(60 * 24 * time.Hour)
		must(t, r.Revive(t.Context()))
		r.holds(t, "", 0)
	}))
	t.Run("is deleted from a store that cannot retire", func(t *testing.T) {
		m := &oauth.MemoryStore{}
		r := newRetiring(t, struct{ oauth.TokenStore }{m})
		must(t, r.Uninstall(t.Context(), storeA))
		must(t, errors.Join(r.Revive(t.Context()), r.Erase(t.Context(), storeA)))
		r.Tokens = m
		r.holds(t, "", 0)
	})
	t.Run("is completed once OnInstalled succeeds", func(t *testing.T) {
		r, fails := newRetiring(t, &oauth.MemoryStore{}), true
		count := r.OnInstalled
		r.OnInstalled = func(ctx context.Context, in oauth.Install) error {
			if fails {
				return oauth.ErrNotSent
			}
			return count(ctx, in)
		}
		must(t, r.Uninstall(t.Context(), storeA))
		r.alive = true
		for range 2 {
			if err := r.Revive(t.Context()); !errors.Is(err, oauth.ErrIncomplete) {
				t.Errorf("got %v, want ErrIncomplete", err)
			}
			r.holds(t, "one", 0)
		}
		fails = false
		must(t, r.Revive(t.Context()))
		must(t, r.Revive(t.Context()))
		if r.installed != 1 {
			t.Errorf("OnInstalled succeeded %d times, want once", r.installed)
		}
	})
	t.Run("comes back while another store hangs", bubble(func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		must(t, r.Uninstall(t.Context(), storeA))
		const hung = 7
		in := oauth.Install{StoreID: 1, Token: "t", Generation: 1}
		for ; in.StoreID <= hung; in.StoreID++ {
			if done, err := r.Tokens.Swap(t.Context(), in.StoreID, 0, &in); err != nil || !done {
				t.Fatal(done, err)
			}
			must(t, r.Uninstall(t.Context(), in.StoreID))
		}
		r.Verify = func(ctx context.Context, in oauth.Install) (bool, error) {
			if in.StoreID != storeA {
				<-ctx.Done()
			}
			return in.StoreID == storeA, ctx.Err()
		}
		began := time.Now()
		err := r.Revive(t.Context())
		failed := strings.Count(fmt.Sprint(err), "token of store")
		if took := time.Since(began); took > 20*time.Second || failed != hung {
			t.Errorf("Revive took %v, and returned %v; want %d errors", took, err, hung)
		}
		r.holds(t, "one", hung)
	}))
	t.Run("comes back within an hour", bubble(func(t *testing.T) {
		r := newRetiring(t, &oauth.MemoryStore{})
		must(t, r.Uninstall(t.Context(), storeA))
		ctx, stop := context.WithTimeout(t.Context(), oauth.ReviveEvery+time.Second)
		defer stop()
		again := time.Now().Add(time.Minute)
		r.Verify = func(context.Context, oauth.Install) (bool, error) { return time.Now().After(again), nil }
		must(t, r.KeepRetired(ctx))
		r.holds(t, "one", 0)
	}))
}

// The platform refuses the tokens of 50 stores while an event for each arrives repeatedly. No token is retired. Later
// one store has really ended.
func TestUninstallRequiresEvidence(t *testing.T) {
	for _, outage := range []time.Duration{3 * time.Second, 3 * time.Minute} {
		t.Run(outage.String(), bubble(func(t *testing.T) {
			const stores = 50
			tokens, ends := &oauth.MemoryStore{}, time.Now().Add(outage)
			h := &oauth.Handler{Tokens: tokens, Judge: &client.Judge{}}
			h.Verify = func(_ context.Context, in oauth.Install) (bool, error) {
				return !time.Now().Before(ends) && in.StoreID != 7, nil
			}
			for id := client.ID(1); id <= stores; id++ {
				_, err := tokens.Swap(t.Context(), id, 0, &oauth.Install{StoreID: id, Token: "t", Generation: 1})
				must(t, err)
			}
			for began := time.Now(); time.Since(began) < outage+10*time.Minute; time.Sleep(10 * time.Second) {
				for id := client.ID(1); id <= stores; id++ {
					err := h.Uninstall(t.Context(), id)
					if time.Now().Before(ends) && !errors.Is(err, client.ErrDoubtful) {
						t.Fatalf("store %d after %v: got %v, want ErrDoubtful", id, time.Since(began), err)
					}
				}
			}
			for id := client.ID(1); id <= stores; id++ {
				if _, err := tokens.Load(t.Context(), id); errors.Is(err, oauth.ErrNotInstalled) != (id == 7) {
					t.Errorf("store %d: got %v", id, err)
				}
			}
			synctest.Wait()
		}))
	}
}

// unreadableRetired has lost the key of its retired tokens.
type unreadableRetired struct{ *oauth.MemoryStore }

func (u unreadableRetired) Retired(ctx context.Context) iter.Seq2[oauth.Install, error] {
	return func(yield func(oauth.Install, error) bool) {
		for in := range u.MemoryStore.Retired(ctx) {
			if in.Token = ""; !yield(in, oauth.ErrUnreadable) {
				return
			}
		}
	}
}
