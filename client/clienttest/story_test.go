package clienttest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inbox counts the events that a handler was given.
type inbox struct {
	mu  sync.Mutex
	got []string
	err error
}

func (i *inbox) handler(t *testing.T, secret client.Secret) *webhook.Handler {
	t.Helper()
	var events webhook.Registry
	for _, e := range []webhook.Event[webhook.Entity]{webhook.ProductCreated, webhook.ProductUpdated} {
		webhook.On(&events, e, func(_ context.Context, d webhook.Delivery[webhook.Entity]) error {
			i.mu.Lock()
			defer i.mu.Unlock()
			i.got = append(i.got, string(d.Event)+" "+d.Payload.ID.String())
			return i.err
		})
	}
	h := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events, OnFailure: func(context.Context, *webhook.Failure) {}}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	return h
}

func register(t *testing.T, c *client.Client, address string, events ...string) {
	t.Helper()
	for _, e := range events {
		if _, err := v202503.Webhooks(c).Create(t.Context(), client.WebhookInput{Event: client.WebhookEvent(e), URL: address}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWebhookIsSignedAndDelivered(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	var box inbox
	if err := srv.Partner("https://app.example", box.handler(t, srv.App().Secret)); err != nil {
		t.Fatal(err)
	}
	register(t, c, "https://app.example/hooks", "product/created")
	p, err := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := "product/created " + p.ID.String(); len(box.got) != 1 || box.got[0] != want {
		t.Errorf("received %q, want %q", box.got, want)
	}
	if d := srv.Deliveries(); len(d) != 1 || !d[0].Delivered || d[0].Event != "product/created" || len(d[0].Attempts) != 1 {
		t.Errorf("deliveries %+v", d)
	}
}

// The contract: 16 attempts within 48 hours, the first retry at once, then about
// 5, 10 and 15 minutes, then ×1.4.
func TestWebhookIsRetriedOnTheClock(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	box := inbox{err: context.DeadlineExceeded}
	if err := srv.Partner("https://app.example", box.handler(t, srv.App().Secret)); err != nil {
		t.Fatal(err)
	}
	register(t, c, "https://app.example/hooks", "product/created")
	if _, err := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}}); err != nil {
		t.Fatal(err)
	}
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	srv.Clock().Advance(48 * time.Hour)
	d := srv.Deliveries()
	if len(d) != 1 || d[0].Delivered || len(d[0].Attempts) != 16 || !d[0].Next.IsZero() {
		t.Fatalf("%d deliveries; the first: delivered %v, %d attempts, next %v", len(d), d[0].Delivered, len(d[0].Attempts), d[0].Next)
	}
	waits := []time.Duration{0, 0, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 21 * time.Minute}
	for i, want := range waits {
		if got := d[0].Attempts[i].Wait; got < want || got > want+10*time.Second {
			t.Errorf("wait before attempt %d is %v, want about %v", i+1, got, want)
		}
	}
	box.err = nil
	if err := srv.Resend(d[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := srv.Deliveries(); !d[0].Delivered {
		t.Error("a resent delivery was not delivered")
	}
}

func TestDuplicatesOnDemand(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{DuplicateWebhooks: true})
	c := srv.Client()
	var box inbox
	if err := srv.Partner("https://app.example", box.handler(t, srv.App().Secret)); err != nil {
		t.Fatal(err)
	}
	register(t, c, "https://app.example/hooks", "product/created")
	if _, err := v202503.Products(c).Create(t.Context(), client.ProductInput{Name: client.Text{"en": "Mug"}}); err != nil {
		t.Fatal(err)
	}
	if err := srv.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	srv.Clock().Advance(time.Minute)
	if len(box.got) != 2 || box.got[0] != box.got[1] {
		t.Errorf("received %q, want the same twice", box.got)
	}
}

func TestSnapshotAndRestore(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{Demo: true})
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	c := srv.Client()
	before, err := v202503.Products(c).List(client.ProductFilter{}).Collect(t.Context())
	if err != nil || len(before) == 0 {
		t.Fatalf("%d products in the demo store, %v", len(before), err)
	}
	state := srv.Snapshot()
	if err := v202503.Products(c).Delete(t.Context(), before[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := srv.Install("read_products"); err != nil {
		t.Fatal(err)
	}
	srv.Restore(state)
	if _, err := v202503.Store(srv.Client()).Get(t.Context()); err != nil {
		t.Errorf("a client made after Restore: %v; it had the token of the installation that is gone", err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if printed := fmt.Sprintf(verb, state); strings.Contains(printed, string(token)) {
			t.Errorf("%s of a snapshot has the token", verb)
		}
	}
	if after, err := v202503.Products(c).List(client.ProductFilter{}).Collect(t.Context()); err != nil || len(after) != len(before) {
		t.Errorf("%d products after Restore, %v; want %d", len(after), err, len(before))
	}
}

func TestLimitsCanBeLowered(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{Limits: clienttest.Limits{Products: 1}})
	c := srv.Client()
	in := client.ProductInput{Name: client.Text{"en": "Mug"}}
	if _, err := v202503.Products(c).Create(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	_, err := v202503.Products(c).Create(t.Context(), in)
	if err == nil || !strings.Contains(err.Error(), "Store has reached maximum limit of 1 allowed products") {
		t.Errorf("got %v", err)
	}
}

func TestFaultsNeedAnOperation(t *testing.T) {
	if err := clienttest.New(t).Fault(clienttest.Fault{Operation: "GET /nothing", Status: 500}); err == nil {
		t.Error("a fault of an operation that does not exist was armed")
	}
}

// The whole installation: browser, redirect handler, consent, token, first call.
func TestInstallationByOAuth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, err := clienttest.Start(clienttest.Options{RealTime: true, AutoApprove: true, RedirectURL: "https://app.example/installed"})
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		var tokens oauth.MemoryStore
		app := srv.App()
		handler := &oauth.Handler{
			App:    oauth.App{ID: app.ID, Secret: app.Secret, AuthURL: app.AuthURL, UserAgent: "Tests (tests@app.example)", Transport: srv.Transport()},
			Tokens: &tokens, ReturnTo: "/welcome",
		}
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		browser := &http.Client{Jar: jar, Transport: sites{"app.example": handler, "": srv.Transport()}}
		resp, err := browser.Get("https://app.example/installed")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if got := resp.Request.URL.Path; got != "/welcome" {
			t.Errorf("the browser ended at %s with %s, want /welcome", resp.Request.URL, resp.Status)
		}
		install, err := tokens.Load(t.Context(), srv.StoreID())
		if err != nil || !install.Scopes.Has("write_products") {
			t.Fatalf("stored %v, %v", install, err)
		}
		c, err := client.New(client.Config{
			BaseURL: srv.URL(), StoreID: srv.StoreID(), UserAgent: "Tests (tests@app.example)",
			Token: oauth.TokenSource(t.Context(), &tokens, srv.StoreID()), HTTPClient: &http.Client{Transport: srv.Transport()},
		})
		if err != nil {
			t.Fatal(err)
		}
		if store, err := v202503.Store(c).Get(t.Context()); err != nil || store.ID != srv.StoreID() {
			t.Errorf("first call: %+v, %v", store, err)
		}
	})
}

// sites is the web of a test: handlers by host, and a transport for the rest.
type sites map[string]any

func (s sites) RoundTrip(r *http.Request) (*http.Response, error) {
	h, ok := s[r.URL.Host].(http.Handler)
	if !ok {
		return s[""].(http.RoundTripper).RoundTrip(r)
	}
	if r.URL.Path == "/welcome" {
		h = http.NotFoundHandler()
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}
