package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	public = "https://app.example"
	appKey = "QmFzZTY0IG9mIDMyIGJ5dGVzIGZvciB0ZXN0cyEAAQI="
)

// fixture is an app with a copy of the products, on a platform in this process.
type fixture struct {
	t        *testing.T
	platform *clienttest.Server
	client   *client.Client // of the merchant
	app      *multistore.App
	db       *sql.DB
	mux      *http.ServeMux
	prepared atomic.Int32
	redacted atomic.Int32
	browser  *http.Client
}

func newFixture(t *testing.T, inbox multistore.Database) *fixture {
	t.Cleanup(func() {
		if err := inbox.Close(); err != nil {
			t.Error(err)
		}
	})
	f := &fixture{t: t, db: inbox.DB(), mux: http.NewServeMux()}
	f.platform = clienttest.New(t, clienttest.Options{
		Demo: true, AutoApprove: true, RedirectURL: public + multistore.CallbackPath,
		Protection: clienttest.ProtectionURLs{StoreRedact: public + multistore.HooksPath + "/store/redact"},
	})
	f.client = f.platform.Client()
	f.must(f.platform.Partner(public, f.mux))
	jar, err := cookiejar.New(nil)
	f.must(err)
	f.browser = &http.Client{Jar: jar, Transport: f}

	platform := f.platform.App()
	config := multistore.Config{
		OAuth:     oauth.App{ID: platform.ID, AuthURL: platform.AuthURL, Name: "Test", Transport: f.platform.Transport()},
		API:       client.Config{BaseURL: f.platform.URL(), UserAgent: "Test (dev@app.example)", HTTPClient: &http.Client{Transport: f.platform.Transport()}},
		Inbox:     inbox,
		PublicURL: public,
	}
	f.must(config.ReadSecrets(func(name string) string {
		return map[string]string{multistore.SecretVariable: string(platform.Secret), multistore.TokenKeysVariable: appKey}[name]
	}))
	f.app = multistore.New(config)
	stores := f.app.Stores
	products := &sqlcopy.Table[client.Product]{
		DB: f.db, Name: "goods", Put: putGoods, OnStep: webhook.CommitStep[client.Product],
		List: client.ByStore(stores, func(c *client.Client) client.List[client.Product] {
			return v202503.Products(c).List(client.ProductFilter{})
		}),
	}
	multistore.Follow(f.app, products, webhook.ProductUpdated, webhook.ProductCreated, webhook.ProductDeleted)
	webhook.OnStore(f.app.Events, webhook.StoreRedactRequested, func(ctx context.Context, store client.ID) error {
		f.redacted.Add(1)
		_, err := f.db.ExecContext(ctx, "DELETE FROM goods WHERE store_id = $1", store)
		return errors.Join(err, f.app.Redact(ctx, store))
	})
	f.app.Promotions = &discounts.PromotionCache{Load: discounts.LoadBy(client.ByStore(stores, v202503.Promotions))}
	f.app.Prepare = func(ctx context.Context, store client.ID) error {
		f.prepared.Add(1)
		c, err := stores.Client(ctx, store)
		if err == nil {
			_, err = v202503.Webhooks(c).Ensure(ctx, public+multistore.HooksPath, f.app.Events.Names()...)
		}
		return err
	}
	f.app.Ready.Wait = -1
	f.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		in, err := f.app.Sessions.Of(r)
		fmt.Fprint(w, "store ", in.StoreID, ", ", err)
	})
	f.must(f.app.Tables(sqlcopy.Tables).Migrate(t.Context()))
	_, err = f.db.ExecContext(t.Context(), "CREATE TABLE goods (store_id BIGINT, id BIGINT, name TEXT NOT NULL, PRIMARY KEY (store_id, id))")
	f.must(err)
	return f
}

func putGoods(ctx context.Context, tx *sql.Tx, store client.ID, p *client.Product) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO goods (store_id, id, name) VALUES ($1, $2, $3)
		ON CONFLICT (store_id, id) DO UPDATE SET name = excluded.name`, store, p.ID, p.Name.Get("es"))
	return err
}

// RoundTrip is the network of the browser: the app's own address, and the platform.
func (f *fixture) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.URL.String(), public) {
		return f.platform.Transport().RoundTrip(r)
	}
	w := httptest.NewRecorder()
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr = r.URL.RequestURI(), "192.0.2.1:1234"
	f.mux.ServeHTTP(w, in)
	answer := w.Result()
	answer.Request = r
	return answer, nil
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// until waits until done returns nil.
func (f *fixture) until(done func() error) {
	f.t.Helper()
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		f.must(f.platform.Settle(f.t.Context()))
		if err = done(); err == nil {
			return
		}
	}
	f.t.Fatalf("after a minute: %v", err)
}

// visit returns the status, the end of the address and the text of a page.
func (f *fixture) visit(path string) string {
	f.t.Helper()
	answer, err := f.browser.Get(public + path)
	f.must(err)
	body, err := io.ReadAll(answer.Body)
	f.must(errors.Join(err, answer.Body.Close()))
	return fmt.Sprint(answer.StatusCode, " ", answer.Request.URL.Path, ": ", string(body))
}

// equal returns nil if the copy has the products of the store.
func (f *fixture) equal() error {
	want := 0
	for p, err := range v202503.Products(f.client).List(client.ProductFilter{}).All(f.t.Context()) {
		if err != nil {
			return err
		}
		want++
		var name string
		err := f.db.QueryRowContext(f.t.Context(), "SELECT name FROM goods WHERE id = $1", p.ID).Scan(&name)
		if err != nil || name != p.Name.Get("es") {
			return fmt.Errorf("product %d: %q, %v; want %q", p.ID, name, err, p.Name.Get("es"))
		}
	}
	if n := f.count(); n != want || n == 0 {
		return fmt.Errorf("%d products, want %d", n, want)
	}
	return nil
}

func (f *fixture) count() (n int) {
	f.t.Helper()
	f.must(f.db.QueryRowContext(f.t.Context(), "SELECT count(*) FROM goods").Scan(&n))
	return n
}

// life is the life of an installation: install, copy, webhooks, uninstall, another installation, and an orderly end.
func life(t *testing.T, e Engine) {
	inbox := e.Inbox(t)
	f := newFixture(t, inbox)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	f.must(err)
	ctx, stop := context.WithCancel(t.Context())
	worked := make(chan struct{})
	work := func(ctx context.Context) error { <-ctx.Done(); close(worked); return nil }
	ended := make(chan error, 1)
	go func() { defer close(ended); ended <- f.app.Serve(ctx, l, f.mux, work) }()
	t.Cleanup(func() {
		stop()
		for err := range ended { // the test has failed
			t.Log(err)
		}
	})
	address := "http://" + l.Addr().String()
	probe := func(path string) int {
		answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(must(http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)))
		f.must(err)
		f.must(answer.Body.Close())
		return answer.StatusCode
	}
	if live, ready := probe(multistore.LivePath), probe(multistore.ReadyPath); live != 200 || ready != 200 {
		t.Errorf("probes: %d, %d; want 200", live, ready)
	}
	store := f.platform.StoreID()
	for range 2 { // installations
		f.prepared.Store(0)
		if got, want := f.visit(multistore.CallbackPath), fmt.Sprint("200 /: store ", store, ", <nil>"); got != want {
			t.Fatalf("after the installation: %s, want %s", got, want)
		}
		if f.prepared.Load() == 0 {
			t.Error("the store was not prepared")
		}
		f.until(f.equal)
		p := must(v202503.Products(f.client).Create(t.Context(), client.ProductInput{Name: client.Text{"es": "Nuevo"}}))
		f.until(f.equal)
		_, err := v202503.Products(f.client).Update(t.Context(), p.ID, client.ProductInput{Name: client.Text{"es": "Otro"}})
		f.must(err)
		f.until(f.equal)
		f.must(v202503.Products(f.client).Delete(t.Context(), p.ID))
		f.until(f.equal)

		f.must(f.platform.Uninstall())
		f.until(func() error {
			known, err := f.app.Tokens.Known(t.Context(), store)
			if err == nil && (known || f.count() > 0) {
				err = fmt.Errorf("known: %v, %d products", known, f.count())
			}
			return err
		})
		if got, want := f.visit("/"), fmt.Sprint("200 /: store 0, ", oauth.ErrSignedOut); !strings.HasPrefix(got, want) {
			t.Errorf("after the end: %s, want %s", got, want)
		}
	}
	if f.redacted.Load() != 2 {
		t.Errorf("store/redact came %d times, want 2", f.redacted.Load())
	}
	f.until(func() error {
		stats, err := inbox.Stats(t.Context())
		if err == nil && stats.Pending > 0 {
			err = fmt.Errorf("the inbox has %+v: %+v", stats, must(inbox.(webhook.Browser).Browse(t.Context(), webhook.BrowseQuery{Limit: 20})))
		}
		return err
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-worked
	if stats := must(inbox.Stats(t.Context())); stats.Pending+stats.Dead > 0 {
		t.Errorf("the inbox has %+v, want nothing pending or dead", stats)
	}
}

// wrongConfigs lists configurations that Serve rejects, before anything is served.
func wrongConfigs(t *testing.T, e Engine) {
	inbox := e.Inbox(t)
	f := newFixture(t, inbox)
	for want, change := range map[string]func(*multistore.App){
		"Config.Tokens and Config.Inbox": func(a *multistore.App) { a.Tokens = nil },
		"Config.Inbox: must be set":      func(a *multistore.App) { a.Hooks.Inbox = nil },
		"no secret":                      func(a *multistore.App) { a.Hooks.Secrets = nil },
		"oauth":                          func(a *multistore.App) { a.Install.App.ID = 0 },
		"Config.PublicURL: must be set":  func(a *multistore.App) { a.Install.PublicURL = "" },
		"Every is -1ns":                  func(a *multistore.App) { a.Sweep.Every = -1 },
		"sqlstore":                       func(a *multistore.App) { a.Tokens = &sqlstore.Store{DB: f.db} },
		"inboxops":                       func(a *multistore.App) { a.OperatorAddr, a.Operator.Inbox = "127.0.0.1:0", nil },
	} {
		platform := f.platform.App()
		a := multistore.New(multistore.Config{
			OAuth:  oauth.App{ID: platform.ID, Secret: platform.Secret, AuthURL: platform.AuthURL, Name: "Test"},
			API:    client.Config{BaseURL: f.platform.URL(), UserAgent: "Test (dev@app.example)"},
			Tokens: &sqlstore.Store{Keys: must(sqlstore.ParseKeys(appKey))}, Inbox: inbox, PublicURL: public,
		})
		a.Sweep.Sources = append(a.Sweep.Sources, f.app.Sweep.Sources...)
		webhook.OnCopied(a.Events, f.app.Copies.Of[0], webhook.ProductUpdated)
		if err := a.Check(t.Context()); err != nil {
			t.Fatalf("unchanged: %v", err)
		}
		change(a)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		f.must(err)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second) // which only ends what must not have begun
		err = a.Serve(ctx, l, http.NewServeMux())
		cancel()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if again, err := net.Listen("tcp", l.Addr().String()); err != nil {
			t.Errorf("%s: the listener is open: %v", want, err)
		} else {
			f.must(again.Close())
		}
	}
}
