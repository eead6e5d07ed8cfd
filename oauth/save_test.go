package oauth_test

import (
	"context"
	"errors"
	"fmt"
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

// spoiledStore has a record of storeA that cannot be read, until another one replaces it.
type spoiledStore struct {
	oauth.MemoryStore
	generation int64 // of the record; 0 if that cannot be read either
}

var errSpoiled = fmt.Errorf("%w: the key is lost", oauth.ErrUnreadable)

func (s *spoiledStore) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	in, err := s.MemoryStore.Load(ctx, id)
	if err == nil && in.Token == "" {
		return oauth.Install{StoreID: id, Generation: s.generation}, errSpoiled
	}
	return in, err
}

// The exchange of a code ends the previous token of a store, so the new one is stored although the record of the
// previous one cannot be read.
func TestTokenReplacesRecordThatCannotBeRead(t *testing.T) {
	for generation, stored := range map[int64]bool{7: true, 0: false} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			store := &spoiledStore{generation: generation}
			var reported []error
			s.Tokens, s.OnError = store, func(_ context.Context, err error) { reported = append(reported, err) }
			spoiled := oauth.Install{StoreID: storeA, Generation: 7}
			if ok, err := store.Swap(t.Context(), storeA, 0, &spoiled); !ok || err != nil {
				t.Fatal(ok, err)
			}
			state, cookie := s.begin(t)
			rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
			in, err := store.Load(t.Context(), storeA)
			if (rec.Code == 303) != stored || (err == nil && in.Token != "") != stored {
				t.Errorf("generation %d: got %d, and the store has %v, %v", generation, rec.Code, in, err)
			}
			if len(reported) != 1 || !errors.Is(reported[0], oauth.ErrUnreadable) {
				t.Errorf("generation %d: reported %v, want ErrUnreadable once", generation, reported)
			}
		})
	}
}
