package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// court is a platform that refuses the tokens of some stores, and a judge that observes it.
type court struct {
	*client.Judge
	t       *testing.T
	refused func(store client.ID) error
	outages []client.AuthorizationOutage
	probes  atomic.Int64
}

func newCourt(t *testing.T, probe bool) *court {
	c := &court{t: t, Judge: new(client.Judge), refused: func(client.ID) error { return nil }}
	c.OnOutage = func(_ context.Context, o client.AuthorizationOutage) { c.outages = append(c.outages, o) }
	if probe {
		c.Probe = func(_ context.Context, store client.ID) error {
			c.probes.Add(1)
			return c.refused(store)
		}
	}
	return c
}

// call makes a call to each store from first to last.
func (c *court) call(first, last client.ID) {
	for store := first; store <= last; store++ {
		c.Observe(c.t.Context(), store, c.refused(store))
	}
}

func (c *court) expect(what string, store client.ID, act client.Act, want client.Access) client.Verdict {
	c.t.Helper()
	v := c.Verdict(c.t.Context(), store, act)
	if v.Access != want || (v.Access == client.AccessDoubtful) != errors.Is(v.Err(), client.ErrDoubtful) {
		c.t.Errorf("%s: %s of store %d: got %+v, want %s", what, act, store, v, want)
	}
	return v
}

func unauthorized(client.ID) error { return fmt.Errorf("GET /store: %w", client.ErrUnauthorized) }

// Each act requires its own evidence, of a refused token as of a missing one. A missing one suffices for 310.
func TestJudgeRequiresEvidence(t *testing.T) {
	for act, times := range map[client.Act][]time.Duration{
		client.ActErase:         {0, time.Second, 29 * time.Second, 30 * time.Second},
		client.ActEndPromotions: {0, 30 * time.Second, time.Minute},
		client.ActRetire:        {0, 9 * time.Minute, 10 * time.Minute},
	} {
		for _, refusal := range []error{unauthorized(1), oauth.ErrNotInstalled} {
			missing := act == client.ActEndPromotions && errors.Is(refusal, oauth.ErrNotInstalled)
			synctest.Test(t, func(t *testing.T) {
				c := newCourt(t, false)
				c.refused = func(client.ID) error { return refusal }
				began := time.Now()
				c.expect("at first", 1, act, client.AccessActive)
				for i, at := range times {
					time.Sleep(at - time.Since(began))
					c.call(1, 1)
					want := client.AccessDoubtful
					if i == len(times)-1 || missing {
						want = client.AccessGone
					}
					c.expect(fmt.Sprint("after ", at), 1, act, want)
				}
				c.Observe(t.Context(), 1, io.ErrUnexpectedEOF)
				c.expect("after an error that says nothing", 1, act, client.AccessGone)
				c.Observe(t.Context(), 1, client.ErrForbidden)
				c.expect("after the token was accepted", 1, act, client.AccessActive)
			})
		}
	}
}

// Refusals that are close together, and few refusals over a long time, are no evidence; of carts, two over two minutes
// are.
func TestJudgeOfFewRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourt(t, false)
		c.refused = unauthorized
		for range 100 {
			c.call(1, 1)
		}
		c.expect("100 at once", 1, client.ActErase, client.AccessDoubtful)
		c.call(2, 2)
		time.Sleep(2 * time.Minute)
		c.call(2, 2)
		c.expect("two over two minutes", 2, client.ActErase, client.AccessDoubtful)
		c.expect("two over two minutes", 2, client.ActEndPromotions, client.AccessGone)
		c.Installed(2)
		c.expect("a new token", 2, client.ActEndPromotions, client.AccessActive)
		time.Sleep(25 * time.Hour)
		c.call(1, 1)
		c.expect("refused yesterday too", 1, client.ActRetire, client.AccessDoubtful)
	})
}

// The token of a store was replaced, at another replica of the app. Refusals of the earlier token are no evidence about
// it. While the platform may not have accepted it yet, all acts require ten minutes.
func TestJudgeOfANewToken(t *testing.T) {
	acts := []client.Act{client.ActErase, client.ActEndPromotions, client.ActRetire}
	for name, v := range map[string]struct {
		before, after int64 // numbers of the tokens
		isNew         bool
		err           error // of Token, after the replacement
		gone          []client.Act
		over          time.Duration // later refusals
	}{
		"the same token":               {5, 5, false, nil, acts, 0},
		"another token":                {5, 6, false, nil, nil, 29 * time.Second},
		"another token for a minute":   {5, 6, false, nil, acts[:2], time.Minute},
		"a new one":                    {5, 6, true, nil, nil, 9 * time.Minute},
		"a new one for ten minutes":    {5, 6, true, nil, acts, 10 * time.Minute},
		"one after none":               {0, 6, false, nil, nil, 0},
		"none after one":               {5, 0, false, nil, acts, 0},
		"the database does not answer": {5, 6, false, io.ErrUnexpectedEOF, acts, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCourt(t, false)
				c.refused = unauthorized
				number, isNew, failed := v.before, false, error(nil)
				c.Token = func(context.Context, client.ID) (int64, bool, error) { return number, isNew, failed }
				for range 3 {
					c.call(1, 1)
					time.Sleep(10 * time.Minute)
				}
				number, isNew, failed = v.after, v.isNew, v.err
				for range 3 {
					c.call(1, 1)
					time.Sleep(v.over / 2)
				}
				for _, act := range acts {
					want := client.AccessDoubtful
					if slices.Contains(v.gone, act) {
						want = client.AccessGone
					}
					c.expect(name, 1, act, want)
				}
			})
		})
	}
}

// Verdict.Wait leads to evidence at the earliest time. It is never long, because a refusal may have been of a token
// that was being replaced.
func TestJudgeWaits(t *testing.T) {
	for act, want := range map[client.Act]time.Duration{
		client.ActErase: 30 * time.Second, client.ActEndPromotions: time.Minute, client.ActRetire: 10 * time.Minute,
	} {
		synctest.Test(t, func(t *testing.T) {
			c, began := newCourt(t, false), time.Now()
			c.refused = unauthorized
			for c.call(1, 1); ; c.call(1, 1) {
				v := c.Verdict(t.Context(), 1, act)
				if v.Access == client.AccessGone {
					break
				}
				if v.Wait > time.Minute {
					t.Errorf("%s waits %v after %d refusals", act, v.Wait, v.Refusals)
				}
				time.Sleep(v.Wait)
			}
			if took := time.Since(began); took != want {
				t.Errorf("%s after %v, want %v", act, took, want)
			}
		})
	}
}

// In an outage of the platform's authorization no store is gone, however long the store is refused within a day. It is
// reported once. After it, each store requires new evidence.
// Calls that many stores accepted shortly before an outage do not hide it, if this process asks fewer stores in it.
func TestJudgeOfAnOutageAfterTraffic(t *testing.T) {
	for _, probe := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := newCourt(t, probe)
			c.call(1, 100)
			time.Sleep(20 * time.Second)
			c.refused = unauthorized
			for range 4 {
				c.call(1, 45)
				time.Sleep(10 * time.Second)
			}
			c.expect("after 30 s of refusals", 7, client.ActErase, client.AccessDoubtful)
			if len(c.outages) != 1 {
				t.Errorf("probe %t: reported %+v, want one outage", probe, c.outages)
			}
		})
	}
}

func TestJudgeOfAnOutage(t *testing.T) {
	for _, probe := range []bool{false, true} {
		for _, lasts := range []time.Duration{3 * time.Second, time.Minute, time.Hour, 12 * time.Hour} {
			t.Run(fmt.Sprint(probe, lasts), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := newCourt(t, probe)
					c.call(1, 1000)
					c.refused = unauthorized
					for began := time.Now(); time.Since(began) < lasts; time.Sleep(lasts / 7) {
						for range 4 {
							c.call(1, 1000)
						}
						c.expect("in the outage", 7, client.ActEndPromotions, client.AccessDoubtful)
					}
					time.Sleep(time.Minute)
					c.refused = func(store client.ID) error {
						if store == 7 { // this one is gone
							return unauthorized(7)
						}
						return nil
					}
					c.call(1, 8)
					time.Sleep(15 * time.Second)
					c.call(1, 1000)
					c.expect("afterwards", 7, client.ActErase, client.AccessDoubtful)
					c.expect("afterwards", 8, client.ActErase, client.AccessActive)
					for range 3 {
						time.Sleep(20 * time.Second)
						c.call(7, 7)
					}
					c.expect("a minute later", 7, client.ActErase, client.AccessGone)
					if len(c.outages) != 2 || !c.outages[0].Ended.IsZero() || c.outages[1].Ended.IsZero() || c.outages[1].Since != c.outages[0].Since {
						t.Errorf("reported %+v, want one outage and its end", c.outages)
					}
				})
			})
		}
	}
}

// Merchants who remove the app in the same minute are no outage, because other stores are accepted. An outage of
// more than a day does not count any more.
func TestJudgeOfManyRemovals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourt(t, true)
		c.call(1, 1000)
		time.Sleep(time.Hour)
		c.refused = func(store client.ID) error {
			if store <= 3 {
				return unauthorized(store)
			}
			return nil
		}
		for range 4 {
			c.call(1, 3)
			time.Sleep(20 * time.Second)
		}
		for store := client.ID(1); store <= 3; store++ {
			c.expect("removed", store, client.ActErase, client.AccessGone)
		}
		if len(c.outages) != 0 || c.probes.Load() == 0 || c.probes.Load() > 5*8 {
			t.Errorf("reported %+v after %d probes, want no outage", c.outages, c.probes.Load())
		}
		c.refused = unauthorized
		for range 26 {
			c.call(1, 1000)
			time.Sleep(time.Hour)
		}
		c.expect("refused for a day", 1, client.ActErase, client.AccessGone)
	})
}

// Stores whose token is missing are no sign of an outage, and are judged during one.
func TestJudgeOfMissingTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourt(t, false)
		c.refused = func(client.ID) error { return oauth.ErrNotInstalled }
		for range 3 {
			c.call(1, 50)
			time.Sleep(20 * time.Second)
		}
		c.expect("missing", 1, client.ActErase, client.AccessGone)
		c.refused = unauthorized
		c.call(51, 60)
		c.expect("missing, in an outage", 1, client.ActErase, client.AccessGone)
		if v := c.expect("in an outage", 60, client.ActErase, client.AccessDoubtful); !v.Outage || v.Wait <= 0 {
			t.Errorf("got %+v, want an outage", v)
		}
		if doubts := c.Doubts(t.Context()); len(doubts) != 60 || !doubts[51].Outage || doubts[1].Outage {
			t.Errorf("%d doubts: %+v", len(doubts), doubts[51])
		}
	})
}

// A probe that panics, or does not return, costs an outage some time, and no memory without bound.
func TestJudgeOfBadProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, release := newCourt(t, true), make(chan struct{})
		c.call(1, 100)
		c.Probe = func(_ context.Context, store client.ID) error {
			if c.probes.Add(1); store%2 == 0 {
				panic("no")
			}
			<-release
			return nil
		}
		c.refused = unauthorized
		for range 100 {
			c.call(1, 100)
			c.expect("bad probes", 1, client.ActErase, client.AccessDoubtful)
			time.Sleep(time.Minute)
		}
		if n := c.probes.Load(); n > 200 {
			t.Errorf("%d calls of a Probe that hangs", n)
		}
		close(release)
	})
}
