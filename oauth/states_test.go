package oauth_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/oauth"
)

func TestStates(t *testing.T) {
	fresh := func() string {
		b := make([]byte, 32)
		_, _ = rand.Read(b)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	for _, tt := range []struct {
		name string
		send func(t *testing.T, s *site, code string) *httptest.ResponseRecorder
		want error
		sent int
	}{
		{"wrong", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			_, cookie := s.begin(t)
			return s.get("state="+fresh()+"&code="+code, cookie)
		}, oauth.ErrState, 0},
		{"of an earlier process", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			*s.Handler = oauth.Handler{App: s.App, Tokens: s.Tokens, OnError: s.OnError}
			return s.get("state="+state+"&code="+code, cookie)
		}, oauth.ErrState, 0},
		{"malformed", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			return s.get("state="+state+"A&code="+code, cookie)
		}, oauth.ErrState, 0},
		{"no cookie", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, _ := s.begin(t)
			return s.get("state=" + state + "&code=" + code)
		}, oauth.ErrNoCookie, 0},
		{"other browser", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, _ := s.begin(t)
			_, other := s.begin(t)
			return s.get("state="+state+"&code="+code, other)
		}, oauth.ErrOtherBrowser, 0},
		{"renamed cookie", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			cookie.Name = "__Host-oauth-browser-AAAAAAAA"
			return s.get("state="+state+"&code="+code, cookie)
		}, oauth.ErrNoCookie, 0},
		{"weak cookie over https", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			cookie.Name = strings.Replace(cookie.Name, "__Host-oauth-browser-", "oauth-browser-loopback-", 1)
			return s.get("state="+state+"&code="+code, cookie)
		}, oauth.ErrNoCookie, 0},
		{"other app", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			s.States = &oauth.MemoryStates{}
			other := newSite(t)
			other.States, other.App.ID = s.States, appID+1
			state, cookie := s.begin(t)
			rec := other.get("state="+state+"&code="+code, cookie)
			s.reported = other.reported
			return rec
		}, oauth.ErrOtherBrowser, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t)
			rec := tt.send(t, s, s.platform.code(storeA))
			if rec.Code != http.StatusForbidden {
				t.Errorf("got status %d, want 403", rec.Code)
			}
			if err := s.lastReport(t); !errors.Is(err, tt.want) || !errors.Is(err, oauth.ErrState) {
				t.Errorf("reported %v, want %v", err, tt.want)
			}
			if got := s.platform.exchanges(); got != tt.sent {
				t.Errorf("got %d token requests, want %d", got, tt.sent)
			}
			if !strings.Contains(rec.Body.String(), ` href="?`) {
				t.Errorf("page offers no new start:\n%s", rec.Body)
			}
		})
	}
}

func TestStateExpires(t *testing.T) {
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{
		{10 * time.Minute, 200},
		{10*time.Minute + time.Second, 403},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			state, cookie := s.begin(t)
			time.Sleep(tt.after)
			rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie)
			if rec.Code != tt.want || tt.want != 200 && !errors.Is(s.lastReport(t), oauth.ErrExpired) {
				t.Errorf("after %v: got %d (%v), want %d", tt.after, rec.Code, s.reported, tt.want)
			}
		})
	}
}

func TestParallelCallbacksOfOneState(t *testing.T) {
	s := newSite(t)
	state, cookie := s.begin(t)
	var codes []string
	for range 100 {
		codes = append(codes, s.platform.code(storeA))
	}
	var wg sync.WaitGroup
	places := make(chan string, len(codes))
	for _, code := range codes {
		wg.Go(func() { places <- s.get("state="+state+"&code="+code, cookie).Header().Get("Location") })
	}
	wg.Wait()
	close(places)
	count := map[string]int{}
	for place := range places {
		count[place]++
	}
	if len(count) != 1 || count[""] > 0 || s.platform.exchanges() != 1 {
		t.Errorf("got places %v and %d token requests, want one place and one request", count, s.platform.exchanges())
	}
}

func TestRandomStates(t *testing.T) {
	s := newSite(t)
	s.OnError = nil
	_, cookie := s.begin(t)
	b := make([]byte, 32)
	for range 10_000 {
		_, _ = rand.Read(b)
		if rec := s.get("code=x&state="+base64.RawURLEncoding.EncodeToString(b), cookie); rec.Code != 403 {
			t.Fatalf("got %d, want 403", rec.Code)
		}
	}
	if got := s.platform.exchanges(); got != 0 {
		t.Errorf("got %d token requests, want none", got)
	}
}

// What the request says of TLS, of the host and of proxies makes no difference.
func TestCookie(t *testing.T) {
	const (
		host     = "__Host-oauth-browser-N=V; Path=/; Max-Age=1200; HttpOnly; Secure; SameSite=Lax"
		loopback = "oauth-browser-loopback-N=V; Path=/; Max-Age=1200; HttpOnly; SameSite=Lax"
	)
	for _, tt := range []struct{ public, want string }{
		{"", host},
		{"https://app.example", host},
		{"https://app.example:8443/oauth/callback", host},
		{"https://localhost:8443", host},
		{"http://localhost", loopback},
		{"http://LOCALHOST:8080/", loopback},
		{"http://app.localhost:8080", loopback},
		{"http://127.0.0.1:8080", loopback},
		{"http://[::1]:8080", loopback},
	} {
		for _, target := range []string{"https://app.example/cb", "http://app.example/cb", "http://127.0.0.1:8080/cb", "http://localhost/cb"} {
			for _, header := range []string{"", "Forwarded", "X-Forwarded-Proto"} {
				s := newSite(t)
				s.PublicURL = tt.public
				r := httptest.NewRequest(http.MethodGet, target, nil)
				r.Header.Set(header, "http")
				rec := s.visit(r)
				_, cookie := started(t, rec)
				name := cookie.Name[strings.LastIndex(cookie.Name, "browser")+len("browser"):]
				name = strings.TrimPrefix(strings.TrimPrefix(name, "-loopback"), "-")
				got := strings.NewReplacer(name+"="+cookie.Value, "N=V").Replace(rec.Header().Get("Set-Cookie"))
				if got != tt.want || len(name) != 8 {
					t.Errorf("%q at %s: got cookie\n%s, want\n%s", tt.public, target, got, tt.want)
				}
				if raw, err := base64.RawURLEncoding.DecodeString(cookie.Value); err != nil || len(raw) != 32 {
					t.Errorf("cookie value %q: want 256 bits", cookie.Value)
				}
			}
		}
	}
}

func TestPublicURLIsChecked(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"app.example", `"app.example": must be an absolute URL with a host`},
		{"https:///cb", `"https:///cb": must be an absolute URL with a host`},
		{"ftp://app.example", `"ftp://app.example": must be https`},
		{"http://app.example", `"http://app.example": must be https; http is for loopback hosts only`},
		{"http://0.0.0.0:80", `"http://0.0.0.0:80": must be https; http is for loopback hosts only`},
		{"http://localhost.evil.example", `"http://localhost.evil.example": must be https; http is for loopback hosts only`},
		{"https://u:cnry_7f3a@app.example", `"https://app.example": must not have a user or password`},
		{"https://app.example/?cnry_7f3a", `"https://app.example/": must not have a query or fragment`},
		{"https://app.example/#cnry_7f3a", `"https://app.example/": must not have a query or fragment`},
		{"https://app example/cnry_7f3a", `cannot be parsed: must be https://host`},
	} {
		s := newSite(t)
		s.PublicURL = tt.url
		rec := s.get("")
		if rec.Code != 500 || rec.Header().Get("Set-Cookie") != "" || s.lastReport(t).Error() != "oauth: configuration: Handler.PublicURL "+tt.want {
			t.Errorf("%s: got %d and %v, want 500 and %s", tt.url, rec.Code, s.lastReport(t), tt.want)
		}
	}
}

func TestTwoTabs(t *testing.T) {
	s := newSite(t)
	first, cookie := s.begin(t)
	second, cookie := s.begin(t, cookie)
	for _, state := range []string{first, second} {
		if rec := s.land("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Code != 200 {
			t.Errorf("got %d, want 200", rec.Code)
		}
	}
}

type evilStates struct{}

func (evilStates) Put(context.Context, string, oauth.Pending) error { return nil }

func (evilStates) Take(context.Context, string) (oauth.Pending, bool, error) {
	return oauth.Pending{ReturnTo: `/\evil.example`, Expires: time.Now().Add(time.Hour)}, true, nil
}
