package oauth_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
)

// signs makes the site sign browsers in, and returns for which tokens it did.
func (s *site) signs(fail *error) *[]string {
	var tokens []string
	s.SignIn = func(w http.ResponseWriter, r *http.Request, in oauth.Install) error {
		if fail != nil && *fail != nil {
			return *fail
		}
		tokens = append(tokens, string(in.Token))
		http.SetCookie(w, &http.Cookie{Name: "session", Value: in.StoreID.String()})
		return nil
	}
	return &tokens
}

func cookieOf(rec *httptest.ResponseRecorder, name string) string {
	for _, c := range rec.Result().Cookies() {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// A session begins with the redirect to the path that was asked for, again if the callback is repeated, and for nobody
// else's browser.
func TestSignIn(t *testing.T) {
	s := newSite(t)
	tokens := s.signs(nil)
	rec := httptest.NewRecorder()
	s.Begin(rec, httptest.NewRequest(http.MethodGet, "https://app.example/install", nil), "/orders/7?tab=2")
	state, cookie := started(t, rec)
	query := "state=" + state + "&code=" + s.platform.code(storeA)
	for range 2 {
		rec = s.get(query, cookie)
		if rec.Code != http.StatusSeeOther || rec.Header().Get("Location") != "/orders/7?tab=2" || cookieOf(rec, "session") != "817495" {
			t.Fatalf("got %d to %q with session %q, want the path and a session of the store", rec.Code, rec.Header().Get("Location"), cookieOf(rec, "session"))
		}
	}
	_, other := s.begin(t)
	if rec := s.get(query, other); cookieOf(rec, "session") != "" || rec.Code == http.StatusSeeOther {
		t.Errorf("another browser got %d and session %q", rec.Code, cookieOf(rec, "session"))
	}
	if len(*tokens) != 2 || s.platform.exchanges() != 1 {
		t.Errorf("signed in for %q after %d token requests", *tokens, s.platform.exchanges())
	}
	if err := s.Uninstall(t.Context(), storeA); err != nil {
		t.Fatal(err)
	}
	if rec := s.get(query, cookie); rec.Code != http.StatusGone || cookieOf(rec, "session") != "" {
		t.Errorf("after the uninstall: %d with session %q, want 410 and none", rec.Code, cookieOf(rec, "session"))
	}
}

// A session that cannot be begun is shown and reported, and tried again with the same callback.
func TestSignInFails(t *testing.T) {
	s := newSite(t)
	fail := errors.New("sessions are down")
	tokens := s.signs(&fail)
	state, cookie := s.begin(t)
	query := "state=" + state + "&code=" + s.platform.code(storeA)
	if rec := s.get(query, cookie); rec.Code != http.StatusInternalServerError || cookieOf(rec, "session") != "" {
		t.Errorf("got %d with session %q", rec.Code, cookieOf(rec, "session"))
	}
	if err := s.lastReport(t); !errors.Is(err, fail) {
		t.Errorf("reported %v", err)
	}
	down := fail
	fail = nil
	if rec := s.get(query, cookie); rec.Code != http.StatusSeeOther || cookieOf(rec, "session") == "" || len(*tokens) != 1 {
		t.Errorf("then: %d with session %q, want a redirect after %v", rec.Code, cookieOf(rec, "session"), down)
	}
}

// An installation that somebody else may have begun signs nobody in.
func TestSignInUnsolicited(t *testing.T) {
	s := newSite(t)
	s.AllowUnsolicited, s.ReturnTo = true, "/welcome"
	tokens := s.signs(nil)
	if rec := s.get("code=" + s.platform.code(storeA)); rec.Code != http.StatusSeeOther || cookieOf(rec, "session") != "" || len(*tokens) != 0 {
		t.Errorf("got %d with session %q for %q", rec.Code, cookieOf(rec, "session"), *tokens)
	}
}

// After a sign-out the address of the callback, which is in the history of the browser, does not sign in again. A new
// installation does, and ends that.
func TestCallbackAfterSignOut(t *testing.T) {
	s := newSite(t)
	sessions := &oauth.Sessions{Key: "0123456789abcdef", Tokens: s.Tokens, PublicURL: "https://app.example"}
	s.SignIn = sessions.SignIn
	const session, left = "__Host-session", "__Host-session-left"
	visit := func(query string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
		rec := s.get(query, cookies...)
		if rec.Code != http.StatusSeeOther {
			t.Fatalf("got %d, want a redirect", rec.Code)
		}
		return rec
	}
	state, browser := s.begin(t)
	query := "state=" + state + "&code=" + s.platform.code(storeA)
	if rec := visit(query, browser); cookieOf(rec, session) == "" {
		t.Error("the installation did not sign in")
	}
	if rec := visit(query, browser); cookieOf(rec, session) == "" {
		t.Error("a reload did not sign in")
	}
	out := httptest.NewRecorder()
	sessions.SignOut(out)
	mark := &http.Cookie{Name: left, Value: cookieOf(out, left)}
	if rec := visit(query, browser, mark); cookieOf(rec, session) != "" {
		t.Error("the callback in the history signed in after the sign-out")
	}
	state, browser = s.begin(t)
	rec := visit("state="+state+"&code="+s.platform.code(storeA), browser, mark)
	if cookieOf(rec, session) == "" || cookieOf(rec, left) != "" || len(rec.Result().Cookies()) < 2 {
		t.Errorf("a new installation set %v, want a session and no mark", rec.Result().Cookies())
	}
}
