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

// A token that the platform does not know for its first seconds is stored. One that stays refused is kept
// as a retired token, and the page says what to do.
func TestTokenThatIsNotKnownYet(t *testing.T) {
	for _, refused := range []time.Duration{0, time.Second, 4 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			state, cookie := s.begin(t)
			began := time.Now()
			s.Verify = func(context.Context, oauth.Install) (bool, error) { return time.Since(began) >= refused, nil }
			rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie)
			status := rec.Code
			_, err := s.tokens.Load(t.Context(), storeA)
			if stored := refused < 5*time.Second; stored != (err == nil) || stored != (status == 200) {
				t.Errorf("refused for %v: answered %d, stored: %v", refused, status, err)
			}
			if refused < time.Hour {
				return
			}
			if err := s.lastReport(t); status != 503 || errors.Is(err, oauth.ErrSuperseded) || time.Since(began) > 10*time.Second ||
				!strings.Contains(rec.Body.String(), "Start again in a few minutes") {
				t.Errorf("refused for an hour: reported %v after %v, and\n%s", err, time.Since(began), rec.Body)
			}
			time.Sleep(time.Hour)
			if err := s.Revive(t.Context()); err != nil {
				t.Error(err)
			}
			s.stored(t)
		})
	}
}

// A new token that the platform refuses for a while is kept, although the record before it cannot be read.
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
		if in := s.stored(t); string(in.Token) != s.platform.issued[0] {
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
