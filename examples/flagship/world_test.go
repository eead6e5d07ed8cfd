package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// Shorter than in production, so that a test need not wait long for leases and copies of a killed process.
const testWait, testLease, testEvery = 200 * time.Millisecond, 3 * time.Second, 500 * time.Millisecond

const testKey = "QmFzZTY0IG9mIDMyIGJ5dGVzIGZvciB0ZXN0cyEAAQI="

// world is a platform, the replicas of the app, and access to their database.
type world struct {
	t        *testing.T
	platform *clienttest.Server
	client   *client.Client // of the merchant
	args     string
	secrets  map[string]string   // of the environment
	app      *app                // of this process, which serves nothing
	inbox    multistore.Database // of app
	front    front
	browser  *http.Client
}

// replica is a process of the app.
type replica struct {
	*proctest.Process
	address string
}

// newWorld makes a platform whose app is not running, over a database.
func newWorld(t *testing.T, database string) *world {
	w := &world{t: t, platform: clienttest.New(t, clienttest.Options{AutoApprove: true})}
	w.must(w.platform.Listen("127.0.0.1:0"))
	w.must(w.platform.Partner(public, &w.front))
	w.client = w.platform.Client()
	w.args = fmt.Sprintf("-base-url %s -auth-url %s -app-id %d -public-url %s -database %s -listen 127.0.0.1:0 -carts-from 127.0.0.1",
		w.platform.URL(), w.platform.App().AuthURL, w.platform.App().ID, public, database)
	w.secrets = map[string]string{"COMMERCE_APP_SECRET": string(w.platform.App().Secret), "COMMERCE_TOKEN_KEYS": testKey}
	o, err := readOptions(strings.Fields(w.args), func(name string) string { return w.secrets[name] })
	w.must(err)
	o.wait, o.lease, o.every = testWait, testLease, testEvery
	db, err := openDatabase(t.Context(), database)
	w.must(err)
	w.inbox, w.app = db, newApp(o, db)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	w.must(w.app.migrate(t.Context()))
	jar, err := cookiejar.New(nil)
	w.must(err)
	w.browser = &http.Client{Jar: jar, Transport: site{&w.front}}
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// start starts a replica, which gets requests from then on.
func (w *world) start() *replica {
	w.t.Helper()
	env := []string{"FLAGSHIP_ARGS=" + w.args}
	for name, secret := range w.secrets {
		env = append(env, name+"="+secret)
	}
	p := proctest.Start(w.t, "replica", env...)
	address, found := strings.CutPrefix(p.Line(w.t), "listening at ")
	if !found {
		w.t.Fatal("a replica does not say where it listens")
	}
	r := &replica{p, address}
	w.front.add(address)
	w.t.Cleanup(func() {
		select {
		case <-r.Ended():
		default:
			r.Kill(w.t)
		}
	})
	return r
}

// kill ends a replica as a power failure would. Until the front notices, requests to that replica are answered 502.
func (w *world) kill(r *replica) {
	r.Kill(w.t)
	w.front.remove(r.address)
}

// patience is how long a test waits. After a few failures, the client does not call the API for half a minute.
const patience = 3 * time.Minute

// until waits until done returns nil.
func (w *world) until(done func(ctx context.Context) error) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	var last error
	for {
		err := done(ctx)
		if err == nil {
			return
		}
		if ctx.Err() == nil {
			last = err // not an error that reports the end of ctx
		}
		select {
		case <-ctx.Done():
			w.t.Fatalf("after %v: %v", patience, last)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// visit opens a page of the app in the merchant's browser and returns where that ends, and what it shows. A page that
// is not answered, because the machine is busy for longer than a request may take, is opened again, as a person does.
func (w *world) visit(path string) (end, shown string) {
	w.t.Helper()
	w.until(func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, public+path, nil)
		if err != nil {
			return err
		}
		page, err := w.browser.Do(r)
		if err != nil {
			return err
		}
		defer func() { _ = page.Body.Close() }()
		body, err := io.ReadAll(page.Body)
		if err == nil && page.StatusCode != http.StatusOK {
			w.t.Fatalf("%s: status %d: %s", path, page.StatusCode, body)
		}
		end, shown = page.Request.URL.Path, string(body)
		return err
	})
	return end, shown
}

// query returns the rows of a query of two columns.
func (w *world) query(ctx context.Context, statement string) (found map[string]string, err error) {
	rows, err := w.app.db.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found = map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, err
		}
		found[key] = value
	}
	return found, rows.Err()
}

// equal returns nil if the copy equals the store.
func (w *world) equal(ctx context.Context) error {
	want := map[string]string{}
	for p, err := range v202503.Products(w.client).List(client.ProductFilter{}).All(ctx) {
		if err != nil {
			return err
		}
		want["product "+p.ID.String()] = fmt.Sprint(p.Name.Get("es", "en"), " ,", strings.Join(p.TagList(), ","), ", ", p.UpdatedAt.UTC().Format(time.RFC3339Nano))
	}
	for o, err := range v202503.Orders(w.client).List(client.OrderFilter{}).All(ctx) {
		if err != nil {
			return err
		}
		gift := ""
		if off := o.PromotionalDiscount.V.TotalDiscountAmount; off.Cmp(client.Cents(0)) > 0 {
			gift = off.String()
		}
		want["order "+o.ID.String()] = fmt.Sprint(o.Status, " ", o.PaymentStatus, " ", o.Total, " ", gift, " ", o.UpdatedAt.UTC().Format(time.RFC3339Nano))
	}
	got, err := w.query(ctx, `SELECT 'product ' || id, name || ' ' || tags || ' ' || updated FROM product
		UNION ALL SELECT 'order ' || id, status || ' ' || paid || ' ' || total || ' ' || gift || ' ' || updated FROM purchase`)
	if err != nil {
		return err
	}
	for name, value := range want {
		if got[name] != value {
			return fmt.Errorf("%s: the copy has %q, the store %q", name, got[name], value)
		}
	}
	if len(got) != len(want) || len(want) == 0 {
		return fmt.Errorf("the copy has %d records, the store %d", len(got), len(want))
	}
	return nil
}

// quiet returns nil if all deliveries were handled.
func (w *world) quiet(ctx context.Context) error {
	if err := w.platform.Settle(ctx); err != nil {
		return err
	}
	for _, d := range w.platform.Deliveries() {
		if !d.Delivered {
			return fmt.Errorf("%s was not delivered: %+v", d.Event, d.Attempts)
		}
	}
	stats, err := w.inbox.Stats(ctx)
	if err == nil && stats.Pending > 0 {
		err = fmt.Errorf("%d deliveries are pending", stats.Pending)
	}
	return err
}

// front is a load balancer: requests go to the replicas in turn, and are answered 502 if there is none.
type front struct {
	mu        sync.Mutex
	addresses []string
	next      int
	served    map[string][]string // the replicas that got a method and path, in order
}

func (f *front) add(address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.addresses = append(f.addresses, address)
}

// only restricts requests to these replicas.
func (f *front) only(addresses ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.addresses = addresses
}

func (f *front) remove(address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := f.addresses[:0:0]
	for _, a := range f.addresses {
		if a != address {
			kept = append(kept, a)
		}
	}
	f.addresses = kept
}

// pick returns the replica that gets a request; "" if there is none.
func (f *front) pick(r *http.Request) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.addresses) == 0 {
		return ""
	}
	f.next++
	to := f.addresses[f.next%len(f.addresses)]
	if f.served == nil {
		f.served = map[string][]string{}
	}
	path := r.Method + " " + r.URL.Path
	f.served[path] = append(f.served[path], to)
	return to
}

// by returns the replicas that got a method and path.
func (f *front) by(path string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.served[path]
}

// ServeHTTP implements http.Handler, for the platform.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to, err := url.Parse(f.pick(r))
	if err != nil || to.Host == "" {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:      func(p *httputil.ProxyRequest) { p.SetURL(to) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		Transport:    &http.Transport{DisableKeepAlives: true},
	}
	proxy.ServeHTTP(w, r)
}

// site is the network of the browser: requests to the app go to its front, and requests to the platform directly.
type site struct{ *front }

func (s site) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.URL.String(), public) {
		return http.DefaultTransport.RoundTrip(r)
	}
	to, err := url.Parse(s.pick(r))
	if err != nil {
		return nil, err
	}
	out := r.Clone(r.Context())
	out.Host, out.URL.Scheme, out.URL.Host = r.URL.Host, to.Scheme, to.Host
	answer, err := http.DefaultTransport.RoundTrip(out)
	if err == nil {
		answer.Request = r
	}
	return answer, err
}
