package oauth_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
)

// opens opens the app in a new browser, as a user of the store, and returns the session of that browser.
func (s *site) opens(t *testing.T, sessions *oauth.Sessions) *http.Cookie {
	t.Helper()
	state, cookie := s.begin(t)
	rec := s.get("state="+state+"&code="+s.platform.code(storeA), cookie)
	for _, c := range rec.Result().Cookies() {
		if c.Name == "__Host-session" {
			if _, err := sessions.Of(requestWith(c)); err != nil {
				t.Fatalf("the user is not signed in: %v", err)
			}
			return c
		}
	}
	t.Fatalf("got %d without a session", rec.Code)
	return nil
}

// Two users of a store are signed in, each in a browser of their own. Each sees the token of the later one.
func TestColleagueSignsNobodyOut(t *testing.T) {
	s := newSite(t)
	sessions := &oauth.Sessions{Key: sessionKey, Tokens: s.tokens, PublicURL: "https://app.example"}
	s.SignIn = sessions.SignIn
	first := s.opens(t, sessions)
	second := s.opens(t, sessions)
	for _, user := range []*http.Cookie{first, second} {
		in, err := sessions.Of(requestWith(user))
		if token, _ := s.platform.nth(2); err != nil || string(in.Token) != token {
			t.Errorf("got %v, %v; want the second token", in, err)
		}
	}
	rec := httptest.NewRecorder()
	sessions.SignOut(rec) // the browser of the second user
	if _, err := sessions.Of(requestWith(first)); err != nil {
		t.Errorf("the first user was signed out too: %v", err)
	}
	must(t, s.Uninstall(t.Context(), storeA))
	third := s.opens(t, sessions)
	for _, user := range []*http.Cookie{first, second} {
		if _, err := sessions.Of(requestWith(user)); !errors.Is(err, oauth.ErrSignedOut) {
			t.Errorf("after the uninstall and a new installation: got %v, want ErrSignedOut", err)
		}
	}
	if _, err := sessions.Of(requestWith(third)); err != nil {
		t.Error(err)
	}
}

// Users of two stores open the app in one browser. The later one is signed in.
func TestLaterUserOfOneBrowserWins(t *testing.T) {
	s, tokens, _ := signed(t)
	other := oauth.Install{StoreID: 43, Token: "other", Generation: 9}
	if swapped, err := tokens.Swap(t.Context(), 43, 0, &other); err != nil || !swapped {
		t.Fatal(swapped, err)
	}
	jar := map[string]*http.Cookie{}
	for _, store := range []int{42, 43} {
		in := oauth.Install{StoreID: 42, Generation: 7}
		if store == 43 {
			in = other
		}
		rec := httptest.NewRecorder()
		must(t, s.SignIn(rec, nil, in))
		for _, c := range rec.Result().Cookies() {
			jar[c.Name] = c
		}
	}
	if in, err := s.Of(requestWith(jar["__Host-session"])); len(jar) != 1 || err != nil || in.StoreID != 43 {
		t.Errorf("%d cookies, of %v, %v; want one, of store 43", len(jar), in.StoreID, err)
	}
}
