package multistore_test

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

var errAway = errors.New("the database is away")

// failing is a token store whose database is away for some time.
type failing struct {
	*oauth.MemoryStore
	mu          sync.Mutex
	from, until time.Time
	atRetire    bool // it goes away for ten minutes after a token was retired
}

func (f *failing) away() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Before(f.from) || !now.Before(f.until) {
		return nil
	}
	return errAway
}

// retired is called when a token is retired.
func (f *failing) retired() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.atRetire {
		f.from, f.until, f.atRetire = time.Now(), time.Now().Add(10*time.Minute), false
	}
}

func (f *failing) Load(ctx context.Context, store client.ID) (oauth.Install, error) {
	if err := f.away(); err != nil {
		return oauth.Install{}, err
	}
	return f.MemoryStore.Load(ctx, store)
}

func (f *failing) Swap(ctx context.Context, store client.ID, old int64, next *oauth.Install) (bool, error) {
	if err := f.away(); err != nil {
		return false, err
	}
	return f.MemoryStore.Swap(ctx, store, old, next)
}

func (f *failing) Retire(ctx context.Context, store client.ID, generation int64, at time.Time) (bool, error) {
	if err := f.away(); err != nil {
		return false, err
	}
	defer f.retired()
	return f.MemoryStore.Retire(ctx, store, generation, at)
}

func (f *failing) Retired(ctx context.Context) iter.Seq2[oauth.Install, error] {
	return func(yield func(oauth.Install, error) bool) {
		if err := f.away(); err != nil {
			yield(oauth.Install{}, err)
			return
		}
		f.MemoryStore.Retired(ctx)(yield)
	}
}

// replicas runs the workers and KeepRetired of two processes with a failing database, until stop.
func replicas(t *testing.T, s *shop, f *failing) (all [2]*replica, stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for i := range all {
		r := s.replica()
		r.Install.Tokens, r.Stores.Tokens = f, oauth.Sources(f)
		r.Install.OnError = func(context.Context, error) {}
		all[i] = r
		for _, run := range []func(context.Context) error{r.Worker.Run, r.Install.KeepRetired} {
			running.Go(func() {
				if err := run(ctx); err != nil {
					t.Error(err)
				}
			})
		}
	}
	time.Sleep(time.Second)
	return all, func() { cancel(); running.Wait() }
}

// holds fails the test unless a store has a valid token, a retired one (active is false), or none (record is false).
func holds(t *testing.T, f *failing, when string, store client.ID, record, active bool) {
	t.Helper()
	in, err := f.MemoryStore.Load(t.Context(), store)
	if (in.Generation != 0) != record || (err == nil) != active {
		t.Errorf("%s: store %d: %+v, %v; want a record: %v, that is valid: %v", when, store, in, err, record, active)
	}
}

// store/redact arrives, and the database fails for ten minutes: at once, while the store is doubtful, or between the
// end of the token and its deletion. No token is lost meanwhile. Afterwards the token is erased and the copies are
// forgotten, by either of two replicas. A store that has the app keeps both.
func TestRedactWithAFailingDatabase(t *testing.T) {
	for _, begins := range []time.Duration{0, 20 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(t, 3)
			from := time.Now().Add(begins)
			f := &failing{MemoryStore: s.tokens, from: from, until: from.Add(10 * time.Minute)}
			f.atRetire = begins == time.Hour
			all, stop := replicas(t, s, f)
			defer stop()
			forgotten := map[client.ID]int{}
			fails := 2
			for _, r := range all {
				r.OnForget(func(_ context.Context, store client.ID) error {
					s.mu.Lock()
					defer s.mu.Unlock()
					if fails--; fails >= 0 {
						return errAway
					}
					forgotten[store]++
					return nil
				})
			}
			s.platform.set(false, 1)
			for store := client.ID(1); store <= 2; store++ {
				body := webhooktest.Body(store, "store/redact", nil)
				if status, err := all[0].hooks.Deliver(t.Context(), body); status != http.StatusOK || err != nil {
					t.Fatal(status, err)
				}
			}
			time.Sleep(9 * time.Minute)
			holds(t, f, "while the database is away", 1, true, begins < time.Hour)
			time.Sleep(time.Hour)
			holds(t, f, "an hour later", 1, false, false)
			holds(t, f, "an hour later", 2, true, true)
			s.mu.Lock()
			defer s.mu.Unlock()
			if forgotten[1] == 0 || forgotten[2] != 0 || len(s.lost) > 0 {
				t.Errorf("forgotten %v, lost %q; want the copies of store 1", forgotten, s.lost)
			}
		})
	}
}

// A retired token is erased 30 days later, not before, and by one of two replicas. The database is away at that time.
func TestRetiredTokensOfTwoReplicas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, 3)
		due := time.Now().Add(oauth.RetiredFor)
		f := &failing{MemoryStore: s.tokens, from: due.Add(-time.Hour), until: due.Add(5 * time.Hour)}
		s.platform.set(false, 1)
		s.platform.answers(2, refusedUntil(due.Add(-48*time.Hour)))
		for store := client.ID(1); store <= 2; store++ {
			if done, err := f.Retire(t.Context(), store, int64(store), time.Now()); !done || err != nil {
				t.Fatal(done, err)
			}
		}
		_, stop := replicas(t, s, f)
		defer stop()
		time.Sleep(oauth.RetiredFor - 49*time.Hour)
		holds(t, f, "two days before", 1, true, false)
		holds(t, f, "two days before", 2, true, false)
		time.Sleep(2 * time.Hour)
		holds(t, f, "an hour after the platform accepts it", 2, true, true)
		time.Sleep(51 * time.Hour)
		holds(t, f, "while the database is away", 1, true, false)
		time.Sleep(3 * time.Hour)
		holds(t, f, "after 30 days", 1, false, false)
		holds(t, f, "after 30 days", 2, true, true)
		holds(t, f, "after 30 days", 3, true, true)
	})
}

// refusedUntil refuses the token until a time.
func refusedUntil(end time.Time) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		if time.Now().Before(end) {
			return refused(r)
		}
		return nil, nil
	}
}
