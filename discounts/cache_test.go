package discounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// api is where a cache loads promotions from.
type api struct {
	*PromotionCache
	loads  atomic.Int32
	takes  time.Duration
	fail   error
	name   string // of the promotion
	none   bool
	active atomic.Int32
	most   atomic.Int32
	failed []string

	mu      sync.Mutex // held by what changes during a load
	instead func() error
}

// change changes what later loads do, while others are in progress.
func (a *api) change(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
}

func newAPI() *api {
	a := &api{name: "first", takes: 100 * time.Millisecond}
	var mu sync.Mutex
	a.PromotionCache = &PromotionCache{
		Judge: &client.Judge{FirstRefusal: true},
		Load: func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
			a.loads.Add(1)
			n := a.active.Add(1)
			defer a.active.Add(-1)
			for old := a.most.Load(); n > old && !a.most.CompareAndSwap(old, n); old = a.most.Load() {
			}
			a.mu.Lock()
			takes, name, fail, none, instead := a.takes, a.name, a.fail, a.none, a.instead
			a.mu.Unlock()
			if instead != nil {
				return nil, instead()
			}
			select {
			case <-time.After(takes):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if none {
				return nil, nil
			}
			return []promotions.Promotion{{ID: uuid.MustParse(fmt.Sprintf("%08d-1111-4111-8111-111111111111", store)), Name: name,
				Active: true}}, fail
		},
		OnFailure: func(_ context.Context, f *Failure) {
			mu.Lock()
			defer mu.Unlock()
			a.failed = append(a.failed, f.Error())
		},
	}
	return a
}

// say looks a store up and compares.
func (a *api) say(t *testing.T, what string, store client.ID, want string, loads int32) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond)
	defer cancel()
	began := time.Now()
	o, err := a.lookup(ctx, store)
	got := fmt.Sprint(time.Since(began), " ")
	switch {
	case errors.Is(err, ErrUninstalled):
		got += "uninstalled"
	case errors.Is(err, ErrNoPromotions):
		got += "unknown"
	case len(o.list) > 0:
		got += o.list[0].Name
	}
	synctest.Wait()
	if got != want || a.loads.Load() != loads {
		t.Errorf("%s: got %s (%v) after %d loads, want %s after %d", what, got, err, a.loads.Load(), want, loads)
	}
}

func TestPromotionCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		a.say(t, "the first cart waits", 7, "100ms first", 1)
		time.Sleep(59 * time.Second)
		a.say(t, "known", 7, "0s first", 1)
		a.name = "second"
		time.Sleep(time.Second)
		a.say(t, "old, and loaded in the background", 7, "0s first", 2)
		time.Sleep(time.Second)
		a.say(t, "loaded", 7, "0s second", 2)
		a.say(t, "another store", 8, "100ms second", 3)
		before, err := a.lookup(t.Context(), 7)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Refresh(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
		if after, err := a.lookup(t.Context(), 7); err != nil || after != before {
			t.Errorf("the same promotions count as others: %v", err)
		}
		a.name = "third"
		if err := a.Refresh(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
		a.say(t, "refreshed", 7, "0s third", 5)

		a.fail = io.ErrUnexpectedEOF
		time.Sleep(time.Hour)
		a.say(t, "old, and the API is down", 7, "100ms third", 6)
		time.Sleep(time.Second)
		a.say(t, "not asked again at once", 7, "0s third", 6)
		time.Sleep(5 * time.Second)
		a.say(t, "asked again", 7, "0s third", 7)
		time.Sleep(time.Second)
		if err := a.Refresh(t.Context(), 7); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("refreshed: %v", err)
		}
		a.say(t, "a store never seen", 9, "100ms unknown", 9)
		a.say(t, "a store never seen, again", 9, "0s unknown", 9)
		if len(a.failed) != 3 || !strings.Contains(a.failed[2], "store 9: promotions not loaded: unexpected EOF") {
			t.Errorf("reported %q", a.failed)
		}
		a.fail, a.takes = nil, time.Second
		time.Sleep(5 * time.Second)
		a.say(t, "the load takes longer than the answer may", 9, "600ms unknown", 10)
		time.Sleep(time.Second)
		a.say(t, "loaded meanwhile", 9, "0s third", 10)
		a.takes = time.Hour
		a.say(t, "the API hangs", 10, "600ms unknown", 11)
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(a.failed) != 4 || !strings.Contains(a.failed[3], "deadline exceeded") {
			t.Errorf("reported %q", a.failed)
		}
	})
}

// withdrawn are the promotions of Withdrawals.
type withdrawn []uuid.UUID

func (withdrawn) Withdraw(context.Context, client.ID, uuid.UUID) error { return nil }

func (w withdrawn) Withdrawn(context.Context, client.ID) ([]uuid.UUID, error) { return w, nil }

// One promotion that could not be read once left all carts of its store without discounts.
func TestPromotionCacheWithUnreadablePromotion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		bad := fmt.Errorf("GET /promotions: %w", &client.DecodeError{Index: 3, Err: errors.New("no such tier")})
		a.change(func() { a.fail = bad })
		a.say(t, "the others are known", 7, "100ms first", 1)
		a.say(t, "and used", 7, "0s first", 1)
		if len(a.failed) != 1 || !strings.Contains(a.failed[0], "store 7: promotions not loaded: GET /promotions: decode item 3: no such tier") {
			t.Errorf("reported %q, want the promotion", a.failed)
		}
		if err := a.Refresh(t.Context(), 7); !errors.Is(err, client.ErrUnreadableItem) {
			t.Errorf("refreshed: %v", err)
		}
		a.Withdrawals = withdrawn{uuid.MustParse("00000009-1111-4111-8111-111111111111")}
		if own, err := a.lookup(t.Context(), 9); err != nil || own.list[0].Active {
			t.Errorf("got %+v, %v; want a promotion that is withdrawn", own, err)
		}
		a.change(func() { a.fail = errors.Join(bad, io.ErrUnexpectedEOF) })
		a.say(t, "a page is missing too", 8, "100ms unknown", 4)
	})
}

func TestPromotionCacheUninstalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		a.say(t, "installed", 7, "100ms first", 1)
		a.Uninstall(7)
		a.say(t, "notified, and Load says otherwise", 7, "100ms first", 2)
		a.say(t, "another store", 8, "100ms first", 3)
		a.fail = fmt.Errorf("no token: %w", ErrUninstalled)
		a.say(t, "uninstalled, and not notified", 7, "0s first", 3)
		a.Uninstall(7)
		a.say(t, "notified, and Load agrees", 7, "100ms uninstalled", 4)
		a.say(t, "each cart has Load asked", 7, "100ms uninstalled", 5)
		a.fail = nil
		a.say(t, "installed again, and not notified", 7, "100ms first", 6)
		a.fail = fmt.Errorf("no token: %w", ErrUninstalled)
		a.say(t, "found out by the load", 9, "100ms uninstalled", 7)
		time.Sleep(48 * time.Hour)
		a.fail = nil
		a.say(t, "installed again two days later, and not notified", 9, "100ms first", 8)
		a.Install(9)
		a.say(t, "installed", 9, "100ms first", 9)

		// A load that began before the news does not overrule it.
		for news, tell := range map[string]func(client.ID){"uninstalled": a.Uninstall, "installed": a.Install} {
			before := a.loads.Load()
			a.Install(11)
			a.fail = fmt.Errorf("old token: %w", ErrUninstalled)
			time.AfterFunc(50*time.Millisecond, func() {
				a.change(func() { a.fail = nil })
				tell(11)
			})
			a.say(t, news+" while it loads", 11, "150ms first", before+2)
		}
		// Nor does one that ignores its context, and the cart waits for the next.
		late := make(chan struct{})
		a.instead = func() error { <-late; return ErrUninstalled }
		time.AfterFunc(100*time.Millisecond, func() {
			a.change(func() { a.instead = nil })
			a.Install(12)
		})
		time.AfterFunc(200*time.Millisecond, func() { close(late) })
		a.say(t, "installed while a load ignores its context", 12, "300ms first", a.loads.Load()+2)
		if len(a.failed) > 0 {
			t.Errorf("reported %q", a.failed)
		}
	})
}

// A load that began later counts, whichever ends first; one that failed takes nothing away from the others.
func TestPromotionCacheRefreshes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		a.takes = time.Second
		a.say(t, "under way", 7, "600ms unknown", 1)
		a.takes, a.name = 10*time.Millisecond, "second"
		if err := a.Refresh(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		a.say(t, "the load in the background was earlier, and later", 7, "0s second", 2)

		a.takes = time.Second
		a.say(t, "under way", 8, "600ms unknown", 3)
		a.takes, a.fail = 10*time.Millisecond, io.ErrUnexpectedEOF
		if err := a.Refresh(t.Context(), 8); !errors.Is(err, a.fail) {
			t.Errorf("refreshed: %v", err)
		}
		time.Sleep(2 * time.Second)
		a.say(t, "a refresh failed meanwhile", 8, "0s second", 4)

		a.takes, a.fail = time.Second, nil
		brief, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := a.Refresh(brief, 9); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("refreshed: %v", err)
		}
		a.takes = 100 * time.Millisecond
		a.say(t, "the caller of a refresh had no time", 9, "100ms second", 6)
		a.fail = fmt.Errorf("no token: %w", ErrUninstalled)
		if err := a.Refresh(t.Context(), 9); !errors.Is(err, ErrUninstalled) {
			t.Errorf("refreshed: %v", err)
		}
		a.say(t, "a refresh found out", 9, "100ms uninstalled", 8)
	})
}

// Whatever a plan may go by makes another promotion.
func TestSamePromotion(t *testing.T) {
	first := promotions.Promotion{ID: uuid.MustParse("11111111-1111-4111-8111-111111111111"), Name: "n", Tier: promotions.TierLineItems,
		Active: true, Extra: client.Extra{"a": []byte("1")}}
	same := first
	same.Extra = maps.Clone(first.Extra)
	if !samePromotion(first, same) {
		t.Error("a copy is another one")
	}
	for name, change := range map[string]func(*promotions.Promotion){
		"id":               func(p *promotions.Promotion) { p.ID = uuid.Nil },
		"name":             func(p *promotions.Promotion) { p.Name = "m" },
		"tier":             func(p *promotions.Promotion) { p.Tier = promotions.TierCrossItems },
		"switched off":     func(p *promotions.Promotion) { p.Active = false },
		"combination":      func(p *promotions.Promotion) { p.WithAppDiscounts = true },
		"unknown value":    func(p *promotions.Promotion) { p.Extra = client.Extra{"a": []byte("2")} },
		"unknown field":    func(p *promotions.Promotion) { p.Extra = client.Extra{"b": []byte("1")} },
		"unknown, no more": func(p *promotions.Promotion) { p.Extra = nil },
	} {
		other := first
		if change(&other); samePromotion(first, other) {
			t.Errorf("%s: the same", name)
		}
	}
}

// Carts come only from stores with promotions, so a store without any is looked at sooner.
func TestPromotionCacheWithoutPromotions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		a.none = true
		a.say(t, "none yet", 7, "100ms ", 1)
		a.none = false
		time.Sleep(5 * time.Second)
		a.say(t, "asked", 7, "0s ", 2)
		time.Sleep(time.Second)
		a.say(t, "found", 7, "0s first", 2)
	})
}

func TestPromotionCacheIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		a.MaxStores = 100
		var known, crowded atomic.Int32
		var wg sync.WaitGroup
		for i := range 1000 {
			for range 2 {
				wg.Go(func() {
					switch _, err := a.lookup(t.Context(), client.ID(i+1)); {
					case err == nil:
						known.Add(1)
					case errors.Is(err, errCrowded) && errors.Is(err, ErrNoPromotions) && strings.Contains(err.Error(),
						"MaxStores is 100"):
						crowded.Add(1)
					default:
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		if a.shelves.Len() != 100 || a.most.Load() != mostLoads {
			t.Errorf("%d stores, %d loads at a time", a.shelves.Len(), a.most.Load())
		}
		// All arrive at once, so that no more than MaxStores can wait, and the newest get nothing.
		if known.Load() != 200 || crowded.Load() != 1800 || len(a.failed) > 0 {
			t.Errorf("%d carts with promotions and %d without, reported %q; want 200, 1800, and nothing: the loads that were not called have not failed",
				known.Load(), crowded.Load(), a.failed)
		}

		b := newAPI() // the store not used for longest goes first
		defer b.Close()
		b.MaxStores = 2
		b.say(t, "the first", 1, "100ms first", 1)
		b.say(t, "the second", 2, "100ms first", 2)
		b.say(t, "the first again", 1, "0s first", 2)
		b.say(t, "the third", 3, "100ms first", 3)
		b.say(t, "the first is kept", 1, "0s first", 3)
		b.say(t, "the second is not", 2, "100ms first", 4)
	})
}

// Close ends what goes on; what is known is served on.
func TestPromotionCacheCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.say(t, "known", 7, "100ms first", 1)
		a.takes = time.Hour
		time.Sleep(time.Minute)
		a.say(t, "loading", 7, "0s first", 2)
		began := time.Now()
		if err := a.Close(); err != nil || time.Since(began) > 0 {
			t.Errorf("closed after %v: %v", time.Since(began), err)
		}
		time.Sleep(time.Hour)
		a.say(t, "known, and closed", 7, "0s first", 2)
		a.say(t, "not known, and closed", 8, "0s unknown", 2)
		if err := a.Close(); err != nil || len(a.failed) > 0 {
			t.Errorf("closed again: %v, %q", err, a.failed)
		}
		if err := new(PromotionCache).Close(); err != nil {
			t.Error(err)
		}
	})
}

// What the app's function does wrong is an error and no more.
func TestPromotionCacheSurvivesItsLoad(t *testing.T) {
	r := &PromotionCache{OnFailure: func(_ context.Context, f *Failure) {
		if f.Stack == nil || f.StoreID != 7 {
			t.Errorf("reported %v", f)
		}
	}}
	defer r.Close()
	r.Load = func(context.Context, client.ID) ([]promotions.Promotion, error) { panic("no") }
	if _, err := r.lookup(t.Context(), 7); !errors.Is(err, ErrNoPromotions) || !strings.Contains(err.Error(),
		"panic: no") {
		t.Errorf("got %v", err)
	}
	if err := (&PromotionCache{}).Refresh(t.Context(), 7); err == nil {
		t.Error("refreshed without Load")
	}
}

// The handler is as good as what the cache knows.
func TestHandlerWithoutPromotions(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		p := newProbe(t, Plans{LineItems: half}, func(h *Handler) { h.Promotions = a.PromotionCache; h.Late = PolicyRemoveOwn })
		a.takes = time.Second
		if got := timed(t, p, cart); got != "204 600ms " || !errors.Is(p.failures()[0], ErrNoPromotions) {
			t.Errorf("got %s, %v", got, p.failures())
		}
		a.change(func() { a.takes, a.fail = 100*time.Millisecond, ErrUninstalled })
		a.Uninstall(123)
		if got := timed(t, p, cart); got != "310 100ms " || len(p.failures()) != 1 {
			t.Errorf("got %s, %v", got, p.failures())
		}
	})
}
