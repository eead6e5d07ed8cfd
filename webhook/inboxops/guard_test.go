package inboxops_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// ask sends a request to a handler as if from an address.
func ask(h http.Handler, method, path, host, from string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(""))
	r.Host, r.RemoteAddr = host, from
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestRefusals(t *testing.T) {
	const local, far = "127.0.0.1:5000", "192.0.2.7:5000"
	alone := &inboxops.Handler{Inbox: memory(t), Every: time.Hour}
	shared := &inboxops.Handler{Inbox: memory(t), Every: time.Hour, Hosts: []string{"ops.app.example"},
		Allow: func(r *http.Request) bool {
			return r.Header.Get("Authorization") == "Bearer let me in"
		}}
	for _, tt := range []struct {
		name         string
		h            http.Handler
		method, path string
		host, from   string
		header       []string
		status       int
		answer       string
	}{
		{"local", alone, "GET", "/", "localhost:8080", local, nil, 200, "Overview"},
		{"IPv6", alone, "GET", "/", "[::1]:8080", "[::1]:5000", nil, 200, "Overview"},
		{"mapped", alone, "GET", "/", "127.0.0.1", "[::ffff:127.0.0.1]:5000", nil, 200, "Overview"},
		{"far", alone, "GET", "/", "localhost", far, nil, 403, "only programs of this machine"},
		{"no address", alone, "GET", "/", "localhost", "@", nil, 403, "only programs of this machine"},
		{"a name that leads here", alone, "GET", "/", "evil.example", local, nil, 421, "add it to Hosts"},
		{"such a name and the API", alone, "GET", "/api/overview", "evil.example:80", local, nil, 421, "add it to Hosts"},
		{"proxy", alone, "GET", "/", "localhost", local, []string{"X-Forwarded-For", "192.0.2.7"}, 403, "X-Forwarded-For"},
		{"proxy of the RFC", alone, "GET", "/", "localhost", local, []string{"Forwarded", "for=192.0.2.7"}, 403, "Forwarded"},
		{"proxy with another header", alone, "GET", "/style.css", "localhost", local, []string{"X-Real-IP", "192.0.2.7"}, 403,
			"X-Real-Ip"},
		{"another site", alone, "POST", "/act", "localhost", local, []string{"Sec-Fetch-Site", "cross-site"}, 403,
			"another site"},
		{"another origin", alone, "POST", "/api/purge", "localhost", local, []string{"Origin", "https://evil.example"}, 403,
			"another site"},
		{"this site", alone, "POST", "/act", "localhost", local, []string{"Sec-Fetch-Site", "same-origin"}, 400,
			"must be replay or purge"},
		{"GET of an action", alone, "GET", "/act", "localhost", local, nil, 405, ""},
		{"allowed", shared, "GET", "/", "OPS.app.example", far, []string{"Authorization", "Bearer let me in"}, 200,
			"Overview"},
		{"allowed behind a proxy", shared, "GET", "/", "ops.app.example", local,
			[]string{"Authorization", "Bearer let me in", "X-Forwarded-For", "192.0.2.7"}, 200, "Overview"},
		{"not allowed", shared, "GET", "/api/entries", "ops.app.example", local, nil, 403, "not allowed"},
		{"no inbox", &inboxops.Handler{}, "GET", "/", "localhost", local, nil, 503, "no Inbox"},
		{"an inbox that lists nothing", &inboxops.Handler{Inbox: struct{ webhook.Inbox }{memory(t)}}, "GET", "/", "localhost",
			local, nil, 503, "must implement"},
	} {
		w := ask(tt.h, tt.method, tt.path, tt.host, tt.from, tt.header...)
		if w.Code != tt.status && !(tt.status == 405 && w.Code == 404) || !strings.Contains(w.Body.String(), tt.answer) {
			t.Errorf("%s: status %d, want %d with %q: %s", tt.name, w.Code, tt.status, tt.answer, w.Body)
		}
		for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'",
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY", "Referrer-Policy": "same-origin"} {
			if !strings.HasPrefix(w.Header().Get(name), want) {
				t.Errorf("%s: %s is %q, want %q", tt.name, name, w.Header().Get(name), want)
			}
		}
		if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") ||
			!strings.Contains(csp, "trusted-types 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: the policy is %q", tt.name, csp)
		}
	}
}

func TestCheck(t *testing.T) {
	for want, h := range map[string]*inboxops.Handler{
		"no Inbox":                       {},
		"Every is -1s":                   {Inbox: memory(t), Every: -time.Second},
		"Budget is -1s":                  {Inbox: memory(t), Budget: -time.Second},
		`Hosts has "Ops.example:80"`:     {Inbox: memory(t), Hosts: []string{"Ops.example:80"}},
		"Hosts is empty although Allow ": {Inbox: memory(t), Allow: func(*http.Request) bool { return true }},
	} {
		if err := h.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := (&inboxops.Handler{Inbox: memory(t)}).Check(); err != nil {
		t.Errorf("got %v, want the zero value with an inbox to be fine", err)
	}
}

// The page asks for nothing but itself, and has no script or style of its own that the policy would refuse.
func TestPageKeepsItsPolicy(t *testing.T) {
	h := &inboxops.Handler{Inbox: memory(t), Every: time.Hour}
	for _, path := range []string{"/", "/entries", "/confirm?do=replay", "/nowhere"} {
		page := ask(h, "GET", path, "localhost", "127.0.0.1:1").Body.String()
		for _, bad := range []string{"http:", "https:", "//", " style=", " onclick", "<style", "<script>"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page has %q", path, bad)
			}
		}
	}
	for path, kind := range map[string]string{"/style.css": "text/css; charset=utf-8",
		"/ops.mjs": "text/javascript; charset=utf-8"} {
		w := ask(h, "GET", path, "localhost", "127.0.0.1:1")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != kind || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %s, %d bytes", path, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
		for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacent", "document.write", "DOMParser", "eval(",
			"url("} {
			if strings.Contains(w.Body.String(), sink) {
				t.Errorf("%s has %s", path, sink)
			}
		}
	}
}

type fake struct {
	inboxes
	err  error
	wait time.Duration
}

type inboxes interface {
	webhook.Inbox
	webhook.Browser
	webhook.DeadLetters
}

func (f *fake) Stats(ctx context.Context) (webhook.Stats, error) {
	time.Sleep(f.wait)
	if f.err != nil {
		return webhook.Stats{}, f.err
	}
	return f.inboxes.Stats(ctx)
}

func (f *fake) Browse(ctx context.Context, q webhook.BrowseQuery) (webhook.BrowsePage, error) {
	if f.err != nil {
		return webhook.BrowsePage{}, f.err
	}
	return f.inboxes.Browse(ctx, q)
}

// A page comes while the database is slow or away: with the figures from before and their age, and with the reason.
func TestSlowAndAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &fake{inboxes: memory(t)}
		h := &inboxops.Handler{Inbox: in, Every: time.Second, Logger: slog.New(slog.DiscardHandler)}
		get := func(path string) *httptest.ResponseRecorder { return ask(h, "GET", path, "localhost", "127.0.0.1:1") }
		if w := get("/"); w.Code != 200 || !strings.Contains(w.Body.String(), `<span id="age">0 s</span>`) {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		synctest.Wait()
		in.wait = 30 * time.Second
		time.Sleep(10 * time.Second)
		began := time.Now()
		if w := get("/"); w.Code != 200 || !strings.Contains(w.Body.String(), `<span id="age">10 s</span>`) ||
			time.Since(began) > time.Second {
			t.Errorf("status %d after %v, want the figures from before: %s", w.Code, time.Since(began), w.Body)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		in.wait, in.err = 0, errors.New("connection refused")
		if w := get("/"); w.Code != 200 || !strings.Contains(w.Body.String(),
			"The inbox does not answer: connection refused") {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		if w := get("/entries"); w.Code != 503 || !strings.Contains(w.Body.String(), "connection refused") {
			t.Errorf("entries: status %d: %s", w.Code, w.Body)
		}
		fresh := &inboxops.Handler{Inbox: in}
		for _, path := range []string{"/", "/api/overview", "/api/entries"} {
			if w := ask(fresh, "GET", path, "localhost", "127.0.0.1:1"); w.Code != 503 ||
				!strings.Contains(w.Body.String(), "connection refused") {
				t.Errorf("%s without any figures: status %d: %s", path, w.Code, w.Body)
			}
		}
		time.Sleep(2 * time.Minute) // the samples in progress end
	})
}

// Run takes samples while nobody looks, and ends with its context.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := memory(t)
		h := &inboxops.Handler{Inbox: in, Every: time.Second}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- h.Run(ctx) }()
		for n := range 10 {
			if _, err := in.Accept(t.Context(), webhook.Entry{Key: fmt.Sprint(n), Lane: fmt.Sprint(n),
				Kind: webhook.KindSignal}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		page := ask(h, "GET", "/", "localhost", "127.0.0.1:1").Body.String()
		if _, line, _ := strings.Cut(page, `points="`); strings.Count(line[:strings.Index(line, `"`)], ",") < 10 {
			t.Errorf("the trend has fewer than 10 samples: %s", page)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := (&inboxops.Handler{}).Run(t.Context()); err == nil {
			t.Error("Run without an inbox returned nil")
		}
	})
}

// A request that has no time left offers to go on, and the form goes on where it stopped.
func TestGoOn(t *testing.T) {
	in := memory(t)
	for n := range 1000 {
		e := webhook.Entry{Key: fmt.Sprintf("%04d", n), Lane: fmt.Sprint(n), Kind: webhook.KindSignal, Unhandled: "401"}
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	h := &inboxops.Handler{Inbox: in, Every: time.Hour, Budget: 1, Logger: slog.New(slog.DiscardHandler)}
	until := time.Now().Add(time.Hour).UTC().Format(time.RFC3339Nano)
	form := "do=replay&n=1000&until=" + until
	for did := 200; did <= 1000; did += 200 {
		r := httptest.NewRequest("POST", "/act", strings.NewReader(form))
		r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		page, rest, _ := strings.Cut(w.Header().Get("Location"), "?")
		want := "confirm"
		if did == 1000 {
			want = "done"
		}
		if w.Code != http.StatusSeeOther || page != want || !strings.Contains(rest, fmt.Sprintf("did=%d", did)) {
			t.Fatalf("status %d to %s?%s, want %s with %d done", w.Code, page, rest, want, did)
		}
		if want == "confirm" {
			question := ask(h, "GET", "/confirm?"+rest, "localhost", "127.0.0.1:1").Body.String()
			if !strings.Contains(question, "Continue?") || !strings.Contains(question,
				fmt.Sprintf(`name="n" value="%d"`, 1000-did)) {
				t.Errorf("after %d: %s", did, question)
			}
		}
		form = rest
	}
}
