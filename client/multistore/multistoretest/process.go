package multistoretest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// PublicURL is the address of the app, at which the platform of clienttest knows it by default.
const PublicURL = "https://app.example"

// patience is how long Until waits.
const patience = 2 * time.Minute

// Config returns the configuration of an app that is registered at a platform: its id, its secret and all addresses.
// Tokens has a key that is valid in tests only. Set Inbox, and the names of the app.
func Config(platform *clienttest.Server) multistore.Config {
	known := platform.App()
	keys, err := sqlstore.ParseKeys("QmFzZTY0IG9mIDMyIGJ5dGVzIGZvciB0ZXN0cyEAAQI=")
	if err != nil {
		panic(err) // the text is constant
	}
	return multistore.Config{
		OAuth: oauth.App{
			ID: known.ID, Secret: known.Secret, AuthURL: known.AuthURL, Name: "Test App", Transport: platform.Transport(),
		},
		API: client.Config{
			BaseURL: platform.URL(), UserAgent: "Test App (test@app.example)",
			HTTPClient: &http.Client{Transport: platform.Transport()},
		},
		Tokens: &sqlstore.Store{Keys: keys}, PublicURL: PublicURL,
	}
}

// Process is a running App, and the browser of a merchant.
type Process struct {
	// Browser is that of clienttest.Server.Browser. It is signed in after Install.
	Browser *http.Client

	t        testing.TB
	platform *clienttest.Server
	ended    chan error
}

// Serve runs an app until the test ends, and returns when the app is ready. The platform calls the app at the origin of
// its CallbackURL. The last process that was started receives the calls. The mux has the paths of the app's own.
func Serve(t testing.TB, platform *clienttest.Server, app *multistore.App, mux *http.ServeMux) *Process {
	t.Helper()
	origin, err := url.Parse(app.CallbackURL)
	if err != nil {
		t.Fatal(err)
	}
	p := &Process{Browser: platform.Browser(), t: t, platform: platform, ended: make(chan error, 1)}
	app.Ready.Wait = -1
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	l := &idle{closed: make(chan struct{})}
	go func() {
		p.ended <- app.Serve(ctx, l, mux)
		close(p.ended)
	}()
	t.Cleanup(func() {
		stop()
		if err, first := <-p.ended; first && err != nil {
			t.Errorf("multistoretest: the app ended: %v", err)
		}
	})
	p.Until(func(context.Context) error {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, multistore.ReadyPath, nil))
		if w.Code != http.StatusOK {
			return fmt.Errorf("%s: status %d: %s", multistore.ReadyPath, w.Code, w.Body)
		}
		return nil
	})
	if err := platform.Partner(origin.Scheme+"://"+origin.Host, mux); err != nil {
		t.Fatal(err)
	}
	return p
}

// Install installs the app in the store of the platform, as a merchant does in a browser. The platform requires
// Options.AutoApprove. A page with another status than 200 at the end fails the test.
func (p *Process) Install() {
	p.t.Helper()
	p.Visit(multistore.CallbackPath)
}

// Visit opens a page of the app in Browser, follows its redirects, and returns the text of the page. Another status
// than 200 fails the test.
func (p *Process) Visit(path string) string {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, PublicURL+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	answer, err := p.Browser.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }() // it is read to its end
	page, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		p.t.Fatalf("multistoretest: %s ends at %s with status %d: %.1000s, %v", path, answer.Request.URL.Path, answer.StatusCode, page, err)
	}
	return string(page)
}

// Until calls done until it returns nil. Before each call it waits for the webhooks that the platform is sending. After
// two minutes, or if the app has ended, it fails the test with the last error of done.
func (p *Process) Until(done func(ctx context.Context) error) {
	p.t.Helper()
	ctx, stop := context.WithTimeout(p.t.Context(), patience)
	defer stop()
	for {
		err := p.platform.Settle(ctx)
		if err == nil {
			err = done(ctx)
		}
		if err == nil {
			return
		}
		select {
		case ended, first := <-p.ended:
			if first {
				p.t.Fatalf("multistoretest: the app has ended: %v; before: %v", ended, err)
			}
			p.t.Fatalf("multistoretest: the app has ended: %v", err)
		case <-ctx.Done():
			p.t.Fatalf("multistoretest: after %v: %v", patience, err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// idle is a listener without connections: requests reach the handlers of the app in memory.
type idle struct{ closed chan struct{} }

// Accept waits for Close.
func (l *idle) Accept() (net.Conn, error) {
	<-l.closed
	return nil, net.ErrClosed
}

// Close ends Accept.
func (l *idle) Close() error {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
	return nil
}

// Addr is an address of this machine at which nothing listens.
func (l *idle) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
