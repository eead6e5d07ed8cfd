package oauth_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/oauth"
)

// A token that the platform does not know for its first seconds is stored. One that stays refused is superseded.
func TestTokenThatIsNotKnownYet(t *testing.T) {
	for _, refused := range []time.Duration{0, time.Second, 4 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			state, cookie := s.begin(t)
			began := time.Now()
			s.Verify = func(context.Context, oauth.Install) (bool, error) { return time.Since(began) >= refused, nil }
			status := s.land("state="+state+"&code="+s.platform.code(storeA), cookie).Code
			_, err := s.tokens.Load(t.Context(), storeA)
			if stored := refused < 5*time.Second; stored != (err == nil) || stored != (status == 200) {
				t.Errorf("refused for %v: answered %d, stored: %v", refused, status, err)
			}
			if refused == time.Hour && (!errors.Is(s.lastReport(t), oauth.ErrSuperseded) || time.Since(began) > 10*time.Second) {
				t.Errorf("refused permanently: reported %v after %v", s.lastReport(t), time.Since(began))
			}
		})
	}
}
