package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// dueFleet are replicas of an app. The platform refuses a new token for some time.
type dueFleet struct {
	t        *testing.T
	platform *platform
	tokens   *oauth.MemoryStore
	states   oauth.MemoryStates
	until    time.Time // the platform refuses tokens
	began    time.Time
	verify   bool // the replicas have Verify
	replicas [2]*dueReplica

	mu    sync.Mutex
	calls []time.Duration // of OnInstalled that have succeeded, after began
	fails int             // calls of OnInstalled that still fail
	hangs int             // calls of OnInstalled that still end with their process
	lost  int             // calls of Swap that still fail
	of    []string        // tokens that OnInstalled was called for

	accepted func(s *site, in oauth.Install) // is called when Verify accepts a token, if it is not nil
}

type dueReplica struct {
	*site
	stop func()
}

func newDueFleet(t *testing.T, refused time.Duration, verify bool) *dueFleet {
	f := &dueFleet{t: t, verify: verify, platform: newPlatform(), tokens: &oauth.MemoryStore{}, began: time.Now()}
	f.until = f.began.Add(refused)
	for i := range f.replicas {
		f.start(i)
	}
	return f
}

func (r *dueReplica) reports() []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.reported)
}

// losing loses Swaps that follow a call of OnInstalled.
type losing struct {
	*oauth.MemoryStore
	f *dueFleet
}

func (l losing) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	l.f.mu.Lock()
	lost := len(l.f.calls) > 0 && l.f.lost > 0
	if lost {
		l.f.lost--
	}
	l.f.mu.Unlock()
	if lost {
		return false, errAway
	}
	return l.MemoryStore.Swap(ctx, id, old, next)
}

// start begins a process.
func (f *dueFleet) start(i int) {
	ctx, cancel := context.WithCancel(f.t.Context())
	s := newSite(f.t)
	s.platform, s.App.Transport, s.Tokens, s.States = f.platform, f.platform, losing{f.tokens, f}, &f.states
	s.Judge = &client.Judge{}
	if f.verify {
		s.Verify = func(_ context.Context, in oauth.Install) (bool, error) {
			alive := !time.Now().Before(f.until) && f.platform.isAlive(in)
			f.mu.Lock()
			accepted := f.accepted
			f.mu.Unlock()
			if alive && accepted != nil {
				accepted(s, in)
			}
			return alive, nil
		}
	}
	s.OnInstalled = func(_ context.Context, in oauth.Install) error { return f.installed(ctx, in) }
	var running sync.WaitGroup
	running.Go(func() { must(f.t, s.KeepRetired(ctx)) })
	f.replicas[i] = &dueReplica{s, func() { cancel(); running.Wait() }}
}

func (f *dueFleet) installed(process context.Context, in oauth.Install) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of = append(f.of, string(in.Token))
	switch {
	case f.hangs > 0:
		f.hangs--
		f.mu.Unlock()
		<-process.Done()
		f.mu.Lock()
		return process.Err()
	case f.fails > 0:
		f.fails--
		return errors.New("no webhooks")
	}
	f.calls = append(f.calls, time.Since(f.began))
	return nil
}

// restart ends a process and begins another one.
func (f *dueFleet) restart(i int) { f.replicas[i].stop(); f.start(i) }

func (f *dueFleet) stop() {
	for _, r := range f.replicas {
		r.stop()
	}
}

// install completes an installation at the first replica, which is answered with a status. It returns the callback and
// its cookie.
func (f *dueFleet) install(status int) (query string, cookie *http.Cookie) {
	f.t.Helper()
	state, cookie := f.replicas[0].begin(f.t)
	query = "state=" + state + "&code=" + f.platform.code(storeA)
	if rec := f.replicas[0].get(query, cookie); rec.Code != status {
		f.t.Errorf("the callback is answered %d, want %d", rec.Code, status)
	}
	return query, cookie
}

// expect fails the test unless OnInstalled has succeeded as often, and the store has the token issued last.
func (f *dueFleet) expect(when string, calls int, due bool) {
	f.t.Helper()
	in, err := f.tokens.Load(f.t.Context(), storeA)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil || in.Due != due || string(in.Token) != f.platform.issued[len(f.platform.issued)-1] || len(f.calls) != calls {
		f.t.Errorf("%s: OnInstalled succeeded after %v, stored %v, Due %v, %v; want %d calls, Due %v",
			when, f.calls, in, in.Due, err, calls, due)
	}
}

// A new token is accepted after some time. OnInstalled then succeeds once, whatever happens to the two processes.
func TestOnInstalledOfATokenThatIsAcceptedLater(t *testing.T) {
	for _, refused := range []time.Duration{20 * time.Second, 2 * time.Minute, 9 * time.Minute} {
		soon := 2*refused + time.Minute
		for _, v := range []struct {
			name   string
			does   func(f *dueFleet)
			within time.Duration
		}{
			{"two replicas", func(*dueFleet) {}, soon},
			{"each replica restarts", func(f *dueFleet) { f.restart(0); f.restart(1) }, soon + 4*time.Minute},
			{"the replica of the installation ends", func(f *dueFleet) { f.replicas[0].stop() }, time.Hour + soon + 5*time.Minute},
			{"one call fails", func(f *dueFleet) { f.fails = 1 }, 2 * soon},
			{"the database fails after the call", func(f *dueFleet) { f.lost = 3 }, soon},
		} {
			t.Run(refused.String()+" "+v.name, bubble(func(t *testing.T) {
				f := newDueFleet(t, refused, true)
				defer f.stop()
				f.install(503)
				v.does(f)
				time.Sleep(time.Until(f.until))
				f.expect("while the token is refused", 0, true)
				time.Sleep(v.within)
				f.mu.Lock()
				if len(f.calls) != 1 || f.calls[0] > refused+v.within {
					t.Errorf("OnInstalled succeeded after %v, want once within %v", f.calls, v.within)
				}
				f.mu.Unlock()
				time.Sleep(3 * time.Hour)
				f.expect("hours later", 1, false)
			}))
		}
	}
}

// A process ends while OnInstalled is called. Another one repeats the call, not before three minutes have passed.
func TestOnInstalledOfAProcessThatEnds(t *testing.T) {
	bubble(func(t *testing.T) {
		f := newDueFleet(t, time.Minute, true)
		defer f.stop()
		f.hangs = 1
		f.install(503)
		f.replicas[1].stop()
		f.start(1) // it has seen the record
		time.Sleep(time.Minute + 30*time.Second)
		f.replicas[0].stop()
		ended := time.Since(f.began)
		time.Sleep(time.Hour + 10*time.Minute)
		f.expect("an hour later", 1, false)
		if f.calls[0] < ended || len(f.of) != 2 {
			t.Errorf("OnInstalled was called for %v, and succeeded after %v", f.of, f.calls)
		}
	})(t)
}

// A Due token is replaced by a later installation, before or while the platform accepts it. OnInstalled is not called
// for the token that was replaced.
func TestOnInstalledOfATokenThatWasReplaced(t *testing.T) {
	bubble(func(t *testing.T) {
		f := newDueFleet(t, 2*time.Minute, true)
		defer f.stop()
		f.install(503)
		f.mu.Lock()
		f.accepted = func(s *site, in oauth.Install) {
			if string(in.Token) != f.platform.issued[0] {
				return
			}
			state, cookie := s.begin(t)
			if code := s.get("state="+state+"&code="+f.platform.code(storeA), cookie).Code; code != http.StatusSeeOther {
				t.Errorf("the later installation is answered %d", code)
			}
		}
		f.mu.Unlock()
		time.Sleep(time.Hour)
		f.expect("after the later installation", 1, false)
		if want := f.platform.issued[1:]; !slices.Equal(f.of, want) {
			t.Errorf("OnInstalled was called for %v, want %v", f.of, want)
		}
	})(t)
}

// A reload of the callback shows the state at that time, at each replica.
func TestPageOfATokenThatIsAcceptedLater(t *testing.T) {
	bubble(func(t *testing.T) {
		f := newDueFleet(t, time.Minute, true)
		defer f.stop()
		query, cookie := f.install(503)
		for range 2 {
			for i, r := range f.replicas {
				if code := r.land(query, cookie).Code; code != 503 {
					t.Errorf("replica %d: while the token is refused, a reload is answered %d, want 503", i, code)
				}
			}
		}
		time.Sleep(3 * time.Minute)
		for i, r := range f.replicas {
			if code := r.land(query, cookie).Code; code != 200 {
				t.Errorf("replica %d: after the token was accepted, a reload is answered %d, want 200", i, code)
			}
		}
		if _, err := f.tokens.Swap(t.Context(), storeA, f.replicas[0].stored(t).Generation, nil); err != nil {
			t.Fatal(err)
		}
		if code := f.replicas[1].land(query, cookie).Code; code != 410 {
			t.Errorf("after the token was deleted, a reload is answered %d, want 410", code)
		}
		if n := len(f.replicas[0].reports()) + len(f.replicas[1].reports()); n != 1 || f.platform.exchanges() != 1 {
			t.Errorf("%d reports and %d token requests, want one of each", n, f.platform.exchanges())
		}
	})(t)
}

// A new token that stays refused is retired after ten minutes, not before, with one report. If it is accepted after
// that, it comes back within an hour, and OnInstalled is called once.
func TestNewTokenThatStaysRefused(t *testing.T) {
	for _, refused := range []time.Duration{11 * time.Minute, 5 * time.Hour} {
		t.Run(refused.String(), bubble(func(t *testing.T) {
			f := newDueFleet(t, refused, true)
			defer f.stop()
			f.install(503)
			time.Sleep(10*time.Minute - time.Second)
			f.expect("before ten minutes have passed", 0, true)
			time.Sleep(10 * time.Minute)
			if refused > time.Hour {
				_, err := f.tokens.Load(t.Context(), storeA)
				reported := f.replicas[0].reports()
				if !errors.Is(err, oauth.ErrNotInstalled) || len(reported) != 2 || !errors.Is(reported[1], oauth.ErrIncomplete) {
					t.Errorf("after ten minutes: %v, reported %v", err, reported)
				}
			}
			time.Sleep(refused + time.Hour)
			f.expect("an hour after it is accepted", 1, false)
		}))
	}
}

// OnInstalled fails for a token that the platform accepts: the call fails, its process ends, or the database fails
// after it. It is repeated until it has succeeded once, and the pages of both replicas say so.
func TestOnInstalledThatFails(t *testing.T) {
	for name, v := range map[string]struct {
		fails, lost int
		ends        bool // the process
		status      int  // of the callback
		page        int  // status of a reload before the call is repeated
	}{
		"succeeds":           {0, 0, false, 303, 200},
		"fails":              {2, 0, false, 500, 500},
		"the process ends":   {0, 0, true, 500, 0},
		"the database fails": {0, 3, false, 303, 503},
	} {
		for _, verify := range []bool{true, false} {
			t.Run(name+fmt.Sprint(", Verify ", verify), bubble(func(t *testing.T) {
				f := newDueFleet(t, 0, verify)
				defer f.stop()
				f.fails, f.lost = v.fails, v.lost
				if v.ends {
					f.hangs = 1
					time.AfterFunc(time.Minute, f.replicas[0].stop)
				}
				query, cookie := f.install(v.status)
				for i, r := range f.replicas {
					if code := r.land(query, cookie).Code; code != v.page && v.page != 0 {
						t.Errorf("replica %d: a reload is answered %d, want %d", i, code, v.page)
					}
				}
				time.Sleep(2 * time.Minute)
				for i, r := range f.replicas {
					if code := r.land(query, cookie).Code; code != 200 && !v.ends {
						t.Errorf("replica %d: two minutes later a reload is answered %d, want 200", i, code)
					}
				}
				time.Sleep(2 * time.Hour)
				f.expect("hours later", 1, false)
				want := 1 + v.fails
				if v.ends {
					want++
				}
				if len(f.of) != want {
					t.Errorf("OnInstalled was called %d times, want %d", len(f.of), want)
				}
			}))
		}
	}
}
