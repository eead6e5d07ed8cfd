package statetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// shop is the store that installs the app.
const shop = 817495

// platform issues tokens: it is the transport of an oauth.App.
type platform struct{ issued atomic.Int64 }

func (p *platform) RoundTrip(r *http.Request) (*http.Response, error) {
	var in struct {
		Code string `json:"code"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || !strings.HasPrefix(in.Code, "code-") {
		return nil, fmt.Errorf("token request %+v: %w", in, err)
	}
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "application/json")
	_, err := fmt.Fprintf(rec, `{"access_token":"canary-%d","token_type":"bearer","scope":"write_orders","user_id":"%d"}`,
		p.issued.Add(1), shop)
	return rec.Result(), err
}

// replica is a process of the app.
type replica struct {
	oauth.Handler
	mu       sync.Mutex
	reported []error
}

// site returns replicas of an app, each with connections of its own to one database.
func site(t *testing.T, e Engine, p *platform, n int) (all []*replica) {
	t.Helper()
	for _, s := range handles[oauth.TokenStore](t, e, n) {
		r := &replica{}
		r.App = oauth.App{ID: 4321, Secret: "app-secret", AuthURL: "https://auth.example", Transport: p}
		r.Tokens, r.States, r.ReturnTo = s, s.(*sqlstore.Store), "/welcome"
		r.Verify = func(_ context.Context, in oauth.Install) (bool, error) {
			return string(in.Token) == fmt.Sprintf("canary-%d", p.issued.Load()), nil
		}
		r.OnError = func(_ context.Context, err error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.reported = append(r.reported, err)
		}
		t.Cleanup(func() {
			for _, err := range r.reported {
				t.Errorf("reported %v", err)
			}
		})
		all = append(all, r)
	}
	return all
}

func (r *replica) get(query string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, "https://app.example/oauth/callback?"+query, nil)
	for _, c := range cookies {
		request.AddCookie(c)
	}
	rec := httptest.NewRecorder()
	r.ServeHTTP(rec, request)
	return rec
}

// begin begins an install and returns the query of its callback, but for the code, and the cookie of the browser.
func (r *replica) begin(t *testing.T) (query string, cookie *http.Cookie) {
	t.Helper()
	rec := r.get("")
	to, err := url.Parse(rec.Header().Get("Location"))
	if cookies := rec.Result().Cookies(); err == nil && rec.Code == http.StatusSeeOther && len(cookies) == 1 {
		return "state=" + to.Query().Get("state") + "&code=", cookies[0]
	}
	t.Fatalf("begin: got %d to %v, %v", rec.Code, to, err)
	return "", nil
}

// welcomed fails the test unless a callback led to where the install returns to.
func welcomed(t *testing.T, rec *httptest.ResponseRecorder) {
	t.Helper()
	if to := rec.Header().Get("Location"); rec.Code != http.StatusSeeOther || to != "/welcome" {
		t.Errorf("callback: got %d to %q, want 303 to /welcome\n%s", rec.Code, to, rec.Body)
	}
}

// handlers begins an install at one replica and ends it at another. A reload may reach any.
func handlers(t *testing.T, e Engine) {
	p := &platform{}
	all := site(t, e, p, 3)
	for i := range all {
		query, cookie := all[i].begin(t)
		for n := range 2 * len(all) {
			welcomed(t, all[(i+1+n)%len(all)].get(query+"code-1", cookie))
		}
		if n := p.issued.Load(); n != int64(i+1) {
			t.Fatalf("install number %d: %d tokens were issued", i+1, n)
		}
		for _, r := range all {
			if in, err := r.Tokens.Load(t.Context(), shop); err != nil || string(in.Token) != fmt.Sprintf("canary-%d", i+1) {
				t.Errorf("got %+v, %v; want token %d", in, err, i+1)
			}
		}
	}
	p.issued.Add(1) // the token is dead, and each replica is notified of the end
	for _, r := range all {
		if err := r.Uninstall(t.Context(), shop); err != nil {
			t.Error(err)
		}
		if _, err := r.Tokens.Load(t.Context(), shop); !errors.Is(err, oauth.ErrNotInstalled) {
			t.Errorf("got %v, want ErrNotInstalled", err)
		}
	}
}

// handlersAtOnce sends a callback to all replicas at the same time, many times. It is exchanged once.
func handlersAtOnce(t *testing.T, e Engine) {
	p := &platform{}
	all := site(t, e, p, 2)
	query, cookie := all[0].begin(t)
	var requests sync.WaitGroup
	for n := range 16 {
		requests.Go(func() {
			welcomed(t, all[n%2].get(query+"code-1", cookie))
		})
	}
	requests.Wait()
	if n := p.issued.Load(); n != 1 {
		t.Errorf("%d tokens were issued, want 1", n)
	}
}

// noKeysSpendNothing has a replica without keys: an installation fails before its code is spent.
func noKeysSpendNothing(t *testing.T, e Engine) {
	p := &platform{}
	all := site(t, e, p, 2)
	query, cookie := all[0].begin(t)
	wrong := all[1]
	s := &sqlstore.Store{DB: wrong.Tokens.(*sqlstore.Store).DB, KeySet: &sqlstore.KeySet{}}
	wrong.Tokens, wrong.States = s, s
	if rec := wrong.get(""); rec.Code < 500 {
		t.Errorf("begin without keys: got %d, want a failure", rec.Code)
	}
	if rec := wrong.get(query+"code-1", cookie); rec.Code < 500 || p.issued.Load() != 0 {
		t.Errorf("callback without keys: got %d and %d tokens, want a failure before any", rec.Code, p.issued.Load())
	}
	for _, err := range wrong.reported {
		if !errors.Is(err, sqlstore.ErrNoKeys) {
			t.Errorf("reported %v, want ErrNoKeys", err)
		}
	}
	wrong.reported = nil
	welcomed(t, all[0].get(query+"code-1", cookie))
	if err := s.KeySet.Set(key(1)); err != nil {
		t.Fatal(err)
	}
	if in, err := s.Load(t.Context(), shop); err != nil || string(in.Token) != "canary-1" {
		t.Errorf("with the key: got %+v, %v", in, err)
	}
}
