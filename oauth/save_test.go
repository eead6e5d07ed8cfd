package oauth_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// awayStore is a database that is away from a moment on, for some time, or loses the answer of a Swap.
type awayStore struct {
	oauth.MemoryStore
	until time.Time
	lost  bool
	swaps int
}

var errAway = errors.New("terminating connection due to administrator command")

func (a *awayStore) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	if time.Now().Before(a.until) {
		return oauth.Install{}, errAway
	}
	return a.MemoryStore.Load(ctx, id)
}

func (a *awayStore) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	if time.Now().Before(a.until) {
		return false, errAway
	}
	a.swaps++
	swapped, err := a.MemoryStore.Swap(ctx, id, old, next)
	if a.lost && a.swaps == 1 {
		return false, errAway
	}
	return swapped, err
}

// The exchange of a code ends the previous token of a store. The new one was lost if the database was away for a moment
// after that.
func TestTokenIsStoredOnceTheDatabaseIsBack(t *testing.T) {
	for _, test := range []struct {
		name   string
		away   time.Duration
		lost   bool
		status int
		swaps  int
	}{
		{"there", 0, false, 200, 1},
		{"away for two seconds", 2 * time.Second, false, 200, 1},
		{"away for ten seconds", 10 * time.Second, false, 200, 1},
		{"the answer of Swap is lost", 0, true, 200, 1},
		{"away for a minute", time.Minute, false, 500, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			store := &awayStore{lost: test.lost}
			s.Tokens = store
			state, cookie := s.begin(t)
			began := time.Now()
			store.until = began.Add(test.away)
			rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
			took := time.Since(began)
			if rec.Code == 303 {
				rec = s.get(rec.Header().Get("Location")[1:], append(rec.Result().Cookies(), cookie)...)
			}
			if rec.Code != test.status || store.swaps != test.swaps || took > 20*time.Second {
				t.Errorf("%s: got %d after %v and %d swaps, want %d and %d", test.name, rec.Code, took, store.swaps, test.status, test.swaps)
			}
			if in, err := store.MemoryStore.Load(t.Context(), storeA); (err == nil) != (test.status == 200) {
				t.Errorf("%s: the store has %v, %v", test.name, in, err)
			}
		})
	}
}
