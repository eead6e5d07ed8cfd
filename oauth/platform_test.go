package oauth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	appID     = 4321
	appSecret = "app-secret-1"
	storeA    = 817495
)

// platform is the other side of the flow, written from the contract alone.
type platform struct {
	mux      *http.ServeMux
	redirect string // the app's redirect URL

	answer func(w http.ResponseWriter, r *http.Request) // instead of a token answer
	pause  func(issued int)                             // between issuing a token and answering

	mu       sync.Mutex
	stores   map[string]client.ID // by unused code
	alive    map[client.ID]string // token by store
	issued   []string
	requests []string // bodies of token requests
	problems []string // what a token request did wrong
}

func newPlatform() *platform {
	p := &platform{mux: http.NewServeMux(), stores: map[string]client.ID{}, alive: map[client.ID]string{}}
	p.mux.HandleFunc("GET /apps/4321/authorize", p.authorize)
	p.mux.HandleFunc("POST /apps/authorize/token", p.token)
	return p
}

// RoundTrip makes the platform the transport of an App, so that tests need no sockets.
func (p *platform) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.GetBody != nil {
		p.problems = append(p.problems, "the body can be sent again")
	}
	rec := httptest.NewRecorder()
	in := r.Clone(r.Context())
	in.RequestURI = r.URL.RequestURI()
	p.mux.ServeHTTP(rec, in)
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	return rec.Result(), nil
}

func (p *platform) code(store client.ID) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	code := fmt.Sprintf("code-%d-%d", store, len(p.stores)+len(p.requests)*1000)
	p.stores[code] = store
	return code
}

// authorize approves at once, for storeA.
func (p *platform) authorize(w http.ResponseWriter, r *http.Request) {
	q := url.Values{"code": {p.code(storeA)}}
	if state := r.URL.Query().Get("state"); state != "" {
		q.Set("state", state)
	}
	http.Redirect(w, r, p.redirect+"?"+q.Encode(), http.StatusFound)
}

func (p *platform) token(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	issued, ok := p.issue(r, body)
	if p.answer != nil {
		p.answer(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if !ok {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"The authorization code is not valid"}`)
		return
	}
	token, store := p.nth(issued)
	if p.pause != nil {
		p.pause(issued)
	}
	_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"bearer","scope":"write_orders,read_products","user_id":"%d"}`, token, store)
}

// issue records the request and answers with the number of the token it made.
func (p *platform) issue(r *http.Request, body []byte) (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, string(body))
	wrong := func(format string, args ...any) { p.problems = append(p.problems, fmt.Sprintf(format, args...)) }
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		wrong("Content-Type %q", r.Header.Get("Content-Type"))
	}
	if r.URL.RawQuery != "" {
		wrong("query %q", r.URL.RawQuery)
	}
	if r.Header.Get("Authorization") != "" || r.Header.Get("Idempotency-Key") != "" {
		wrong("headers %v", r.Header)
	}
	var in map[string]string
	if err := json.Unmarshal(body, &in); err != nil {
		wrong("body %q: %v", body, err)
	}
	if len(in) != 4 || in["client_id"] != "4321" || in["client_secret"] != appSecret || in["grant_type"] != "authorization_code" {
		wrong("body %q", body)
	}
	store, ok := p.stores[in["code"]]
	if !ok {
		return 0, false
	}
	delete(p.stores, in["code"])
	token := fmt.Sprintf("token-%d-%d", store, len(p.issued)+1)
	p.issued = append(p.issued, token)
	p.alive[store] = token
	return len(p.issued), true
}

func (p *platform) nth(issued int) (token string, store client.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	token = p.issued[issued-1]
	_, _ = fmt.Sscanf(token, "token-%d-", &store)
	return token, store
}

func (p *platform) isAlive(in oauth.Install) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.alive[in.StoreID] == string(in.Token)
}

func (p *platform) exchanges() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.requests)
}

func (p *platform) check(t *testing.T) {
	t.Helper()
	for _, problem := range p.problems {
		t.Errorf("token request: %s", problem)
	}
}

// site is an app that mounted a Handler, driven without sockets.
type site struct {
	*oauth.Handler
	platform *platform
	tokens   *oauth.MemoryStore

	mu       sync.Mutex
	reported []error
}

func newSite(t *testing.T) *site {
	p := newPlatform()
	s := &site{platform: p, tokens: &oauth.MemoryStore{}}
	s.Handler = &oauth.Handler{
		App:    oauth.App{ID: appID, Secret: appSecret, AuthURL: "https://auth.example", Transport: p},
		Tokens: s.tokens,
		OnError: func(_ context.Context, err error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.reported = append(s.reported, err)
		},
	}
	t.Cleanup(func() { p.check(t) })
	return s
}

func (s *site) get(query string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	return s.visit(httptest.NewRequest(http.MethodGet, "https://app.example/oauth/callback?"+query, nil), cookies...)
}

// land follows a callback to the success address, as a browser does. The last request is the one that is answered.
func (s *site) land(query string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	rec := s.get(query, cookies...)
	if to, ok := strings.CutPrefix(rec.Header().Get("Location"), "?"); ok && rec.Code == http.StatusSeeOther {
		return s.get(to, append(cookies, rec.Result().Cookies()...)...)
	}
	return rec
}

func (s *site) visit(r *http.Request, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	for _, c := range cookies {
		r.AddCookie(c)
	}
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, r)
	return rec
}

// begin starts an installation and returns its state and cookie.
func (s *site) begin(t *testing.T, cookies ...*http.Cookie) (state string, cookie *http.Cookie) {
	t.Helper()
	return started(t, s.get("", cookies...))
}

func started(t *testing.T, rec *httptest.ResponseRecorder) (state string, cookie *http.Cookie) {
	t.Helper()
	to, err := url.Parse(rec.Header().Get("Location"))
	if rec.Code != http.StatusSeeOther || err != nil || !strings.HasSuffix(to.Path, "/apps/4321/authorize") {
		t.Fatalf("begin: got %d to %q, want 303 to the authorize address", rec.Code, rec.Header().Get("Location"))
	}
	if h := rec.Header(); h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("begin: got headers %v", h)
	}
	set := rec.Result().Cookies()
	if len(set) != 1 {
		t.Fatalf("begin: got %d cookies, want 1", len(set))
	}
	return to.Query().Get("state"), &http.Cookie{Name: set[0].Name, Value: set[0].Value}
}

func (s *site) lastReport(t *testing.T) error {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.reported) == 0 {
		t.Fatal("nothing was reported")
	}
	return s.reported[len(s.reported)-1]
}

func (s *site) stored(t *testing.T) oauth.Install {
	t.Helper()
	in, err := s.Tokens.Load(t.Context(), storeA)
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return in
}

// bubble runs a test in a bubble of its own time.
func bubble(test func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) { synctest.Test(t, test) }
}
