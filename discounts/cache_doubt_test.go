package discounts

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// A refusal that passes ends no promotions: carts are answered 204 while it lasts. A store that has refused the token
// for a minute is answered 310, and one with few carts after two minutes.
func TestPromotionCacheDoubts(t *testing.T) {
	cart := readCorpus(t).Carts["line_item"]
	for name, v := range map[string]struct {
		refused, every time.Duration // the token, and between two carts
		gone           time.Duration // of the first cart that is answered 310; 0 for none
	}{
		"a moment":      {100 * time.Millisecond, 3 * time.Second, 0},
		"half a minute": {31 * time.Second, 3 * time.Second, 0},
		"permanently":   {time.Hour, 3 * time.Second, time.Minute},
		"few carts":     {time.Hour, 2 * time.Minute, 2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newAPI()
				defer a.Close()
				var log bytes.Buffer
				a.takes, a.Judge, a.Logger = 0, nil, slog.New(slog.NewTextHandler(&log, nil))
				p := newProbe(t, Plans{LineItems: half}, func(h *Handler) { h.Promotions = a.PromotionCache })
				a.fail = ErrUninstalled
				began := time.Now()
				time.AfterFunc(v.refused, func() { a.change(func() { a.fail = nil }) })
				var gone time.Duration
				for at := time.Duration(0); at <= 3*time.Minute && gone == 0; at += v.every {
					time.Sleep(at - time.Since(began))
					got, all := post(p, cart).Code, p.failures()
					if got == StatusUninstalled {
						gone = at
					} else if doubt := errors.Is(all[len(all)-1], client.ErrDoubtful); doubt != (at < v.refused) || got != 204 {
						t.Errorf("after %v: status %d, doubtful: %v", at, got, doubt)
					}
				}
				if gone != v.gone {
					t.Errorf("310 after %v, want %v", gone, v.gone)
				}
				synctest.Wait()
				if got, want := strings.Count(log.String(), "are answered 310"), min(1, int(v.gone)); got != want {
					t.Errorf("%d lines about 310, want %d: %s", got, want, &log)
				}
			})
		})
	}
}

// While a store is doubtful, promotions that were loaded earlier are not used. A new installation ends the doubt.
func TestDoubtEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		defer a.Close()
		a.Judge = new(client.Judge)
		a.say(t, "loaded", 7, "100ms first", 1)
		a.change(func() { a.fail = ErrUninstalled })
		if err := a.Refresh(t.Context(), 7); !errors.Is(err, client.ErrDoubtful) {
			t.Errorf("refreshed: %v", err)
		}
		if _, err := a.lookup(t.Context(), 7); !errors.Is(err, client.ErrDoubtful) || !errors.Is(err, ErrNoPromotions) {
			t.Errorf("in doubt: %v", err)
		}
		for range 3 {
			time.Sleep(30 * time.Second)
			_ = a.Refresh(context.WithoutCancel(t.Context()), 7)
		}
		if _, err := a.lookup(t.Context(), 7); !errors.Is(err, ErrUninstalled) {
			t.Errorf("refused for a minute: %v", err)
		}
		a.Install(7)
		if _, err := a.lookup(t.Context(), 7); !errors.Is(err, client.ErrDoubtful) {
			t.Errorf("installed again: %v", err)
		}
	})
}
