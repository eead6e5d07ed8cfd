package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// A token that the platform does not know for its first seconds is stored, and OnInstalled is called. One that stays
// refused is the token of the store too. The page is true, and the judge has one refusal.
func TestTokenThatIsNotKnownYet(t *testing.T) {
	for _, refused := range []time.Duration{0, time.Second, 4 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			s.Judge = &client.Judge{}
			for range 3 {
				s.Judge.Observe(t.Context(), storeA, client.ErrUnauthorized) // of an earlier token
				time.Sleep(10 * time.Minute)
			}
			installed := 0
			s.OnInstalled = func(context.Context, oauth.Install) error { installed++; return nil }
			state, cookie := s.begin(t)
			began := time.Now()
			s.Verify = func(context.Context, oauth.Install) (bool, error) { return time.Since(began) >= refused, nil }
			rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie)
			known, doubts := refused < 5*time.Second, s.Judge.Doubts(t.Context())
			if in := s.stored(t); in.Due == known || string(in.Token) != s.platform.issued[0] {
				t.Errorf("refused for %v: stored %+v, Due %v; want Due %v", refused, in, in.Due, !known)
			}
			if known != (rec.Code == 200) || known != (installed == 1) || known != (len(doubts) == 0) {
				t.Errorf("refused for %v: answered %d, %d calls of OnInstalled, doubts %v", refused, rec.Code, installed, doubts)
			}
			if known {
				return
			}
			if err := s.lastReport(t); rec.Code != 503 || !errors.Is(err, oauth.ErrIncomplete) ||
				errors.Is(err, oauth.ErrSuperseded) || time.Since(began) > 10*time.Second || len(s.reported) != 1 ||
				!strings.Contains(rec.Body.String(), "does not let the app in yet") || doubts[storeA].Refusals != 1 {
				t.Errorf("reported %v after %v, doubts %v, and\n%s", s.reported, time.Since(began), doubts, rec.Body)
			}
		})
	}
}

// A new token that the platform refuses for a while replaces a record that cannot be read.
func TestRefusedTokenReplacesRecordThatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		swapped, err := s.tokens.Swap(t.Context(), storeA, 0, &oauth.Install{StoreID: storeA, Token: "old", Generation: 5})
		if err != nil || !swapped {
			t.Fatal(swapped, err)
		}
		began := time.Now()
		s.Tokens = unreadableOnce{s.tokens}
		s.Verify = func(context.Context, oauth.Install) (bool, error) { return time.Since(began) > time.Minute, nil }
		state, cookie := s.begin(t)
		s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
		time.Sleep(time.Minute)
		must(t, s.Revive(t.Context()))
		if in := s.stored(t); string(in.Token) != s.platform.issued[0] || in.Due {
			t.Errorf("stored %v, want the new token", in)
		}
	})
}

// unreadableOnce cannot read the record of generation 5.
type unreadableOnce struct{ *oauth.MemoryStore }

func (u unreadableOnce) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	in, err := u.MemoryStore.Load(ctx, id)
	if in.Generation == 5 {
		return oauth.Install{StoreID: id, Generation: 5}, fmt.Errorf("%w: no key", oauth.ErrUnreadable)
	}
	return in, err
}

// While the platform does not know a new token, it may still accept the one before, whatever the clock of the machine
// showed that stored it. A token that was issued later remains.
func TestRefusedTokenBesideAnother(t *testing.T) {
	const day = 24 * time.Hour
	for _, v := range []struct {
		name     string
		arrived  time.Duration // of the stored token, after the new one
		accepted bool          // the stored token
		replaced bool          // by the new one
	}{
		{"installed yesterday", -day, false, true},
		{"installed yesterday, and still accepted", -day, true, true},
		{"installed two seconds ago, and still accepted", -2 * time.Second, true, true},
		{"arrived while the new one was requested, and accepted", -time.Millisecond, true, false},
		{"arrived while the new one was requested", -time.Millisecond, false, true},
		{"arrived later", time.Millisecond, false, false},
		{"a clock a day ahead", day, false, true},
		{"a clock a day ahead, and accepted", day, true, false},
	} {
		t.Run(v.name, bubble(func(t *testing.T) {
			s := newSite(t)
			s.platform.pause = func(int) { time.Sleep(10 * time.Millisecond) }
			old := oauth.Install{StoreID: storeA, Token: "old", Generation: 5, InstalledAt: time.Now().Add(10*time.Millisecond + v.arrived)}
			if swapped, err := s.tokens.Swap(t.Context(), storeA, 0, &old); err != nil || !swapped {
				t.Fatal(swapped, err)
			}
			s.Verify = func(_ context.Context, in oauth.Install) (bool, error) { return in.Token == "old" && v.accepted, nil }
			state, cookie := s.begin(t)
			rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
			in := s.stored(t)
			if in.Due != v.replaced || (in.Token == "old") == v.replaced || (rec.Code == 503) != v.replaced {
				t.Errorf("answered %d, stored %+v, Due %v; want the new token: %v", rec.Code, in, in.Due, v.replaced)
			}
		}))
	}
}
