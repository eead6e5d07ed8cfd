package oauth_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// The first token's answer is the last to arrive.
func TestParallelInstalls(t *testing.T) {
	for _, tt := range []struct {
		name     string
		replicas int
		verify   bool
		want     [2]int // statuses of the first and the second token's browser
	}{
		{"one process", 1, false, [2]int{200, 200}},
		{"one process, Verify", 1, true, [2]int{409, 200}},
		{"two processes, Verify", 2, true, [2]int{409, 200}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				first := newSite(t)
				sites := []*site{first, first}
				if tt.replicas == 2 {
					sites[1] = newSite(t)
					sites[1].platform, sites[1].App.Transport, sites[1].Tokens = first.platform, first.platform, first.tokens
				}
				p := first.platform
				p.pause = func(issued int) {
					if issued == 1 {
						time.Sleep(time.Second)
					}
				}
				var wg sync.WaitGroup
				var got [2]int
				for i, s := range sites {
					if tt.verify {
						s.Verify = func(_ context.Context, in oauth.Install) (bool, error) { return p.isAlive(in), nil }
					}
					state, cookie := s.begin(t)
					code := p.code(storeA)
					wg.Go(func() { got[i] = s.land("state="+state+"&code="+code, cookie).Code })
					synctest.Wait() // the first is under way
				}
				wg.Wait()
				if in := first.stored(t); string(in.Token) != "token-817495-2" {
					t.Errorf("stored %q, want the last issued, token-817495-2", string(in.Token))
				}
				if got != tt.want {
					t.Errorf("got statuses %v, want %v", got, tt.want)
				}
			})
		})
	}
}

// A token that was alive when it was asked about, and is dead when it is stored, must not come out on top.
func TestLaterInstallBetweenVerifyAndStore(t *testing.T) {
	first, second := newSite(t), newSite(t)
	p := first.platform
	second.platform, second.App.Transport, second.Tokens = p, p, first.tokens
	finish := func(s *site) int {
		state, cookie := s.begin(t)
		return s.land("state="+state+"&code="+p.code(storeA), cookie).Code
	}
	asked := 0
	first.Verify = func(_ context.Context, in oauth.Install) (bool, error) {
		alive := p.isAlive(in)
		if asked++; asked == 1 {
			if got := finish(second); got != 200 {
				t.Errorf("second: got %d, want 200", got)
			}
		}
		return alive, nil
	}
	second.Verify = func(_ context.Context, in oauth.Install) (bool, error) { return p.isAlive(in), nil }
	if got := finish(first); got != 409 || !errors.Is(first.lastReport(t), oauth.ErrSuperseded) {
		t.Errorf("first: got %d and %v, want 409 and ErrSuperseded", got, first.lastReport(t))
	}
	if in := first.stored(t); string(in.Token) != "token-817495-2" || asked != 2 {
		t.Errorf("stored %q after %d questions, want token-817495-2 after 2", string(in.Token), asked)
	}
}

// Many interleavings, as chance has it, of several processes with slow networks and a slow store.
func TestParallelInstallsOfManyProcesses(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			dice := rand.New(rand.NewPCG(seed, 1))
			wait := func() {
				mu.Lock()
				d := time.Duration(dice.IntN(3)) * time.Millisecond
				if dice.IntN(4) == 0 {
					d += 50 * time.Millisecond // long enough for others to pass
				}
				mu.Unlock()
				time.Sleep(d)
			}
			first := newSite(t)
			p := first.platform
			p.pause = func(int) { wait() }
			var wg sync.WaitGroup
			for range 5 {
				s := newSite(t)
				s.App.Transport, s.Tokens = p, slowStore{first.tokens, wait}
				s.Verify = func(_ context.Context, in oauth.Install) (bool, error) {
					wait()
					defer wait()
					return p.isAlive(in), nil
				}
				state, cookie := s.begin(t)
				code := p.code(storeA)
				wg.Go(func() {
					wait()
					s.get("state="+state+"&code="+code, cookie)
					if wait(); code[len(code)-1]%2 == 0 {
						if err := s.Uninstall(t.Context(), storeA); err != nil { // a late event
							t.Errorf("seed %d: uninstall: %v", seed, err)
						}
					}
				})
			}
			wg.Wait()
			if in := first.stored(t); string(in.Token) != p.issued[4] {
				t.Errorf("seed %d: stored %q, want the last issued, %q", seed, string(in.Token), p.issued[4])
			}
		})
	}
}

type slowStore struct {
	*oauth.MemoryStore
	wait func()
}

func (s slowStore) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	s.wait()
	defer s.wait()
	return s.MemoryStore.Load(ctx, id)
}

func (s slowStore) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	s.wait()
	defer s.wait()
	return s.MemoryStore.Swap(ctx, id, old, next)
}

// A platform that does not answer holds up one installation, not all that come after it.
func TestInstallsWaitForABoundedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.platform.pause = func(int) { time.Sleep(14 * time.Second) }
		s.App.Timeout = 10 * time.Second
		began := time.Now()
		var wg sync.WaitGroup
		var got [2]int
		for i := range got {
			state, cookie := s.begin(t)
			code := s.platform.code(storeA)
			wg.Go(func() { got[i] = s.get("state="+state+"&code="+code, cookie).Code })
			synctest.Wait()
		}
		wg.Wait()
		// This transport sees the end of the context only when the platform answers, at 14 s.
		if took := time.Since(began); got != [2]int{502, 503} || took != 14*time.Second {
			t.Errorf("got statuses %v after %v, want 502 and 503 after 14 s", got, took)
		}
		if s.platform.exchanges() != 1 {
			t.Errorf("got %d token requests, want 1", s.platform.exchanges())
		}
		for _, err := range s.reported {
			if !errors.Is(err, oauth.ErrNotSent) && !errors.Is(err, oauth.ErrOutcomeUnknown) {
				t.Errorf("reported %v", err)
			}
		}
	})
}

func TestVerifyFails(t *testing.T) {
	s := newSite(t)
	down := errors.New("api is down")
	s.Verify = func(context.Context, oauth.Install) (bool, error) { return false, down }
	state, cookie := s.begin(t)
	if rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Code != 200 {
		t.Errorf("got %d, want 200: a new token is not thrown away", rec.Code)
	}
	if err := s.lastReport(t); !errors.Is(err, down) {
		t.Errorf("reported %v, want %v", err, down)
	}
	if err := s.Uninstall(t.Context(), storeA); !errors.Is(err, down) {
		t.Errorf("uninstall: got %v, want %v", err, down)
	}
	s.stored(t)
}

func TestUninstall(t *testing.T) {
	s := newSite(t)
	install := func() *httptest.ResponseRecorder {
		state, cookie := s.begin(t)
		return s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
	}
	install()
	for range 2 {
		if err := s.Uninstall(t.Context(), storeA); err != nil {
			t.Fatal(err)
		}
		if _, err := s.tokens.Load(t.Context(), storeA); !errors.Is(err, oauth.ErrNotInstalled) {
			t.Errorf("load: got %v, want ErrNotInstalled", err)
		}
	}
	s.Verify = func(_ context.Context, in oauth.Install) (bool, error) { return s.platform.isAlive(in), nil }
	install()
	if err := s.Uninstall(t.Context(), storeA); err != nil { // late: it was about the first installation
		t.Fatal(err)
	}
	s.stored(t)
	delete(s.platform.alive, storeA)
	if err := s.Uninstall(t.Context(), storeA); err != nil {
		t.Fatal(err)
	}
	if _, err := s.tokens.Load(t.Context(), storeA); !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("load: got %v, want ErrNotInstalled", err)
	}
	s.Tokens = brokenStore{TokenStore: s.tokens, swap: errors.New("boom")}
	if err := s.Uninstall(t.Context(), storeA); err != nil {
		t.Errorf("uninstall of nothing: got %v, want nil", err)
	}
}
