package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	uninstalled = `{"store_id":123,"event":"app/uninstalled","id":7}`
	redacted    = `{"store_id":123,"event":"store/redact"}`
)

// shop is a store whose app can be uninstalled.
type shop struct {
	*house
	mu     sync.Mutex
	access webhook.Access
	runs   map[string]int
}

// becomes changes what the API says about the installation.
func (s *shop) becomes(access webhook.Access) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.access = access
}

// is returns what the API says about a store.
func (s *shop) is(store client.ID) webhook.Access {
	s.mu.Lock()
	defer s.mu.Unlock()
	if store != 123 {
		return webhook.AccessActive
	}
	return s.access
}

// note counts a run, and returns how many of its kind there were.
func (s *shop) note(what string, n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs[what] += n
	return s.runs[what]
}

// ran returns how many runs of a kind there were.
func (s *shop) ran(what string) int { return s.note(what, 0) }

// newShop handles order/paid, which fails as the API does without the app, uninstalls and redactions.
func newShop(t *testing.T) *shop {
	s := &shop{house: newHouse(t), access: webhook.AccessActive, runs: map[string]int{}}
	webhook.On(s.events, webhook.OrderPaid, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
		s.note(fmt.Sprint("order of ", d.StoreID), 1)
		if s.is(d.StoreID) == webhook.AccessGone {
			return fmt.Errorf("get order: %w", &client.Error{Status: 401})
		}
		return nil
	})
	webhook.On(s.events, webhook.AppUninstalled, func(context.Context, webhook.Delivery[webhook.App]) error {
		s.note("uninstalled", 1)
		return nil
	})
	webhook.On(s.events, webhook.StoreRedactRequested,
		func(context.Context, webhook.Delivery[webhook.StoreRedact]) error {
			s.note("store/redact", 1)
			return nil
		})
	webhook.On(s.events, webhook.CustomerRedactRequested,
		func(context.Context, webhook.Delivery[webhook.CustomerRedact]) error {
			s.note("customers/redact", 1)
			return nil
		})
	s.worker.Probe = func(_ context.Context, store client.ID) (webhook.Installation, error) {
		return webhook.Installation{Access: s.is(store)}, nil
	}
	return s
}

func (s *shop) orders(from, n int, store int) {
	s.t.Helper()
	for i := range n {
		s.deliver(fmt.Sprintf(`{"store_id":%d,"event":"order/paid","id":%d}`, store, from+i))
	}
}

// An uninstall leaves nothing behind: what was pending is dropped, and what comes late too. Other stores are not
// touched.
func TestUninstallDropsWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t)
		s.worker.MaxAttempts = 3
		s.becomes(webhook.AccessGone)
		s.orders(1, 30, 123)
		s.orders(1, 1, 7)
		time.Sleep(time.Second)
		s.deliver(uninstalled)
		stop := s.run()
		time.Sleep(time.Minute)
		s.orders(100, 5, 123) // late ones
		time.Sleep(49 * time.Hour)
		stop()
		if st := s.stats(); st.Pending+st.Dead != 0 {
			t.Errorf("left %+v, want nothing", st)
		}
		if s.ran("order of 7") != 1 || s.ran("uninstalled") != 1 {
			t.Errorf("ran %v", s.runs)
		}
		dropped := 0
		for _, r := range s.ended() {
			dropped += r.Dropped
		}
		if dropped != 35 {
			t.Errorf("%d entries were dropped, want 35", dropped)
		}
		told := false
		for _, f := range s.told() {
			told = told || errors.Is(f, webhook.ErrGone)
			if f.Dead {
				t.Errorf("reported %v, want no death", f)
			}
		}
		if !told {
			t.Error("nobody was told of what was dropped")
		}
	})
}

// A late uninstall, and one token that was not valid for a moment, drop nothing.
func TestInstalledAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t)
		s.worker.MaxAttempts = 1
		s.orders(1, 3, 123)
		s.becomes(webhook.AccessGone)
		stop := s.run()
		time.Sleep(10 * time.Millisecond)
		s.becomes(webhook.AccessActive) // the merchant approved the app again, and the new token is stored
		time.Sleep(time.Hour)
		stop()
		if st := s.stats(); st.Pending+st.Dead != 0 || s.ran("order of 123") != 6 {
			t.Errorf("ran %v, left %+v; want each order to have a second run", s.runs, st)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t)
		s.deliver(uninstalled) // late: the app is installed again
		s.orders(1, 3, 123)
		stop := s.run()
		time.Sleep(time.Hour)
		stop()
		if s.ran("order of 123") != 3 || s.ran("uninstalled") != 0 {
			t.Errorf("ran %v, want three orders and no uninstall", s.runs)
		}
	})
}

// Privacy requests are handled after an uninstall too, and reach dead letters.
func TestRedactReachesDeadLetters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t)
		s.worker.MaxAttempts = 1
		failing := errors.New("not now")
		webhook.On(s.events, webhook.OrderUpdated,
			func(context.Context, webhook.Delivery[webhook.Entity]) error { return failing })
		for _, body := range []string{
			`{"store_id":123,"event":"order/updated","id":1}`,
			`{"store_id":123,"event":"order/updated","id":2}`,
			`{"store_id":123,"event":"order/updated","id":3,"customer":{"id":77}}`,
			`{"store_id":123,"event":"order/updated","id":4,"contact_email":"Ana@Buyer.example"}`,
			`{"store_id":7,"event":"order/updated","id":1,"customer":{"id":77}}`,
		} {
			s.deliver(body)
		}
		stop := s.run()
		time.Sleep(time.Minute)
		left := func() (ids string) {
			letters, err := s.inbox.Dead(t.Context(), "", 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range letters {
				ids += l.Key + " "
			}
			return ids
		}
		if got, want := left(), ":123:order/updated:1 :123:order/updated:2 :123:order/updated:3 "+
			":123:order/updated:4 :7:order/updated:1 "; got != want {
			t.Fatalf("dead %s, want %s", got, want)
		}
		s.deliver(`{"store_id":123,"event":"customers/redact","customer":{"id":77,"email":"ana@buyer.example"},` +
			`"orders_to_redact":[1]}`)
		time.Sleep(time.Minute)
		if got, want := left(), ":123:order/updated:2 :7:order/updated:1 "; got != want {
			t.Errorf("after customers/redact dead %s, want %s", got, want)
		}
		s.becomes(webhook.AccessGone)
		s.deliver(redacted)
		time.Sleep(time.Hour)
		stop()
		if got, want := left(), ":7:order/updated:1 "; got != want {
			t.Errorf("after store/redact dead %s, want %s", got, want)
		}
		if s.ran("customers/redact") != 1 || s.ran("store/redact") != 1 {
			t.Errorf("ran %v", s.runs)
		}
		purged := 0
		for _, r := range s.ended() {
			purged += r.Purged
		}
		if purged != 4 {
			t.Errorf("%d entries were purged, want 4", purged)
		}
	})
}

// If the dead letters cannot be purged, the request is tried again.
func TestRedactIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t)
		s.becomes(webhook.AccessGone)
		broken := &unpurged{house: s.house, Inbox: s.inbox, DeadLetters: s.inbox}
		s.worker.Inbox = broken
		s.deliver(redacted)
		stop := s.run()
		time.Sleep(time.Hour)
		stop()
		if s.ran("store/redact") != 3 || s.stats().Pending != 0 || s.stats().Dead != 0 {
			t.Errorf("ran %v, left %+v; want a run for each failure, and an end", s.runs, s.stats())
		}
		if told := s.told(); len(told) != 2 || !errors.Is(told[0], errDisk) {
			t.Errorf("reported %v, want both failures", told)
		}
	})
}

var errDisk = errors.New("disk full")

// unpurged is an inbox that fails to purge twice.
type unpurged struct {
	*house
	webhook.Inbox
	webhook.DeadLetters
	calls int
}

func (u *unpurged) PurgeStore(ctx context.Context, store client.ID, match func(webhook.DeadLetter) bool) (int, error) {
	if u.calls++; u.calls < 3 {
		return 0, errDisk
	}
	return u.DeadLetters.PurgeStore(ctx, store, match)
}

// One refusal that passes runs no handler of app/uninstalled or store/redact. The entries wait, and do not fail. The
// handlers of a store that is gone run after half a minute; in direct mode the platform's retries lead there.
func TestPassingRefusal(t *testing.T) {
	for _, passes := range []time.Duration{100 * time.Millisecond, 20 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(t)
			s.deliver(uninstalled)
			s.deliver(`{"store_id":123,"event":"store/redact"}`)
			s.becomes(webhook.AccessGone)
			stop := s.run()
			time.Sleep(passes)
			if passes < time.Minute {
				s.becomes(webhook.AccessActive)
			}
			time.Sleep(time.Hour)
			stop()
			want := map[bool]int{true: 1}[passes > time.Minute]
			if s.ran("uninstalled") != want || s.ran("store/redact") != want || s.stats().Pending+s.stats().Dead != 0 {
				t.Errorf("refused for %v: ran %v, left %+v; want %d runs each and nothing left",
					passes, s.runs, s.stats(), want)
			}
			for _, f := range s.told() {
				if !errors.Is(f, webhook.ErrStale) && !errors.Is(f, webhook.ErrGone) {
					t.Errorf("refused for %v: reported %v", passes, f)
				}
			}
		})
	}
}

// In direct mode the retries of the platform lead to the evidence.
func TestPassingRefusalInDirectMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t)
		s.hooks.Inbox, s.hooks.Probe = nil, s.worker.Probe
		s.becomes(webhook.AccessGone)
		var statuses []int
		for _, retry := range []time.Duration{0, time.Second, time.Second, 5 * time.Minute} {
			time.Sleep(retry)
			statuses = append(statuses, s.status(uninstalled))
		}
		if !slices.Equal(statuses, []int{503, 503, 503, 200}) || s.ran("uninstalled") != 1 {
			t.Errorf("answered %v and ran %v; want 503 until the refusals are evidence", statuses, s.runs)
		}
	})
}
