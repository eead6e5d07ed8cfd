package multistore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

const (
	suspect    client.ID = 1 // the store about which there is evidence
	neighbours client.ID = 4 // stores that have the app and are well
	site                 = "https://app.example" + multistore.CallbackPath
)

// witness is a running app that records which acts happen, and how long after the evidence.
type witness struct {
	*shop
	*replica
	began time.Time
	acts  map[string]time.Duration // the acts for the suspect, and "a neighbour…" for those of others
	calls map[string]int           // acts that are seen when they happen
	state string                   // of an install that the merchant has begun, with its cookie
	bake  []*http.Cookie
}

// start runs an app until the end of the test, and waits until all stores are copied.
func start(t *testing.T) (w *witness, stop func()) {
	s := newShop(t, suspect+neighbours)
	w = &witness{shop: s, replica: s.replica(), acts: map[string]time.Duration{}, calls: map[string]int{}}
	w.Copies.Every, w.Worker.MaxAttempts, w.Promotions.Judge = client.DefaultCopyEvery, 3, w.Judge
	w.Install.PublicURL, w.Install.States = "https://app.example", counted{w, &oauth.MemoryStates{}}
	w.Install.App.AuthURL, w.Install.App.Transport = "https://admin.example.com", s.platform
	w.Install.OnError = func(context.Context, error) {}
	w.OnForget(func(_ context.Context, store client.ID) error { w.note(store, stateDeleted); return nil })
	w.Events = new(webhook.Registry) // the handler of multistore.New is one of those that are counted
	w.Hooks.Registry, w.Worker.Registry = w.Events, w.Events
	s.handle(w.App)
	webhook.OnStore(w.Events, webhook.AppUninstalled, func(ctx context.Context, store client.ID) error {
		w.note(store, handlerCalled)
		return w.Uninstalled(ctx, store)
	})
	webhook.OnStore(w.Events, webhook.CustomerRedactRequested, func(context.Context, client.ID) error { return nil })
	webhook.OnStore(w.Events, webhook.CustomerDataRequested, func(context.Context, client.ID) error { return nil })
	of := func(ctx context.Context, store client.ID) (client.Copier, error) {
		return s.products(ctx, w.App, store)
	}
	webhook.OnCopied(w.Events, of, webhook.ProductUpdated, webhook.ProductDeleted)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, run := range []func(context.Context) error{w.Worker.Run, w.Copies.Run, w.Install.KeepRetired} {
		all.Go(func() {
			if err := run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(time.Minute)
	w.beginInstall()
	w.began = time.Now()
	return w, func() {
		cancel()
		all.Wait()
		if err := w.Promotions.Close(); err != nil {
			t.Error(err)
		}
	}
}

// note records an act for a store.
func (w *witness) note(store client.ID, act string) {
	w.shop.mu.Lock()
	defer w.shop.mu.Unlock()
	if store != suspect {
		act = fmt.Sprintf("neighbour %d: %s", store, act)
	}
	w.calls[act]++
}

// look sends a cart to each store, and records the acts that have happened by now.
func (w *witness) look() {
	ctx := w.t.Context()
	for store := range w.all {
		if w.cart(store) == discounts.StatusUninstalled {
			w.note(store, cartEnded)
		}
		in, err := w.tokens.Load(ctx, store)
		if errors.Is(err, oauth.ErrNotInstalled) {
			w.note(store, tokenEnded)
			if in.Generation == 0 {
				w.note(store, tokenErased)
			}
		}
		if m := w.mirrors[store]; m.deletions() > 0 {
			w.note(store, recordDeleted)
		}
		for _, act := range []client.Act{client.ActErase, client.ActEndPromotions, client.ActRetire} {
			if w.Judge.Verdict(ctx, store, act).Access == client.AccessGone {
				w.note(store, judgedGone)
			}
		}
	}
	w.shop.mu.Lock()
	defer w.shop.mu.Unlock()
	for _, store := range w.redacted {
		w.calls[map[bool]string{true: handlerCalled, false: "neighbour: redacted"}[store == suspect]]++
	}
	for _, entry := range w.lost {
		act := entriesDropped
		if strings.HasPrefix(entry, "dead true") {
			act = entryDead
		}
		if !strings.Contains(entry, " of store 1: ") {
			act = "neighbour: " + entry
		}
		w.calls[act]++
	}
	for act := range w.calls {
		if _, seen := w.acts[act]; !seen {
			w.acts[act] = time.Since(w.began)
		}
	}
}

// event returns the body of a webhook of the suspect.
func event(name string, id int) string {
	return fmt.Sprintf(`{"store_id":%d,"event":%q,"id":%d}`, suspect, name, id)
}

// receive delivers a body with the signature that a secret gives another body.
func (w *witness) receive(body string, key client.Secret, signed string) int {
	r := httptest.NewRequest(http.MethodPost, multistore.HooksPath, bytes.NewBufferString(body))
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set(webhook.SignatureHeader, webhook.Sign(key, []byte(signed)))
	}
	rec := httptest.NewRecorder()
	w.Hooks.ServeHTTP(rec, r)
	return rec.Code
}

// deliver delivers signed bodies.
func (w *witness) deliver(bodies ...string) {
	for _, body := range bodies {
		hooks := webhooktest.Sender{Handler: w.Hooks, Secret: secret}
		if status, err := hooks.Deliver(w.t.Context(), []byte(body)); err != nil || status != http.StatusOK {
			w.t.Errorf("%s: status %d, %v", body, status, err)
		}
	}
}

// visit opens the address of the installation.
func (w *witness) visit(query url.Values, cookies ...*http.Cookie) *http.Response {
	r := httptest.NewRequest(http.MethodGet, site+"?"+query.Encode(), nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	rec := httptest.NewRecorder()
	w.Install.ServeHTTP(rec, r)
	return rec.Result()
}

// beginInstall is the first visit of a merchant.
func (w *witness) beginInstall() {
	resp := w.visit(nil)
	to, err := resp.Location()
	if err != nil {
		w.t.Fatalf("status %d: %v", resp.StatusCode, err)
	}
	w.state, w.bake = to.Query().Get("state"), resp.Cookies()
}

// callback is the redirect of the platform.
func callback(state string) url.Values { return url.Values{"code": {"1234"}, "state": {state}} }

// counted counts the states that are used up.
type counted struct {
	w *witness
	oauth.StateStore
}

func (c counted) Take(ctx context.Context, key string) (oauth.Pending, bool, error) {
	p, ok, err := c.StateStore.Take(ctx, key)
	if ok {
		c.w.note(suspect, stateUsed)
	}
	return p, ok, err
}

// deletions returns the number of records that were deleted.
func (m *mirror) deletions() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.deleted
}
