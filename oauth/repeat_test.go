package oauth_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/oauth"
)

// A reload of the callback was refused as used already, although the app had just been installed.
func TestCallbackThatArrivesTwice(t *testing.T) {
	for _, returnTo := range []string{"", "/welcome"} {
		s := newSite(t)
		s.ReturnTo = returnTo
		installed := 0
		s.OnInstalled = func(context.Context, oauth.Install) error { installed++; return nil }
		state, cookie := s.begin(t)
		query := "state=" + state + "&code=" + s.platform.code(storeA)
		first := s.get(query, cookie).Header().Get("Location")
		if returnTo == "" && !strings.HasPrefix(first, "?installed=") || returnTo != "" && first != returnTo || strings.Contains(first, "code-") {
			t.Fatalf("got %q, want the success address without the code", first)
		}
		for name, again := range map[string]string{
			"reload": query, "second click on Approve": "state=" + state + "&code=" + s.platform.code(storeA), "other parameters": query + "&utm_source=a;b",
		} {
			if rec := s.get(again, cookie); rec.Code != 303 || rec.Header().Get("Location") != first {
				t.Errorf("%s: got %d to %q, want 303 to %q", name, rec.Code, rec.Header().Get("Location"), first)
			}
		}
		if s.platform.exchanges() != 1 || installed != 1 || len(s.reported) != 0 {
			t.Errorf("got %d token requests, %d calls of Installed, reports %v; want 1, 1 and none", s.platform.exchanges(), installed, s.reported)
		}
	}
}

func TestEndingIsRememberedForTheBrowserThatSawIt(t *testing.T) {
	s := newSite(t)
	state, cookie := s.begin(t)
	_, other := s.begin(t)
	query := "state=" + state + "&code=" + s.platform.code(storeA)
	success := s.get(query, cookie).Header().Get("Location")
	for link, alone := range map[string]string{
		query: "<h1>Your browser sent no cookie</h1>", strings.TrimPrefix(success, "?"): "<h1>This page cannot be shown in this browser</h1>",
	} {
		for _, tt := range []struct {
			cookies []*http.Cookie
			title   string
		}{
			{nil, alone},
			{[]*http.Cookie{other}, "<h1>Another browser started this installation</h1>"},
			{[]*http.Cookie{other, cookie}, "<h1>The app is installed</h1>"},
		} {
			rec := s.land(link, tt.cookies...)
			if !strings.Contains(rec.Body.String(), tt.title) {
				t.Errorf("%.20s with %d cookies: got %d and\n%s\nwant %s", link, len(tt.cookies), rec.Code, rec.Body, tt.title)
			}
		}
	}
	if s.platform.exchanges() != 1 {
		t.Errorf("got %d token requests, want 1", s.platform.exchanges())
	}
}

func TestEndingIsRememberedForTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		state, cookie := s.begin(t)
		time.Sleep(9 * time.Minute)
		query := "state=" + state + "&code=" + s.platform.code(storeA)
		first := s.get(query, cookie).Header().Get("Location")
		time.Sleep(10 * time.Minute)
		if rec := s.land(query, cookie); rec.Code != 200 {
			t.Errorf("after 10 minutes: got %d, want 200\n%s", rec.Code, rec.Body)
		}
		time.Sleep(time.Second)
		for _, link := range []string{query, first[1:]} {
			rec := s.get(link, cookie)
			if page := rec.Body.String(); rec.Code != 403 || !strings.Contains(page, "This link has expired") || !strings.Contains(page, "If the installation was finished") {
				t.Errorf("%.20s after 10 minutes and a second: got %d and\n%s\nwant that it has expired", link, rec.Code, page)
			}
		}
		if s.platform.exchanges() != 1 {
			t.Errorf("got %d token requests, want 1", s.platform.exchanges())
		}
	})
}

// A failure that may have spent something is shown again; after one that sent nothing, the same code is tried again.
func TestFailureThatArrivesTwice(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name   string
		fail   func(s *site)
		status int
		title  string
		sent   int // token requests after two callbacks
	}{
		{"refused", func(s *site) {
			s.platform.answer = func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(400)
				_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
			}
		}, 502, "The installation could not be finished", 1},
		{"unknown", func(s *site) { s.platform.answer = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) } },
			502, "It is not clear whether the app is installed", 1},
		{"Installed fails", func(s *site) { s.OnInstalled = func(context.Context, oauth.Install) error { return boom } },
			500, "The app is installed, but not ready yet", 1},
		{"not known", func(s *site) { s.Verify = func(context.Context, oauth.Install) (bool, error) { return false, nil } },
			503, "The app is not ready yet", 1},
		{"not stored", func(s *site) { s.Tokens = brokenStore{TokenStore: s.tokens, swap: boom} },
			500, "The installation could not be finished", 1},
	} {
		t.Run(tt.name, bubble(func(t *testing.T) {
			s := newSite(t)
			state, cookie := s.begin(t)
			tt.fail(s)
			query := "state=" + state + "&code=" + s.platform.code(storeA)
			for range 2 {
				rec := s.get(query, cookie)
				if page := rec.Body.String(); rec.Code != tt.status || !strings.Contains(page, "<h1>"+tt.title+"</h1>") {
					t.Errorf("got %d and\n%s\nwant %d and %q", rec.Code, page, tt.status, tt.title)
				}
			}
			if s.platform.exchanges() != tt.sent || len(s.reported) != 1 {
				t.Errorf("got %d token requests and reports %v, want %d and one", s.platform.exchanges(), s.reported, tt.sent)
			}
		}))
	}
}

// The platform could not be reached: the state was spent anyway, and the code was rejected because it had been sent.
func TestCodeThatWasNotSentIsTriedAgain(t *testing.T) {
	for _, shared := range []bool{false, true} {
		s := newSite(t)
		if shared {
			s.States = &oauth.MemoryStates{}
		}
		down := true
		s.App.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			if down {
				return new(http.Transport).RoundTrip(unreachable(r))
			}
			return s.platform.RoundTrip(r)
		})
		rec := httptest.NewRecorder()
		s.Begin(rec, httptest.NewRequest(http.MethodGet, "https://app.example/install", nil), "/settings")
		state, cookie := started(t, rec)
		query := "state=" + state + "&code=" + s.platform.code(storeA)
		for range 2 {
			rec := s.get(query, cookie)
			if page := rec.Body.String(); rec.Code != 502 || !errors.Is(s.lastReport(t), oauth.ErrNotSent) ||
				!strings.Contains(page, "<h1>The platform cannot be reached</h1>") || !strings.Contains(page, ` href="" target="_top">Try again<`) {
				t.Errorf("got %d (%v) and\n%s\nwant 502 and a button to try again", rec.Code, s.lastReport(t), page)
			}
		}
		down = false
		if rec := s.get(query, cookie); rec.Code != 303 || rec.Header().Get("Location") != "/settings" {
			t.Errorf("got %d to %q, want 303 to /settings\n%s", rec.Code, rec.Header().Get("Location"), rec.Body)
		}
		if len(s.reported) != 2 {
			t.Errorf("reported %v, want two failures", s.reported)
		}
	}
}

// unreachable points a request at a port where nobody listens.
func unreachable(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", "127.0.0.1:1"
	return r
}

// The second request arrived while the first was at the platform, and was refused.
func TestCallbackThatArrivesMeanwhile(t *testing.T) {
	for _, replicas := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			first, second := newSite(t), newSite(t)
			p := first.platform
			second.platform, second.App.Transport, second.Tokens = p, p, first.tokens
			if replicas == 2 {
				first.States = &oauth.MemoryStates{}
				second.States = first.States
			} else {
				second = first
			}
			p.pause = func(int) { time.Sleep(10 * time.Second) }
			state, cookie := first.begin(t)
			began, query := time.Now(), "state="+state+"&code="+p.code(storeA)
			var wg sync.WaitGroup
			var places [6]string
			for i := range places {
				s := first
				if i > 0 {
					synctest.Wait() // the first is at the platform
					s = second
				}
				wg.Go(func() { places[i] = s.get(query, cookie).Header().Get("Location") })
			}
			wg.Wait()
			if took := time.Since(began); took < 10*time.Second || took > 10*time.Second+250*time.Millisecond {
				t.Errorf("%d replicas: took %v, want 10 s", replicas, took)
			}
			for i, place := range places {
				if place != places[0] || !strings.HasPrefix(place, "?installed=") {
					t.Errorf("%d replicas: request %d ends at %q, want %q", replicas, i, place, places[0])
				}
			}
			if rec := second.get(places[0][1:], cookie); rec.Code != 200 {
				t.Errorf("%d replicas: success address: got %d, want 200\n%s", replicas, rec.Code, rec.Body)
			}
			if p.exchanges() != 1 || len(first.reported)+len(second.reported) != 0 {
				t.Errorf("%d replicas: got %d token requests, reports %v and %v; want 1 and none", replicas, p.exchanges(), first.reported, second.reported)
			}
		})
	}
}

// Another replica shows the same failure, and does not report it a second time.
func TestFailureAtAnotherReplica(t *testing.T) {
	first, second := newSite(t), newSite(t)
	first.States = &oauth.MemoryStates{}
	second.States = first.States
	first.platform.answer = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }
	rec := httptest.NewRecorder()
	first.Begin(rec, httptest.NewRequest(http.MethodGet, "https://app.example/install", nil), "/settings")
	state, cookie := started(t, rec)
	query := "state=" + state + "&code=" + first.platform.code(storeA)
	want := first.get(query, cookie)
	for range 2 {
		second.Failure = nil
		if rec := second.get(query, cookie); rec.Code != 502 || rec.Body.String() != want.Body.String() {
			t.Errorf("got %d and\n%s\nwant 502 and\n%s", rec.Code, rec.Body, want.Body)
		}
		second.Failure = func(w http.ResponseWriter, _ *http.Request, _ int, err error) {
			if !errors.Is(err, oauth.ErrOutcomeUnknown) {
				t.Errorf("got %v, want ErrOutcomeUnknown", err)
			}
		}
		second.get(query, cookie)
	}
	again, cookie := started(t, second.get("again="+state, cookie))
	if rec := second.get("state="+again+"&code="+second.platform.code(storeA), cookie); rec.Header().Get("Location") != "/settings" {
		t.Errorf("begun again: got %q, want /settings", rec.Header().Get("Location"))
	}
	if second.platform.exchanges() != 1 || len(second.reported) != 0 {
		t.Errorf("got %d token requests and reports %v at the second, want 1 and none", second.platform.exchanges(), second.reported)
	}
}

// Without a memory in common a replica knows only that the state was used.
func TestReplicaThatKnowsNoEnding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := newSite(t), newSite(t)
		first.States = forgetful{&oauth.MemoryStates{}}
		second.States = first.States
		state, cookie := first.begin(t)
		query := "state=" + state + "&code=" + first.platform.code(storeA)
		if rec := first.land(query, cookie); rec.Code != 200 {
			t.Fatalf("got %d, want 200", rec.Code)
		}
		began := time.Now()
		rec := second.get(query, cookie)
		if page := rec.Body.String(); rec.Code != 403 || !strings.Contains(page, "<h1>This link cannot be used again</h1>") || !strings.Contains(page, "If the installation was finished, open the app") {
			t.Errorf("got %d and\n%s\nwant 403 and that it cannot be used again", rec.Code, page)
		}
		if took := time.Since(began); took != 0 || second.platform.exchanges() != 0 || !errors.Is(second.lastReport(t), oauth.ErrState) {
			t.Errorf("took %v, %d token requests, reported %v", took, second.platform.exchanges(), second.reported)
		}
	})
}

// forgetful is a table without a column for Pending.Ended.
type forgetful struct{ oauth.StateStore }

func (f forgetful) Put(ctx context.Context, key string, p oauth.Pending) error {
	p.Ended = ""
	return f.StateStore.Put(ctx, key, p)
}

// A replica that died while it ended an installation is waited for, but not for ever.
func TestReplicaThatDied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.States = &oauth.MemoryStates{}
		state, cookie := s.begin(t)
		s.States = &oauth.MemoryStates{} // what the other has taken
		began := time.Now()
		rec := s.get("state="+state+"&code=x", cookie)
		if took := time.Since(began); rec.Code != 403 || took != 15*time.Second || !strings.Contains(rec.Body.String(), "This link cannot be used again") {
			t.Errorf("got %d after %v, want 403 after 15 s\n%s", rec.Code, took, rec.Body)
		}
	})
}

// A second click on Approve ends the first request. If that had not sent the code yet, the second request takes over.
func TestSecondClickTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.platform.pause = func(issued int) {
			if issued == 1 {
				time.Sleep(5 * time.Second)
			}
		}
		var wg sync.WaitGroup
		before, beforeCookie := s.begin(t)
		code := s.platform.code(storeA + 1)
		wg.Go(func() { s.get("state="+before+"&code="+code, beforeCookie) })
		synctest.Wait() // the first installation is at the platform, the next must wait

		state, cookie := s.begin(t)
		query := "https://app.example/cb?state=" + state + "&code=" + s.platform.code(storeA)
		ctx, leave := context.WithCancel(t.Context())
		wg.Go(func() { s.visit(httptest.NewRequestWithContext(ctx, http.MethodGet, query, nil), cookie) })
		synctest.Wait()
		var rec *httptest.ResponseRecorder
		wg.Go(func() { rec = s.visit(httptest.NewRequest(http.MethodGet, query, nil), cookie) })
		synctest.Wait()
		leave()
		wg.Wait()
		if rec.Code != 303 || s.platform.exchanges() != 2 {
			t.Errorf("got %d after %d token requests, want 303 after 2\n%s", rec.Code, s.platform.exchanges(), rec.Body)
		}
		s.stored(t)
	})
}

// A browser that leaves while the state is being taken does not take it along.
func TestBrowserLeavesWhileTheStateIsTaken(t *testing.T) {
	s := newSite(t)
	ctx, leave := context.WithCancel(t.Context())
	s.States = &cutOff{leave: leave}
	state, cookie := s.begin(t)
	query := "state=" + state + "&code=" + s.platform.code(storeA)
	s.visit(httptest.NewRequestWithContext(ctx, http.MethodGet, "https://app.example/cb?"+query, nil), cookie)
	if rec := s.land(query, cookie); rec.Code != 200 || s.platform.exchanges() != 1 {
		t.Errorf("got %d after %d token requests, want 200 after 1\n%s", rec.Code, s.platform.exchanges(), rec.Body)
	}
}

// cutOff is a database that loses its answer when the request ends.
type cutOff struct {
	oauth.MemoryStates
	leave func()
}

func (c *cutOff) Take(ctx context.Context, key string) (oauth.Pending, bool, error) {
	c.leave()
	p, ok, err := c.MemoryStates.Take(ctx, key)
	return p, ok, errors.Join(err, ctx.Err())
}

// A function of the app that panics holds up nobody who waits for the same installation. The token is stored, so the
// page says that the app is installed.
func TestPanicEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.OnInstalled = func(context.Context, oauth.Install) error {
			time.Sleep(time.Second)
			panic("boom")
		}
		state, cookie := s.begin(t)
		query := "state=" + state + "&code=" + s.platform.code(storeA)
		var wg sync.WaitGroup
		wg.Go(func() {
			if rec := s.get(query, cookie); rec.Code != 500 {
				t.Errorf("got %d, want 500\n%s", rec.Code, rec.Body)
			}
		})
		synctest.Wait()
		if rec := s.get(query, cookie); rec.Code != 500 || strings.Contains(rec.Body.String(), "boom") {
			t.Errorf("got %d, want 500\n%s", rec.Code, rec.Body)
		}
		wg.Wait()
	})
}

func TestSuccessAddress(t *testing.T) {
	s := newSite(t)
	var seen []oauth.Install
	s.Success = func(w http.ResponseWriter, _ *http.Request, in oauth.Install) {
		seen = append(seen, in)
		w.WriteHeader(201)
	}
	state, cookie := s.begin(t)
	to := s.get("state="+state+"&code="+s.platform.code(storeA), cookie).Header().Get("Location")
	if len(seen) != 0 {
		t.Errorf("Success answered the callback, whose address has the code in it")
	}
	for range 2 {
		if rec := s.get(to[1:], cookie); rec.Code != 201 || rec.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("got %d, want 201", rec.Code)
		}
	}
	if len(seen) != 2 || seen[0].StoreID != storeA || seen[1].Token != s.stored(t).Token {
		t.Errorf("Success saw %v, want the stored installation twice", seen)
	}

	// Nobody can make the address of another store, or use that of another browser.
	text := strings.TrimPrefix(to, "?installed=")
	for i := range len(text) {
		forged := text[:i] + string(text[i]^1) + text[i+1:]
		if rec := s.get("installed="+forged, cookie); rec.Code < 400 {
			t.Fatalf("%q instead of %q: got %d", forged, text, rec.Code)
		}
	}
	_, other := s.begin(t)
	for _, query := range []string{"installed=" + text[1:], "installed=1", "installed=" + text + "&installed=1"} {
		if rec := s.get(query, cookie); rec.Code != 400 {
			t.Errorf("%s: got %d, want 400", query, rec.Code)
		}
	}
	secret := s.App.Secret
	s.App.Secret = "another"
	s.get(to[1:], cookie)
	s.App.Secret = secret
	s.get(to[1:], other)
	s.get(to[1:])
	if len(seen) != 2 {
		t.Errorf("Success saw %v", seen[2:])
	}

	s.Success = nil
	s.Tokens = brokenStore{TokenStore: s.tokens, load: errors.New("boom")}
	if rec := s.get(to[1:], cookie); rec.Code != 500 || !strings.Contains(rec.Body.String(), "<h1>The app is installed</h1>") {
		t.Errorf("the store fails: got %d and\n%s", rec.Code, rec.Body)
	}
	s.Tokens = s.tokens
	if err := s.Uninstall(t.Context(), storeA); err != nil {
		t.Fatal(err)
	}
	if rec := s.get(to[1:], cookie); rec.Code != 410 || !strings.Contains(rec.Body.String(), "The app is no longer installed") {
		t.Errorf("uninstalled: got %d and\n%s", rec.Code, rec.Body)
	}
}

// A store that others may write to cannot make a success of a store that nobody installed.
func TestForgedEnding(t *testing.T) {
	s := newSite(t)
	s.States = &forger{}
	s.Success = func(http.ResponseWriter, *http.Request, oauth.Install) { t.Error("Success was called") }
	state, cookie := s.begin(t)
	rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie)
	if rec.Code != 400 || s.platform.exchanges() != 0 {
		t.Errorf("got %d to %q after %d token requests, want 400 and none", rec.Code, rec.Header().Get("Location"), s.platform.exchanges())
	}
}

// forger says of the first state that it was taken, and then that it ended well.
type forger struct{ taken int }

func (*forger) Put(context.Context, string, oauth.Pending) error { return nil }

func (f *forger) Take(context.Context, string) (oauth.Pending, bool, error) {
	f.taken++
	return oauth.Pending{ReturnTo: "//evil.example", Ended: "installed:AAAA", Expires: time.Now().Add(time.Hour)}, f.taken > 1, nil
}

// A code without a state is sent once too, and its end is shown to the browser that brought it.
func TestUnsolicitedCallbackThatArrivesTwice(t *testing.T) {
	s := newSite(t)
	s.AllowUnsolicited = true
	query := "code=" + s.platform.code(storeA)
	rec := s.get(query)
	first := rec.Header().Get("Location")
	set := rec.Result().Cookies()
	if len(set) != 1 || !strings.HasPrefix(first, "?installed=") {
		t.Fatalf("got %q and %d cookies, want the success address and one", first, len(set))
	}
	if rec := s.get(query, set[0]); rec.Header().Get("Location") != first {
		t.Errorf("reload: got %d to %q, want %q", rec.Code, rec.Header().Get("Location"), first)
	}
	if rec := s.get(query); rec.Code != 403 || !strings.Contains(rec.Body.String(), "This link cannot be used again") {
		t.Errorf("another browser: got %d and\n%s", rec.Code, rec.Body)
	}
	if s.platform.exchanges() != 1 {
		t.Errorf("got %d token requests, want 1", s.platform.exchanges())
	}
}
