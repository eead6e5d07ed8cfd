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
		{"missing", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			_, cookie := s.begin(t)
			return s.get("code="+code, cookie)
		}, oauth.ErrUnsolicited, 0},
		{"empty", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			_, cookie := s.begin(t)
			return s.get("state=&code="+code, cookie)
		}, oauth.ErrUnsolicited, 0},
		{"wrong", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			_, cookie := s.begin(t)
			return s.get("state="+fresh()+"&code="+code, cookie)
		}, oauth.ErrState, 0},
		{"malformed", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			return s.get("state="+state+"A&code="+code, cookie)
		}, oauth.ErrState, 0},
		{"reused", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			if rec := s.get("state="+state+"&code="+code, cookie); rec.Code != 200 {
				t.Fatalf("first use: got %d, want 200", rec.Code)
			}
			return s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
		}, oauth.ErrState, 1},
		{"no cookie", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, _ := s.begin(t)
			return s.get("state=" + state + "&code=" + code)
		}, oauth.ErrState, 0},
		{"other browser", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, _ := s.begin(t)
			_, other := s.begin(t)
			return s.get("state="+state+"&code="+code, other)
		}, oauth.ErrState, 0},
		{"two cookies", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			_, other := s.begin(t)
			return s.get("state="+state+"&code="+code, cookie, other)
		}, oauth.ErrState, 0},
		{"weak cookie over https", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			state, cookie := s.begin(t)
			cookie.Name = "oauth-browser-loopback"
			return s.get("state="+state+"&code="+code, cookie)
		}, oauth.ErrState, 0},
		{"other app", func(t *testing.T, s *site, code string) *httptest.ResponseRecorder {
			s.States = &oauth.MemoryStates{}
			other := newSite(t)
			other.States, other.App.ID = s.States, appID+1
			state, cookie := s.begin(t)
			rec := other.get("state="+state+"&code="+code, cookie)
			s.reported = other.reported
			return rec
		}, oauth.ErrState, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t)
			rec := tt.send(t, s, s.platform.code(storeA))
			if rec.Code != http.StatusForbidden {
				t.Errorf("got status %d, want 403", rec.Code)
			}
			if err := s.lastReport(t); !errors.Is(err, tt.want) {
				t.Errorf("reported %v, want %v", err, tt.want)
			}
			if got := s.platform.exchanges(); got != tt.sent {
				t.Errorf("got %d token requests, want %d", got, tt.sent)
			}
			if !strings.Contains(rec.Body.String(), `<a href="?">`) {
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
			rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
			if rec.Code != tt.want {
				t.Errorf("after %v: got %d, want %d", tt.after, rec.Code, tt.want)
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
	status := make(chan int, len(codes))
	for _, code := range codes {
		wg.Go(func() { status <- s.get("state="+state+"&code="+code, cookie).Code })
	}
	wg.Wait()
	close(status)
	count := map[int]int{}
	for code := range status {
		count[code]++
	}
	if count[200] != 1 || count[403] != 99 || s.platform.exchanges() != 1 {
		t.Errorf("got answers %v and %d token requests, want one 200, 99 times 403, one request", count, s.platform.exchanges())
	}
}

func TestRandomStates(t *testing.T) {
	s := newSite(t)
	s.Report = nil
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

func TestCookie(t *testing.T) {
	for _, tt := range []struct {
		name, url, forwarded string
		want                 string
	}{
		{"https", "https://app.example/cb", "", "__Host-oauth-browser=V; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"},
		{"behind a proxy that ends TLS", "http://app.example/cb", "https", "__Host-oauth-browser=V; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"},
		{"proxy that renames the host", "http://127.0.0.1/cb", "https", "__Host-oauth-browser=V; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"},
		{"plain http elsewhere", "http://app.example/cb", "", "__Host-oauth-browser=V; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"},
		{"https on loopback", "https://localhost/cb", "", "__Host-oauth-browser=V; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"},
		{"localhost", "http://localhost:8080/cb", "", "oauth-browser-loopback=V; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"},
		{"IPv6", "http://[::1]:8080/cb", "", "oauth-browser-loopback=V; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t)
			r := httptest.NewRequest(http.MethodGet, tt.url, nil)
			if tt.forwarded != "" {
				r.Header.Set("X-Forwarded-Proto", tt.forwarded)
			}
			rec := s.visit(r)
			_, cookie := started(t, rec)
			got := strings.Replace(rec.Header().Get("Set-Cookie"), cookie.Value, "V", 1)
			if got != tt.want {
				t.Errorf("got cookie\n%s, want\n%s", got, tt.want)
			}
			if raw, err := base64.RawURLEncoding.DecodeString(cookie.Value); err != nil || len(raw) != 32 {
				t.Errorf("cookie value %q: want 256 bits", cookie.Value)
			}
		})
	}
}

// A proxy before a loopback host shows in any of these.
func TestCookieBehindProxies(t *testing.T) {
	for _, header := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/cb", nil)
		r.Header.Set(header, "x")
		if _, cookie := started(t, newSite(t).visit(r)); cookie.Name != "__Host-oauth-browser" {
			t.Errorf("%s: got the cookie %s", header, cookie.Name)
		}
	}
}

func TestTwoTabs(t *testing.T) {
	s := newSite(t)
	first, cookie := s.begin(t)
	second, cookie := s.begin(t, cookie)
	for _, state := range []string{first, second} {
		if rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie); rec.Code != 200 {
			t.Errorf("got %d, want 200", rec.Code)
		}
	}
}

type evilStates struct{}

func (evilStates) Put(context.Context, string, oauth.Pending) error { return nil }

func (evilStates) Take(context.Context, string) (oauth.Pending, bool, error) {
	return oauth.Pending{ReturnTo: `/\evil.example`, Expires: time.Now().Add(time.Hour)}, true, nil
}
