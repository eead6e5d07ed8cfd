package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// A browser that fetches in advance, and a monitor that asks for the headers, began and ended installations.
func TestNothingIsSpentOnRequestsThatNobodyLooksAt(t *testing.T) {
	for _, tt := range []struct {
		method, header, value string
		want                  int
	}{
		{"GET", "Sec-Purpose", "prefetch", 503},
		{"GET", "Sec-Purpose", "prefetch;prerender", 503},
		{"GET", "Sec-Purpose", "prefetch; anonymous-client-ip", 503},
		{"GET", "Purpose", "prefetch", 503},
		{"GET", "Purpose", "Prefetch", 503},
		{"GET", "X-Purpose", "preview", 503},
		{"GET", "X-Moz", "prefetch", 503},
		{"HEAD", "User-Agent", "Monitor", 405},
	} {
		s := newSite(t)
		stored := &counting{}
		s.States = stored
		state, cookie := s.begin(t)
		query := "state=" + state + "&code=" + s.platform.code(storeA)
		stored.puts, stored.takes = 0, 0
		for _, target := range []string{"/cb?" + query, "/cb", "/cb?again=" + state, "/install"} {
			r := httptest.NewRequest(tt.method, "https://app.example"+target, nil)
			r.Header.Set(tt.header, tt.value)
			r.AddCookie(cookie)
			rec := httptest.NewRecorder()
			if target == "/install" {
				s.Begin(rec, r, "/settings")
			} else {
				s.ServeHTTP(rec, r)
			}
			if h := rec.Header(); rec.Code != tt.want || h.Get("Set-Cookie") != "" || h.Get("Location") != "" || h.Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s: %s at %s: got %d and %v, want %d and no cookie", tt.method, tt.header, tt.value, target, rec.Code, h, tt.want)
			}
		}
		if stored.puts+stored.takes != 0 || s.platform.exchanges() != 0 || len(s.reported) != 0 {
			t.Errorf("%s %s: %s: %d writes, %d reads, %d token requests, reports %v; want none", tt.method, tt.header, tt.value, stored.puts, stored.takes, s.platform.exchanges(), s.reported)
		}
		if rec := s.land(query, cookie); rec.Code != 200 {
			t.Errorf("%s: then the browser itself: got %d, want 200", tt.value, rec.Code)
		}
	}
}

type counting struct {
	oauth.MemoryStates
	puts, takes int
}

func (c *counting) Put(ctx context.Context, key string, p oauth.Pending) error {
	c.puts++
	return c.MemoryStates.Put(ctx, key, p)
}

func (c *counting) Take(ctx context.Context, key string) (oauth.Pending, bool, error) {
	c.takes++
	return c.MemoryStates.Take(ctx, key)
}

// In a frame browsers drop the cookie, so that each installation ended in a refusal.
func TestFrameIsLeft(t *testing.T) {
	for _, dest := range []string{"iframe", "frame", "embed", "object", "fencedframe"} {
		s := newSite(t)
		state, cookie := s.begin(t)
		query := "state=" + state + "&code=" + s.platform.code(storeA)
		for _, tt := range []struct{ method, target, button string }{
			{"GET", "/cb", `<a class="button" href="" target="_top">Continue</a>`},
			{"GET", "/cb?" + query, `<a class="button" href="" target="_top">Continue</a>`},
			{"GET", "/install?plan=2", `<a class="button" href="" target="_top">Continue</a>`},
			{"POST", "/install?plan=2", `<form method="post" target="_top"><button class="button">Continue</button></form>`},
		} {
			r := httptest.NewRequest(tt.method, "https://app.example"+tt.target, nil)
			r.Header.Set("Sec-Fetch-Dest", dest)
			rec := httptest.NewRecorder()
			if strings.HasPrefix(tt.target, "/install") {
				s.Begin(rec, r, "/settings")
			} else {
				s.ServeHTTP(rec, r)
			}
			h := rec.Header()
			if rec.Code != 200 || h.Get("Set-Cookie") != "" || !strings.Contains(rec.Body.String(), tt.button) {
				t.Errorf("%s: %s %s: got %d and\n%s\nwant %s", dest, tt.method, tt.target, rec.Code, rec.Body, tt.button)
			}
			// The page must be shown where it is, and its button must lead to the platform.
			policy := h.Get("Content-Security-Policy")
			if h.Get("X-Frame-Options") != "" || strings.Contains(policy, "frame-ancestors") || strings.Contains(policy, "form-action") != (tt.method == "GET") {
				t.Errorf("%s: %s %s: got policy %q and X-Frame-Options %q", dest, tt.method, tt.target, policy, h.Get("X-Frame-Options"))
			}
		}
		if rec := s.land(query, cookie); rec.Code != 200 || s.platform.exchanges() != 1 || len(s.reported) != 0 {
			t.Errorf("%s: at the top level: got %d, want 200", dest, rec.Code)
		}
	}
	for _, dest := range []string{"", "document", "empty"} {
		s := newSite(t)
		r := httptest.NewRequest(http.MethodGet, "https://app.example/cb", nil)
		r.Header.Set("Sec-Fetch-Dest", dest)
		started(t, s.visit(r))
	}
}

// Two tabs that were opened at once both have no cookie yet. The second cookie replaced the first, so one tab failed.
func TestFirstVisitsThatOverlap(t *testing.T) {
	s := newSite(t)
	site, _ := url.Parse("https://app.example/cb")
	jar, _ := cookiejar.New(nil)
	var states []string
	for range 20 {
		rec := s.get("") // all are sent before the first answer arrives
		state, _ := started(t, rec)
		states = append(states, state)
		jar.SetCookies(site, rec.Result().Cookies())
	}
	for i, state := range states {
		if rec := s.land("state="+state+"&code="+s.platform.code(storeA), jar.Cookies(site)...); rec.Code != 200 {
			t.Errorf("tab %d: got %d, want 200\n%s", i, rec.Code, rec.Body)
		}
	}
}

// However often a browser comes, it has few cookies.
func TestCookiesDoNotGrow(t *testing.T) {
	s := newSite(t)
	site, _ := url.Parse("https://app.example/cb")
	jar, _ := cookiejar.New(nil)
	for range 100 {
		jar.SetCookies(site, s.get("", jar.Cookies(site)...).Result().Cookies())
	}
	if got := len(jar.Cookies(site)); got != 1 {
		t.Errorf("100 visits, one after the other, left %d cookies, want 1", got)
	}
	for range 100 {
		jar.SetCookies(site, s.get("").Result().Cookies())
	}
	jar.SetCookies(site, []*http.Cookie{{Name: "__Host-oauth-browser-old", Value: "x", Path: "/", Secure: true}, {Name: "session", Value: "y"}})
	for range 3 {
		jar.SetCookies(site, s.get("", jar.Cookies(site)...).Result().Cookies())
	}
	size := 0
	for _, c := range jar.Cookies(site) {
		size += len(c.String()) + 2
	}
	if got := len(jar.Cookies(site)); got != 33 || size > 2600 {
		t.Errorf("left %d cookies of %d bytes, want 32 of this package and the session", got, size)
	}
}

func TestRetryKeepsTheReturnPath(t *testing.T) {
	s := newSite(t)
	rec := httptest.NewRecorder()
	s.ReturnTo = "/default"
	s.Begin(rec, httptest.NewRequest(http.MethodGet, "https://app.example/install", nil), "/settings")
	state, cookie := started(t, rec)
	page := s.get("error=access_denied&state="+state, cookie).Body.String()
	button := `href="?again=` + state + `"`
	if !strings.Contains(page, button) {
		t.Fatalf("the page lacks %s:\n%s", button, page)
	}
	second, cookie := started(t, s.get("again="+state, cookie))
	for name, state := range map[string]string{"begun again": second, "gone back to": state} {
		if rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Header().Get("Location") != "/settings" {
			t.Errorf("%s: got %d to %q, want /settings", name, rec.Code, rec.Header().Get("Location"))
		}
	}
	// Another browser, or a state that does not exist, begins as a plain visit does.
	for _, tt := range []struct {
		again   string
		cookies []*http.Cookie
	}{{state, nil}, {"x", []*http.Cookie{cookie}}, {strings.Repeat("A", 43), []*http.Cookie{cookie}}} {
		state, cookie := started(t, s.get("again="+tt.again, tt.cookies...))
		if rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Header().Get("Location") != "/default" {
			t.Errorf("again %s: got %q, want /default", tt.again, rec.Header().Get("Location"))
		}
	}
	if page := s.get("error=access_denied&state=" + state).Body.String(); strings.Contains(page, state) {
		t.Errorf("the page for another browser repeats the state:\n%s", page)
	}
}

// What a link says is not what the page says.
func TestPageShowsNoTextOfTheLink(t *testing.T) {
	for _, query := range []string{
		"error=CNRY&error_description=CNRY", "error=access_denied&error_description=CNRY&state=CNRY", "code=CNRY&state=CNRY", "code=CNRY", "state=CNRY",
		"code=CNRY&code=CNRX", "installed=CNRY", "error=CNRY%00%E2%80%AE&x=CNRY",
	} {
		s := newSite(t)
		if rec := s.get(query); strings.Contains(rec.Body.String(), "CNR") || rec.Body.Len() == 0 {
			t.Errorf("%s: got %d and\n%s", query, rec.Code, rec.Body)
		}
	}
	s := newSite(t)
	s.get("error=server%0d%0a_error&error_description=come%E2%80%AE%E3%85%A4+back")
	var refused *oauth.Error
	if err := s.lastReport(t); !errors.As(err, &refused) || refused.Code != "server_error" || refused.Description != "come back" {
		t.Errorf("reported %v, want server_error and come back", err)
	}
}

// An installation that begins at the platform comes with a code and without a state. It is a first step, and no alarm.
func TestInstallThatStartsAtThePlatform(t *testing.T) {
	for _, query := range []string{"code=", "state=&code="} {
		s := newSite(t)
		s.App.Name = "Mug Printer"
		_, cookie := s.begin(t)
		for _, cookies := range [][]*http.Cookie{nil, {cookie}} {
			rec := s.get(query+s.platform.code(storeA), cookies...)
			page := rec.Body.String()
			if rec.Code != 200 || !strings.Contains(page, "<h1>Install Mug Printer</h1>") || !strings.Contains(page, ` href="?" target="_top">Continue<`) || strings.Count(page, "<a ") != 1 {
				t.Errorf("got %d and\n%s\nwant 200 and one button", rec.Code, page)
			}
		}
		if s.platform.exchanges() != 0 || len(s.reported) != 0 {
			t.Errorf("got %d token requests and reports %v, want none", s.platform.exchanges(), s.reported)
		}
		var got error
		s.Failure = func(_ http.ResponseWriter, _ *http.Request, status int, err error) { got = err }
		if s.get(query + "x"); !errors.Is(got, oauth.ErrUnsolicited) {
			t.Errorf("Failure got %v, want ErrUnsolicited", got)
		}
	}
}

// Links pass through trackers, mailers and proxies, which add and rewrite parameters.
func TestCallbackQuery(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(state, code string) string
		want int
	}{
		{"campaign", func(s, c string) string { return "utm_source=a&state=" + s + "&code=" + c + "&utm_medium=b" }, 303},
		{"malformed foreign parameters", func(s, c string) string { return "x=%zz&%zz=1&y=a;b&state=" + s + "&code=" + c + "&&=&z" }, 303},
		{"the same twice", func(s, c string) string { return "state=" + s + "&code=" + c + "&code=" + c + "&state=" + s }, 303},
		{"empty end", func(s, c string) string { return "state=" + s + "&code=" + c + "&" }, 303},
		{"empty error", func(s, c string) string { return "error=&state=" + s + "&code=" + c }, 303},
		{"escaped name", func(s, c string) string { return "%73tate=" + s + "&code=" + c }, 303},
		{"escapes", func(s, c string) string { return "state=" + escapeAll(s, "%%%02X") + "&code=" + escapeAll(c, "%%%02X") }, 303},
		{"lower-case escapes", func(s, c string) string { return "state=" + escapeAll(s, "%%%02x") + "&code=" + escapeAll(c, "%%%02x") }, 303},
		{"another code later", func(s, c string) string { return "state=" + s + "&code=" + c + "&code=x" }, 400},
		{"empty code later", func(s, c string) string { return "state=" + s + "&code=" + c + "&code=" }, 400},
		{"malformed code", func(s, c string) string { return "state=" + s + "&code=" + c + "%z" }, 400},
		{"no code", func(s, c string) string { return "state=" + s + "&code=" }, 400},
		{"state in another case", func(s, c string) string { return "state=" + swapCase(s) + "&code=" + c }, 403},
	} {
		s := newSite(t)
		state, cookie := s.begin(t)
		code := s.platform.code(storeA)
		if rec := s.get(tt.edit(state, code), cookie); rec.Code != tt.want {
			t.Errorf("%s: got %d, want %d\n%s", tt.name, rec.Code, tt.want, rec.Body)
		}
		if rec := s.get("state="+state+"&code="+code, cookie); rec.Code != 303 || s.platform.exchanges() != 1 {
			t.Errorf("%s, then the whole callback: got %d and %d token requests, want 303 and 1", tt.name, rec.Code, s.platform.exchanges())
		}
	}
}

func escapeAll(text, format string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// The Go browser at an address of plain http: an app under development.
func TestDevelopmentOverPlainHTTP(t *testing.T) {
	for _, tt := range []struct {
		host, public string
		want         int
	}{
		{"localhost", "", 200}, // browsers take Secure cookies there
		{"127.0.0.1", "", 200},
		{"localhost", "http://localhost", 200},
		{"127.0.0.1", "http://127.0.0.1", 200},
		{"app.example", "", 403}, // and nowhere else
	} {
		p := newPlatform()
		s := &site{platform: p, tokens: &oauth.MemoryStore{}}
		s.Handler = &oauth.Handler{App: oauth.App{ID: appID, Secret: appSecret, AuthURL: "http://127.0.0.1:1", Transport: p}, Tokens: s.tokens, PublicURL: tt.public}
		p.redirect = "http://" + tt.host + "/cb"
		jar, _ := cookiejar.New(nil)
		browser := &http.Client{Jar: jar, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Port() == "1" {
				rec := httptest.NewRecorder()
				p.mux.ServeHTTP(rec, r)
				return rec.Result(), nil
			}
			rec := httptest.NewRecorder()
			s.ServeHTTP(rec, r)
			resp := rec.Result()
			resp.Request = r
			return resp, nil
		})}
		resp, err := browser.Get("http://" + tt.host + "/cb")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != tt.want {
			t.Errorf("%s with PublicURL %q: got %d, want %d", tt.host, tt.public, resp.StatusCode, tt.want)
		}
	}
}

// Verify took all the time that was left for the store, so a good token was lost.
func TestVerifyThatHangs(t *testing.T) {
	for _, obeys := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			s.Tokens = strictStore{s.tokens}
			release := make(chan struct{})
			s.Verify = func(ctx context.Context, _ oauth.Install) (bool, error) {
				if obeys {
					<-ctx.Done()
					return false, ctx.Err()
				}
				<-release
				return false, nil
			}
			state, cookie := s.begin(t)
			began := time.Now()
			rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie)
			if took := time.Since(began); rec.Code != 200 || took > 15*time.Second {
				t.Errorf("obeys %v: got %d after %v, want 200 within 15 s\n%s", obeys, rec.Code, took, rec.Body)
			}
			if err := s.lastReport(t); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("obeys %v: reported %v, want DeadlineExceeded", obeys, err)
			}
			s.stored(t)
			close(release)
		})
	}
}

// A panic of Verify says nothing about the token, which is stored, and is reported.
func TestVerifyPanics(t *testing.T) {
	s := newSite(t)
	s.Verify = func(context.Context, oauth.Install) (bool, error) { panic("boom") }
	state, cookie := s.begin(t)
	if rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Code != 200 {
		t.Errorf("got %d, want 200\n%s", rec.Code, rec.Body)
	}
	if err := s.lastReport(t); !strings.Contains(err.Error(), "Handler.Verify: panic: boom") {
		t.Errorf("reported %v", err)
	}
	s.stored(t)
}

// hungStore is a database that does not answer and ignores its context.
type hungStore struct {
	oauth.TokenStore
	oauth.StateStore
	answers chan struct{} // closed for calls that return
}

func (s hungStore) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	<-s.answers
	return s.TokenStore.Load(ctx, id)
}

func (s hungStore) Take(ctx context.Context, key string) (oauth.Pending, bool, error) {
	<-s.answers
	return s.StateStore.Take(ctx, key)
}

// A database that hangs costs a browser no more than App.Timeout for each call, and a report names it.
func TestStoresThatHang(t *testing.T) {
	for _, name := range []string{"TokenStore.Load", "StateStore.Take"} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			hung := hungStore{s.tokens, &oauth.MemoryStates{}, make(chan struct{})}
			s.States = hung.StateStore
			if name == "TokenStore.Load" {
				s.Tokens = hung
			} else {
				s.States = hung
			}
			state, cookie := s.begin(t)
			began := time.Now()
			rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
			if took := time.Since(began); rec.Code < 500 || took > 30*time.Second {
				t.Errorf("%s: got %d after %v, want a failure within 30 s\n%s", name, rec.Code, took, rec.Body)
			}
			if err := s.lastReport(t); !strings.Contains(err.Error(), name) {
				t.Errorf("%s: reported %v", name, err)
			}
			close(hung.answers)
			synctest.Wait()
		})
	}
}

// strictStore fails as a database does when the context has ended.
type strictStore struct{ oauth.TokenStore }

func (s strictStore) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	if err := ctx.Err(); err != nil {
		return oauth.Install{}, err
	}
	return s.TokenStore.Load(ctx, id)
}

func (s strictStore) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	return s.TokenStore.Swap(ctx, id, old, next)
}
