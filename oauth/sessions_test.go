package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

const sessionKey = "cnry_7f3a_cnry_7f3a"

// signed returns sessions of a store that has installed the app, and the cookie of its merchant.
func signed(t *testing.T) (*oauth.Sessions, *oauth.MemoryStore, *http.Cookie) {
	t.Helper()
	tokens := &oauth.MemoryStore{}
	in := oauth.Install{StoreID: 42, Token: "token", Generation: 7}
	if swapped, err := tokens.Swap(t.Context(), 42, 0, &in); err != nil || !swapped {
		t.Fatal(swapped, err)
	}
	s := &oauth.Sessions{Key: sessionKey, Tokens: tokens, PublicURL: "https://app.example"}
	w := httptest.NewRecorder()
	if err := s.SignIn(w, nil, in); err != nil {
		t.Fatal(err)
	}
	return s, tokens, w.Result().Cookies()[0]
}

func requestWith(cookie *http.Cookie) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "https://app.example/", nil)
	if cookie != nil {
		r.AddCookie(cookie)
	}
	return r
}

// A session is of one installation, for MaxAge, and cannot be made or changed without the key.
func TestSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, tokens, cookie := signed(t)
		if !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.MaxAge != 12*3600 ||
			cookie.Name != "__Host-session" {
			t.Errorf("cookie %+v", cookie)
		}
		in, err := s.Of(requestWith(cookie))
		if err != nil || in.StoreID != 42 || in.Token != "token" {
			t.Fatalf("got %v, %v", in, err)
		}
		value := func(change func(string) string) *http.Cookie {
			return &http.Cookie{Name: cookie.Name, Value: change(cookie.Value)}
		}
		out := func(name string, r *http.Request) {
			t.Helper()
			if in, err := s.Of(r); !errors.Is(err, oauth.ErrSignedOut) || in.StoreID != 0 {
				t.Errorf("%s: %v, %v; want ErrSignedOut", name, in, err)
			}
		}
		out("no cookie", requestWith(nil))
		out("another store", requestWith(value(func(v string) string { return strings.Replace(v, "42.", "43.", 1) })))
		out("another end", requestWith(value(func(v string) string {
			return strings.Replace(v, fmt.Sprint(time.Now().Add(12*time.Hour).Unix()), "99999999999", 1)
		})))
		out("no signature", requestWith(value(func(v string) string { return v[:strings.LastIndexByte(v, '.')+1] })))
		out("a part", requestWith(value(func(v string) string { return v[:strings.LastIndexByte(v, '.')] })))
		out("empty", requestWith(value(func(string) string { return "" })))
		s.Cookie = "other"
		out("of another cookie", requestWith(&http.Cookie{Name: "other", Value: cookie.Value}))
		s.Cookie = ""
		for i := range len(cookie.Value) {
			out(fmt.Sprint("byte ", i), requestWith(value(func(v string) string { return v[:i] + "x" + v[i+1:] })))
		}
		other := &oauth.Sessions{Key: "another key of 16 bytes", Tokens: tokens}
		if _, err := other.Of(requestWith(cookie)); !errors.Is(err, oauth.ErrSignedOut) {
			t.Errorf("with another key: %v", err)
		}
		time.Sleep(12*time.Hour - time.Second)
		if _, err := s.Of(requestWith(cookie)); err != nil {
			t.Errorf("before its end: %v", err)
		}
		time.Sleep(time.Second)
		out("too old", requestWith(cookie))
	})
}

// A session ends with its installation, and a failure of the store is no sign-out.
func TestSessionsEndWithTheInstallation(t *testing.T) {
	s, tokens, cookie := signed(t)
	s.Tokens = failingTokens{tokens}
	if _, err := s.Of(requestWith(cookie)); err == nil || errors.Is(err, oauth.ErrSignedOut) {
		t.Errorf("a store that fails: %v, want its error", err)
	}
	s.Tokens = tokens
	swap := func(old int64, next *oauth.Install) {
		t.Helper()
		if swapped, err := tokens.Swap(t.Context(), 42, old, next); err != nil || !swapped {
			t.Fatal(swapped, err)
		}
		if _, err := s.Of(requestWith(cookie)); !errors.Is(err, oauth.ErrSignedOut) {
			t.Errorf("got %v, want ErrSignedOut", err)
		}
	}
	swap(7, nil)
	swap(0, &oauth.Install{StoreID: 42, Token: "token", Generation: 8})
	w := httptest.NewRecorder()
	s.SignOut(w)
	if removed := w.Result().Cookies()[0]; removed.Name != cookie.Name || removed.MaxAge >= 0 || removed.Value != "" {
		t.Errorf("SignOut: %+v", removed)
	}
}

type failingTokens struct{ oauth.TokenStore }

func (failingTokens) Load(context.Context, client.ID) (oauth.Install, error) {
	return oauth.Install{}, errors.New("no database")
}

func TestSessionsCheck(t *testing.T) {
	tokens := &oauth.MemoryStore{}
	for want, s := range map[string]*oauth.Sessions{
		"Sessions.Key has": {Key: "short", Tokens: tokens},
		"Tokens":           {Key: sessionKey},
		"MaxAge is -1s":    {Key: sessionKey, Tokens: tokens, MaxAge: -time.Second},
		"PublicURL":        {Key: sessionKey, Tokens: tokens, PublicURL: "http://app.example"},
		"":                 {Key: sessionKey, Tokens: tokens, PublicURL: "http://localhost:8080"},
	} {
		err := s.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		w := httptest.NewRecorder()
		if signIn := s.SignIn(w, nil, oauth.Install{}); fmt.Sprint(signIn) != fmt.Sprint(err) {
			t.Errorf("SignIn: %v, want %v", signIn, err)
		}
		if _, err := s.Of(requestWith(nil)); err == nil {
			t.Error("Of: want an error")
		}
		if want == "" && (w.Result().Cookies()[0].Secure || w.Result().Cookies()[0].Name != "session") {
			t.Errorf("the cookie at http://localhost is %v", w.Result().Cookies()[0])
		}
		if printed := fmt.Sprintf("%+v %#v", s, s); strings.Contains(printed, sessionKey) {
			t.Errorf("printed %s", printed)
		}
	}
}
