package oauth_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// A merchant's browser, the app's site and the platform, over sockets.
func TestInstall(t *testing.T) {
	for _, tt := range []struct {
		name   string
		listen func(http.Handler) *httptest.Server
	}{
		{"https", httptest.NewTLSServer},
		{"http on loopback", httptest.NewServer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlatform()
			auth := httptest.NewServer(p.mux)
			defer auth.Close()

			tokens := &oauth.MemoryStore{}
			var told []oauth.Install
			h := &oauth.Handler{
				App:         oauth.App{ID: appID, Secret: appSecret, AuthURL: auth.URL},
				Tokens:      tokens,
				ReturnTo:    "/welcome?from=install",
				OnInstalled: func(_ context.Context, in oauth.Install) error { told = append(told, in); return nil },
				OnError:     func(_ context.Context, err error) { t.Errorf("reported: %v", err) },
			}
			mux := http.NewServeMux()
			mux.Handle("/oauth/callback", h)
			mux.HandleFunc("GET /welcome", func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "welcome "+r.FormValue("from")+", referred by "+r.Referer())
			})
			app := tt.listen(mux)
			defer app.Close()
			p.redirect = app.URL + "/oauth/callback"

			browser := app.Client()
			browser.Jar, _ = cookiejar.New(nil)
			for round := 1; round <= 2; round++ { // the second is a reinstall
				resp, err := browser.Get(app.URL + "/oauth/callback")
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if got := string(body); !strings.HasPrefix(got, "welcome install") {
					t.Fatalf("round %d: got page %q, want the welcome page", round, got)
				}
				in, err := tokens.Load(t.Context(), storeA)
				if err != nil || string(in.Token) != p.issued[round-1] {
					t.Errorf("round %d: stored %q (%v), want %q", round, string(in.Token), err, p.issued[round-1])
				}
				if in.Scopes.String() != "read_products,write_orders" || in.Generation <= 0 || in.InstalledAt.IsZero() {
					t.Errorf("round %d: stored %+v", round, in)
				}
			}
			if len(told) != 2 || told[0].Generation == told[1].Generation {
				t.Errorf("Installed was told %+v, want two installations of two generations", told)
			}
			if got := p.exchanges(); got != 2 {
				t.Errorf("got %d token requests, want 2", got)
			}
			p.check(t)
			auth.CloseClientConnections()
			browser.CloseIdleConnections()
		})
	}
}

// A code without a state must not install anything unless the app says so, and then only once.
func TestUnsolicited(t *testing.T) {
	s := newSite(t)
	s.AllowUnsolicited = true
	code := s.platform.code(storeA)
	if rec := s.land("code=" + code); rec.Code != 200 || !strings.Contains(rec.Body.String(), "The app is installed") {
		t.Errorf("got %d, want 200 and that it is installed\n%s", rec.Code, rec.Body)
	}
	s.ReturnTo = "/welcome"
	if rec := s.get("code=" + s.platform.code(storeA)); rec.Code != 303 || rec.Header().Get("Location") != "/welcome" {
		t.Errorf("got %d to %q, want 303 to /welcome", rec.Code, rec.Header().Get("Location"))
	}
	if rec := s.get("code=" + code); rec.Code != 403 {
		t.Errorf("in another browser: got %d, want 403", rec.Code)
	}
	if rec := s.get("state=" + strings.Repeat("A", 43) + "&code=other"); rec.Code != 403 {
		t.Errorf("with a wrong state: got %d, want 403", rec.Code)
	}
	if got := s.platform.exchanges(); got != 2 {
		t.Errorf("got %d token requests, want one for each code", got)
	}
}

// What the documentation of AllowUnsolicited recommends instead.
func TestUnsolicitedStartsAgain(t *testing.T) {
	s := newSite(t)
	s.Failure = func(w http.ResponseWriter, r *http.Request, status int, err error) {
		if errors.Is(err, oauth.ErrUnsolicited) {
			s.Begin(w, r, "")
			return
		}
		w.WriteHeader(status)
	}
	state, cookie := started(t, s.get("code="+s.platform.code(storeA)))
	if rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Code != 200 {
		t.Errorf("got %d, want 200", rec.Code)
	}
	if got := s.platform.exchanges(); got != 1 {
		t.Errorf("got %d token requests, want 1", got)
	}
}

func TestReturnTo(t *testing.T) {
	finish := func(t *testing.T, s *site, rec *httptest.ResponseRecorder, extra string) *httptest.ResponseRecorder {
		state, cookie := started(t, rec)
		return s.get("state="+state+"&code="+s.platform.code(storeA)+extra, cookie)
	}
	begin := func(s *site, to string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		s.Begin(rec, httptest.NewRequest(http.MethodPost, "https://app.example/install", nil), to)
		return rec
	}
	t.Run("of Begin", func(t *testing.T) {
		s := newSite(t)
		s.ReturnTo = "/default"
		rec := finish(t, s, begin(s, "/settings?tab=2#end"), "&return_to=//evil.example")
		if got := rec.Header().Get("Location"); rec.Code != 303 || got != "/settings?tab=2#end" {
			t.Errorf("got %d to %q, want 303 to /settings?tab=2#end", rec.Code, got)
		}
	})
	t.Run("of the handler", func(t *testing.T) {
		s := newSite(t)
		s.ReturnTo = "/default"
		if got := finish(t, s, begin(s, ""), "").Header().Get("Location"); got != "/default" {
			t.Errorf("got %q, want /default", got)
		}
	})
	t.Run("refused", func(t *testing.T) {
		s := newSite(t)
		if rec := begin(s, "//evil.example"); rec.Code != 400 || rec.Header().Get("Location") != "" {
			t.Errorf("got %d to %q, want 400", rec.Code, rec.Header().Get("Location"))
		}
	})
	t.Run("changed in the store", func(t *testing.T) {
		s := newSite(t)
		s.States = evilStates{}
		rec := finish(t, s, begin(s, "/fine"), "")
		if rec.Code != 400 || rec.Header().Get("Location") != "" || s.platform.exchanges() != 0 {
			t.Errorf("got %d to %q, %d token requests; want 400 and none", rec.Code, rec.Header().Get("Location"), s.platform.exchanges())
		}
	})
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		want        int
		page        string
	}{
		{"declined", "error=access_denied&state=x", 403, "The installation was cancelled"},
		{"declined, with a code", "error=access_denied&code=c", 403, "The installation was cancelled"},
		{"other error", "error=server_error", 403, "The installation was stopped"},
		{"two codes", "code=a&code=b&state=x", 400, "This link cannot be read"},
		{"two states", "code=a&state=x&state=y", 400, "This link cannot be read"},
		{"broken escape", "code=%zz", 400, "This link cannot be read"},
		{"two separators", "code=a;state=b", 400, "This link cannot be read"},
		{"long code", "code=" + strings.Repeat("a", 1025), 400, "This link cannot be read"},
		{"long query", "x=" + strings.Repeat("a", 9000), 400, "This link cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t)
			rec := s.get(tt.query)
			if rec.Code != tt.want || !strings.Contains(rec.Body.String(), tt.page) {
				t.Errorf("got %d and\n%s\nwant %d and %q", rec.Code, rec.Body, tt.want, tt.page)
			}
			h := rec.Header()
			if h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Content-Type-Options") != "nosniff" ||
				!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("got headers %v", h)
			}
			if len(s.reported) != 1 || s.platform.exchanges() != 0 {
				t.Errorf("got %d reports and %d token requests, want 1 and 0", len(s.reported), s.platform.exchanges())
			}
		})
	}
	t.Run("state without code", func(t *testing.T) {
		s := newSite(t)
		state, cookie := s.begin(t)
		if rec := s.get("state="+state, cookie); rec.Code != 400 {
			t.Errorf("got %d, want 400", rec.Code)
		}
	})
	t.Run("declined, then approved", func(t *testing.T) {
		s := newSite(t)
		state, cookie := s.begin(t)
		if rec := s.get("error=access_denied&error_description=not+now&state="+state, cookie); rec.Code != 403 {
			t.Errorf("got %d, want 403", rec.Code)
		}
		var refused *oauth.Error
		if err := s.lastReport(t); !errors.As(err, &refused) || refused.Code != "access_denied" || refused.Description != "not now" || refused.Status != 0 {
			t.Errorf("reported %v, want access_denied", err)
		}
		if rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Code != 200 {
			t.Errorf("got %d, want 200", rec.Code)
		}
	})
	for _, method := range []string{"HEAD", "POST", "PUT", "OPTIONS"} {
		s := newSite(t)
		state, cookie := s.begin(t)
		rec := s.visit(httptest.NewRequest(method, "https://app.example/cb?code=a&state="+state, nil), cookie)
		if rec.Code != 405 || rec.Header().Get("Allow") != "GET" || s.platform.exchanges() != 0 {
			t.Errorf("%s: got %d, want 405", method, rec.Code)
		}
	}
}

// The token request goes out once, whatever becomes of it; the merchant is told to start again.
func TestFailedExchange(t *testing.T) {
	s := newSite(t)
	s.platform.answer = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }
	s.OnInstalled = func(_ context.Context, in oauth.Install) error { t.Errorf("told of %+v", in); return nil }
	state, cookie := s.begin(t)
	code := s.platform.code(storeA)
	for i := range 3 {
		if rec := s.get("state="+state+"&code="+code, cookie); rec.Code != 502 || strings.Count(rec.Body.String(), "<h1>") != 1 {
			t.Errorf("call %d: got %d, want 502 and one page\n%s", i, rec.Code, rec.Body)
		}
	}
	if len(s.reported) != 1 {
		t.Errorf("reported %v, want one failure", s.reported)
	}
	other, cookie := s.begin(t, cookie)
	if rec := s.get("state="+other+"&code="+code, cookie); rec.Code != 403 {
		t.Errorf("same code, new state: got %d, want 403", rec.Code)
	}
	if got := s.platform.exchanges(); got != 1 {
		t.Errorf("got %d token requests, want 1", got)
	}
	if _, err := s.tokens.Load(t.Context(), storeA); !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("load: got %v, want ErrNotInstalled", err)
	}
}

// A token that was issued is stored and the hook runs, even if nobody waits for the answer.
func TestBrowserGoesAway(t *testing.T) {
	s := newSite(t)
	ctx, leave := context.WithCancel(t.Context())
	s.platform.pause = func(int) { leave() }
	var hook error
	s.OnInstalled = func(ctx context.Context, _ oauth.Install) error { hook = ctx.Err(); return nil }
	state, cookie := s.begin(t)
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "https://app.example/cb?state="+state+"&code="+s.platform.code(storeA), nil)
	s.visit(r, cookie)
	if got := string(s.stored(t).Token); got != s.platform.issued[0] || hook != nil {
		t.Errorf("stored %q, hook saw %v; want %q and no error", got, hook, s.platform.issued[0])
	}
}

func TestHooks(t *testing.T) {
	finish := func(t *testing.T, s *site) *httptest.ResponseRecorder {
		state, cookie := s.begin(t)
		return s.land("state="+state+"&code="+s.platform.code(storeA), cookie)
	}
	boom := errors.New("boom")
	t.Run("Installed fails", func(t *testing.T) {
		s := newSite(t)
		s.OnInstalled = func(context.Context, oauth.Install) error { return boom }
		rec := finish(t, s)
		if rec.Code != 500 || strings.Contains(rec.Body.String(), "boom") || strings.Count(rec.Body.String(), "<h1>") != 1 {
			t.Errorf("got %d and\n%s\nwant 500 and one page without the error", rec.Code, rec.Body)
		}
		if err := s.lastReport(t); !errors.Is(err, boom) {
			t.Errorf("reported %v, want boom", err)
		}
		s.stored(t)
	})
	t.Run("Success and Failure", func(t *testing.T) {
		s := newSite(t)
		s.Success = func(w http.ResponseWriter, _ *http.Request, in oauth.Install) { w.WriteHeader(201) }
		s.Failure = func(w http.ResponseWriter, _ *http.Request, status int, err error) { w.WriteHeader(status + 50) }
		if rec := finish(t, s); rec.Code != 201 || rec.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("success: got %d %v, want 201", rec.Code, rec.Header())
		}
		if rec := s.get("code=x&state=" + strings.Repeat("A", 43)); rec.Code != 453 || rec.Header().Get("Cache-Control") != "no-store" || rec.Body.Len() > 0 {
			t.Errorf("failure: got %d %v, want 453 and nothing else\n%s", rec.Code, rec.Header(), rec.Body)
		}
	})
	for name, broken := range map[string]brokenStore{"Load fails": {load: boom}, "Swap fails": {swap: boom}} {
		t.Run(name, bubble(func(t *testing.T) {
			s := newSite(t)
			finish(t, s)
			held := s.stored(t)
			broken.TokenStore = s.tokens
			s.Tokens = broken
			if rec := finish(t, s); rec.Code != 500 || !errors.Is(s.lastReport(t), boom) {
				t.Errorf("got %d and %v, want 500 and boom", rec.Code, s.lastReport(t))
			}
			if err := s.Uninstall(t.Context(), storeA); !errors.Is(err, boom) {
				t.Errorf("uninstall: got %v, want boom: the token is still there", err)
			}
			s.Tokens = s.tokens
			if got := s.stored(t); got.Generation != held.Generation {
				t.Errorf("stored %+v, want what was there before, %+v", got, held)
			}
		}))
	}
	t.Run("Tokens never swaps", bubble(func(t *testing.T) {
		s := newSite(t)
		finish(t, s)
		s.Tokens = brokenStore{TokenStore: s.tokens}
		if rec := finish(t, s); rec.Code != 500 {
			t.Errorf("got %d, want 500", rec.Code)
		}
		if err := s.Uninstall(t.Context(), storeA); err == nil || !strings.Contains(err.Error(), "lost 100 races") {
			t.Errorf("uninstall: got %v: want that the token is still there", err)
		}
	}))
	t.Run("States fails", func(t *testing.T) {
		s := newSite(t)
		s.States = brokenStates{boom}
		if rec := s.get(""); rec.Code != 500 || !errors.Is(s.lastReport(t), boom) || rec.Header().Get("Location") != "" {
			t.Errorf("got %d and %v, want 500 and boom", rec.Code, s.lastReport(t))
		}
		s.States = nil
		state, cookie := s.begin(t)
		s.States = brokenStates{boom}
		if rec := s.get("code=x&state="+state, cookie); rec.Code != 500 || !errors.Is(s.lastReport(t), boom) {
			t.Errorf("got %d and %v, want 500 and boom", rec.Code, s.lastReport(t))
		}
	})
	t.Run("zero value", func(t *testing.T) {
		for _, query := range []string{"", "code=x"} {
			rec := httptest.NewRecorder()
			new(oauth.Handler).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "https://app.example/?"+query, nil))
			if rec.Code != 500 || strings.Count(rec.Body.String(), "<h1>") != 1 || len(rec.Result().Cookies()) > 0 {
				t.Errorf("%q: got %d, want 500, one page and no cookie", query, rec.Code)
			}
		}
	})
}

// brokenStore fails where it has an error; with none it never swaps.
type brokenStore struct {
	oauth.TokenStore
	load, swap error
}

func (b brokenStore) Load(ctx context.Context, storeID client.ID) (oauth.Install, error) {
	if b.load != nil {
		return oauth.Install{}, b.load
	}
	return b.TokenStore.Load(ctx, storeID)
}

func (b brokenStore) Swap(ctx context.Context, storeID client.ID, generation int64, in *oauth.Install) (bool, error) {
	if b.load != nil {
		return b.TokenStore.Swap(ctx, storeID, generation, in)
	}
	return false, b.swap
}

type brokenStates struct{ err error }

func (b brokenStates) Put(context.Context, string, oauth.Pending) error { return b.err }

func (b brokenStates) Take(context.Context, string) (oauth.Pending, bool, error) {
	return oauth.Pending{}, false, b.err
}
