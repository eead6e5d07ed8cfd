package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/oauth"
)

// walk is an app in one store of the reference server. The database and the way to the API fail from time to time.
type walk struct {
	t      *testing.T
	rand   *rand.Rand
	server *clienttest.Server
	tokens oauth.MemoryStore
	h      *oauth.Handler
	judge  *client.Judge
	steps  []string

	installed bool      // at the platform
	events    int       // app/uninstalled that were not handled
	informed  bool      // the page of the latest installation says what to do
	away      time.Time // until when the database fails
	lost      bool      // the answer of the next Swap is lost
	refuses   time.Time // until when the API answers 401, in the form of the platform or of a proxy
	proxy     bool
	fails     bool          // the next OnInstalled
	ready     client.Secret // the token for which OnInstalled has succeeded last
}

func (w *walk) Load(ctx context.Context, id client.ID) (oauth.Install, error) {
	if time.Now().Before(w.away) {
		return oauth.Install{}, errAway
	}
	return w.tokens.Load(ctx, id)
}

func (w *walk) Swap(ctx context.Context, id client.ID, old int64, next *oauth.Install) (bool, error) {
	if time.Now().Before(w.away) {
		return false, errAway
	}
	swapped, err := w.tokens.Swap(ctx, id, old, next)
	if w.lost {
		w.lost = false
		return false, errAway
	}
	return swapped, err
}

func (w *walk) Retire(ctx context.Context, id client.ID, generation int64, at time.Time) (bool, error) {
	if time.Now().Before(w.away) {
		return false, errAway
	}
	return w.tokens.Retire(ctx, id, generation, at)
}

// RoundTrip is the way to the API.
func (w *walk) RoundTrip(r *http.Request) (*http.Response, error) {
	token := strings.HasSuffix(r.URL.Path, "/token")
	if !token && time.Now().Before(w.refuses) {
		kind, body := "application/json", `{"code":401,"message":"Unauthorized","description":"Invalid access token"}`
		if w.proxy {
			kind, body = "text/html", "<h1>401 Authorization Required</h1>"
		}
		return &http.Response{
			StatusCode: http.StatusUnauthorized, Header: http.Header{"Content-Type": {kind}}, Request: r, ProtoMajor: 1,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}, nil
	}
	resp, err := w.server.Transport().RoundTrip(r)
	if token && err == nil && resp.StatusCode < 300 {
		w.installed = true
	}
	return resp, err
}

// restart begins a process that has no memory of the earlier one.
func (w *walk) restart() {
	app := w.server.App()
	w.judge = &client.Judge{}
	config := client.Config{
		BaseURL: w.server.URL(), UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: w},
	}
	w.h = &oauth.Handler{
		App:    oauth.App{ID: app.ID, Secret: app.Secret, AuthURL: app.AuthURL, Transport: w},
		Tokens: w, Judge: w.judge, Verify: oauth.AliveBy(config), ReturnTo: "/welcome",
		OnError: func(context.Context, error) {}, OnInstalled: w.setUp,
	}
}

// setUp is OnInstalled, which calls the API.
func (w *walk) setUp(ctx context.Context, in oauth.Install) error {
	alive, err := w.h.Verify(ctx, in)
	if err != nil || !alive || w.fails {
		w.fails = false
		return errors.Join(err, errAway)
	}
	w.ready = in.Token
	return nil
}

// Retired completes the Retirer.
func (w *walk) Retired(ctx context.Context) iter.Seq2[oauth.Install, error] {
	return w.tokens.Retired(ctx)
}

// approve is a user who opens the app. With killed, the process ends while it stores the token.
func (w *walk) approve(killed bool) {
	begun := httptest.NewRecorder()
	w.h.Begin(begun, httptest.NewRequest(http.MethodGet, "https://app.example/install", nil), "")
	browser := &http.Client{Transport: w.server.Transport(), CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	resp, err := browser.Get(begun.Header().Get("Location"))
	if err != nil {
		w.t.Fatal(err)
	}
	_ = resp.Body.Close()
	back, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		w.t.Fatal(err)
	}
	if killed { // the database is gone for this process, and the browser gets no answer
		w.away = time.Now().Add(time.Hour)
	}
	rec := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "https://app.example/oauth/callback?"+back.RawQuery, nil)
	for _, c := range begun.Result().Cookies() {
		r.AddCookie(c)
	}
	w.h.ServeHTTP(rec, r)
	if killed {
		w.away = time.Time{}
		w.restart()
	}
	page := rec.Body.String()
	kept := strings.Contains(page, "is not ready yet") // so Revive must find the token
	w.informed = killed || rec.Code >= 400 && !kept && (strings.Contains(page, "tart again") || strings.Contains(page, "ry again"))
	if rec.Code >= 400 && rec.Code != http.StatusConflict && !kept && !w.informed {
		w.fail("the page of status %d does not say what to do:\n%s", rec.Code, page)
	}
}

func (w *walk) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\nafter %s", fmt.Sprintf(format, args...), strings.Join(w.steps, ", "))
}

// handle delivers the events, which fail while there is doubt or the database is away.
func (w *walk) handle() {
	if w.events > 0 && w.h.Uninstall(w.t.Context(), w.server.StoreID()) == nil {
		w.events--
	}
}

func (w *walk) step() {
	acts := []struct {
		name string
		do   func()
	}{
		{"install", func() { w.approve(false) }},
		{"colleague", func() { w.approve(false) }},
		{"kill", func() { w.approve(true) }},
		{"restart", w.restart},
		{"uninstall", func() {
			if w.installed {
				if err := w.server.Uninstall(); err != nil {
					w.t.Fatal(err)
				}
				w.installed = false
				w.events += 1 + w.rand.IntN(2)
			}
		}},
		{"late event", func() { w.events++ }},
		{"event", w.handle},
		{"event again", w.handle},
		{"refused", func() { w.refuses, w.proxy = time.Now().Add(time.Duration(w.rand.IntN(200))*time.Second), false }},
		{"proxy", func() { w.refuses, w.proxy = time.Now().Add(time.Duration(w.rand.IntN(200))*time.Second), true }},
		{"away", func() { w.away = time.Now().Add(time.Duration(w.rand.IntN(30)) * time.Second) }},
		{"lost", func() { w.lost = true }},
		{"failing setup", func() { w.fails = true }},
		{"wait", func() { time.Sleep(time.Duration(w.rand.IntN(60)) * time.Second) }},
		{"revive", func() { _ = w.h.Revive(w.t.Context()) }},
	}
	act := acts[w.rand.IntN(len(acts))]
	w.steps = append(w.steps, act.name)
	act.do()
}

// settle ends all faults, delivers all events and lets some passes of KeepRetired go by. The live token is then stored
// and OnInstalled has succeeded for it, or the page of the latest installation has said what to do. A store without the
// app has no token.
func (w *walk) settle() {
	w.away, w.refuses, w.lost = time.Time{}, time.Time{}, false
	w.fails = false
	for range 20 {
		w.handle()
		_ = w.h.Revive(w.t.Context())
		time.Sleep(time.Minute)
	}
	if err := w.h.Revive(w.t.Context()); err != nil || w.events > 0 {
		w.fail("%d events are left, Revive: %v", w.events, err)
	}
	in, err := w.tokens.Load(w.t.Context(), w.server.StoreID())
	if err != nil && !errors.Is(err, oauth.ErrNotInstalled) {
		w.t.Fatal(err)
	}
	alive := false
	if err == nil {
		if alive, err = w.h.Verify(w.t.Context(), in); err != nil {
			w.t.Fatal(err)
		}
	}
	if w.installed && !alive && !w.informed {
		w.fail("the live token is not stored, and the merchant was not informed")
	}
	if alive && (in.Due || in.Token != w.ready) {
		w.fail("OnInstalled has not succeeded for the live token: Due %v", in.Due)
	}
	if !w.installed && alive {
		w.fail("a token is alive in a store without the app")
	}
}

// Seeded walks of installations, colleagues, uninstalls, refusals, proxies, kills and a failing database. A failure
// prints the seed in its name and the steps.
func TestProofLastLiveTokenIsStored(t *testing.T) {
	for seed := range tier.Unwatched(uint64(20), 400, 4000) {
		t.Run(fmt.Sprint(seed), bubble(func(t *testing.T) {
			server := clienttest.New(t, clienttest.Options{
				RealTime: true, AutoApprove: true, RedirectURL: "https://app.example/oauth/callback",
			})
			if err := server.Uninstall(); err != nil {
				t.Fatal(err)
			}
			w := &walk{t: t, rand: rand.New(rand.NewPCG(seed, 1)), server: server}
			w.restart()
			for range 4 {
				for range 12 {
					w.step()
				}
				w.settle()
			}
			synctest.Wait()
		}))
	}
}
