package clienttest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// memoryURL is the address of a server that is reached over its Transport.
const memoryURL = "https://platform.test"

// Server is the platform with one app, installed in one store. AddStore adds stores. It is safe for concurrent use.
type Server struct {
	platform platform
	clock    *Clock
	app      world.App
	features []string
	auth     client.AuthStyle // of the clients that it returns
	place    *place
	store    int64
	wrap     func(http.RoundTripper) http.RoundTripper // nil for no wrapping

	mu      sync.Mutex
	token   client.Secret
	control controller // nil until Control is called
	shop    *Shop      // that was opened last
}

// place is where the platform is reached. All stores share one.
type place struct {
	mu       sync.Mutex
	base     string
	console  string       // address of its pages; empty if they are not served
	controls []controller // made by the stores
}

// platform is a *refserver.Server. It hides the tables of the server from the packages that import this one. Otherwise
// each of these would compile the methods of dozens of generic types again, which is a quarter of the build time of a
// small test.
type platform interface {
	AddApp(a world.App) (world.App, error)
	Install(app, store int64, scopes world.Scopes) (world.Install, error)
	Uninstall(app, store int64) error
	Suspend(store int64) error
	Resume(store int64) error

	PayCharge(store int64, charge string) error
	FailCharge(store int64, charge string) error
	Emit(app, store int64, event string, fields map[string]any) error

	Requests() []traffic.Request
	Fault(r traffic.Fault) (traffic.Armed, error)
	DisarmAll() int
	Deliveries() []delivery.Delivery
	Resend(delivery int64) error
	Settle(ctx context.Context) error
	Partner(origin string, h http.Handler) error
	Forward(origin, to string) error
	Browse(r *http.Request) (*http.Response, error)

	Listen(addr string) (base string, err error)
	Transport() http.RoundTripper
	Close()
}

// reference returns the server of s. It is no method, because every importing package would see the result of a method.
func reference(s *Server) *refserver.Server { return s.platform.(*refserver.Server) }

// Options change the platform. The zero value is an empty store whose clock is only advanced by the test, with no rate
// limit.
type Options struct {
	// Demo fills the store with a small catalog, customers, locations, coupons, orders and carts.
	Demo bool
	// RealTime makes the server use the machine's clock, or that of the testing/synctest bubble. Programs that Listen
	// on real sockets require it, because otherwise retries of webhooks wait for Clock to be advanced. Server.Clock
	// then returns nil.
	RealTime bool
	// Strict makes the server require the documented forms. These are one form of the authentication header, a JSON
	// token request, a Content-Type on every POST, PUT and PATCH, and a UUID as the id of a checkout option. The
	// clients of the server then send client.AuthStyleAuthentication, which v1 and 2025-03 require. The version
	// unstable requires a client of your own with client.AuthStyleBearer.
	Strict bool
	// Bucket and Leak set the rate limit: requests, and requests per second, 1 if zero. The platform's values are 40
	// and 2. A zero Bucket means no limit, whatever Leak is. The bucket leaks by the server's clock, so without
	// RealTime only Clock.Advance empties it. Clients assume that it empties in 20 seconds.
	Bucket, Leak int
	// Limits lowers limits of the store. A zero member means the platform's limit.
	Limits Limits
	// RedirectURL is where installations end. Empty means an address of the demo app.
	RedirectURL string
	// Protection holds the addresses for privacy requests in the app's settings. Zero means addresses of the demo app.
	Protection ProtectionURLs
	// AutoApprove makes the consent page redirect at once.
	AutoApprove bool
	// Features are additional features of the store, for example client.FeatureFulfillmentLabels.
	Features []string
	// Disabled are features that the platform has not enabled for the app: discounts, shipping, payments or
	// business_rules. Calls that require one fail with client.ErrForbidden. By default the app has all.
	Disabled []string
	// DuplicateWebhooks sends every webhook twice. ReorderWebhooks changes the order of the webhooks of one request.
	// The platform may do both.
	DuplicateWebhooks, ReorderWebhooks bool
	// WebhooksAtOnce is the number of webhooks that the app receives at a time, apart from retries. Zero means 1, so
	// that they arrive in the order of the events. The platform promises no order.
	WebhooksAtOnce int
	// Readings select the other answers to questions that the contract leaves open.
	Readings Readings
	// Wrap returns a transport around the one that reaches the server, for example to record requests, add trace
	// headers or change responses. Server.Client and AddStore's servers use it, and call it once for each client. It
	// must not return nil. Server.Transport and the server's own calls are not wrapped. Nil wraps nothing.
	Wrap func(http.RoundTripper) http.RoundTripper
	// Console are pages of the server for a browser, such as pages.At("127.0.0.1:8082") of package clienttest/pages.
	// They are served until Close. For port 0, Server.ConsoleURL returns the address. An empty address serves none. An
	// address that is not loopback, or is in use, is an error that names it. The pages link to the platform only after
	// Listen. Console is not possible in a testing/synctest bubble, because it uses a real socket.
	Console Pages
}

// Limits are limits that a test can lower.
type Limits struct {
	Products, Categories, ImagesPerProduct, VariantsPerProduct int // maximum numbers of records
	// OrdersPerQuery is the maximum number of orders that a query may match: 10,000 on the platform.
	OrdersPerQuery int
}

// logSize is the number of requests that are kept for Requests.
const logSize = 100_000

// App is the application that the server has registered.
type App struct {
	ID     client.ID
	Secret client.Secret // signs webhooks, and is the client secret of the installation
	// AuthURL is the authorization address, for AuthURL of oauth.App.
	AuthURL string
}

// New starts a server that ends with the test. If it cannot, it fails the test.
func New(t testing.TB, options ...Options) *Server {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	s, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server; Close ends it. Tests use New.
func Start(o Options) (*Server, error) {
	s := &Server{place: &place{base: memoryURL}, features: o.Features, wrap: o.Wrap}
	if o.Strict {
		s.auth = client.AuthStyleAuthentication
	}
	options := refserver.Options{
		Bucket: 1 << 20, Leak: 1 << 20, LogSize: logSize, Strict: o.Strict, AutoApprove: o.AutoApprove,
		Limits: o.Limits.apply(), PlatformDomains: []string{"platform.test"}, Disabled: o.Disabled,
	}
	if o.Bucket > 0 {
		options.Bucket, options.Leak = o.Bucket, max(1, o.Leak)
	}
	options.Readings = api.Readings(o.Readings)
	options.Delivery.Duplicate, options.Delivery.Reorder = o.DuplicateWebhooks, o.ReorderWebhooks
	options.Delivery.AtOnce = o.WebhooksAtOnce
	if !o.RealTime {
		virtual := clock.NewVirtual(time.Time{})
		options.Clock, s.clock = virtual, &Clock{virtual}
	}
	platform := refserver.New(options)
	s.platform = platform
	var err error
	if len(o.Disabled) > 0 {
		err = platform.Check()
	}
	if err == nil {
		err = s.open(o)
	}
	if err == nil && o.Console.Address != "" {
		err = s.serveConsole(o.Console)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	return s, nil
}

// open makes the store and the app.
func (s *Server) open(o Options) error {
	begin := seed.Empty
	if o.Demo {
		begin = seed.Demo
	}
	shop, err := begin(reference(s), nil)
	if err != nil {
		return err
	}
	s.app, s.store, s.token = shop.App, shop.Store.ID, client.Secret(shop.Install.Token)
	if err := reference(s).AddFeatures(s.store, s.features...); err != nil {
		return err
	}
	if o.RedirectURL == "" && o.Protection == (ProtectionURLs{}) {
		return nil
	}
	s.app.RedirectURL = cmp.Or(o.RedirectURL, s.app.RedirectURL)
	o.Protection.apply(&s.app.Settings)
	s.app, err = s.platform.AddApp(s.app)
	return err
}

// AddStore adds another store to the platform, with an unused id. The store is empty and has the app installed. Methods
// of the returned Server that concern a store act on the new store: StoreID, Client, Install, Uninstall, Suspend, Seed,
// Emit, and the actions of customers, carriers and payment providers. The rest is shared: the clock, partners, faults,
// snapshots, and the log of all requests and deliveries. Close of either Server ends both.
func (s *Server) AddStore(id client.ID) (*Server, error) {
	shop, err := seed.Another(reference(s), s.app, int64(id))
	if err != nil {
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	other := &Server{
		platform: s.platform, clock: s.clock, app: s.app, features: s.features, auth: s.auth, place: s.place, wrap: s.wrap,
		store: shop.Store.ID, token: client.Secret(shop.Install.Token),
	}
	if err := reference(s).AddFeatures(other.store, s.features...); err != nil {
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	return other, nil
}

func (l Limits) apply() *world.Limits {
	limits := world.Contract()
	lower := func(own *int, to int) {
		if to > 0 {
			*own = to
		}
	}
	lower(&limits.Products, l.Products)
	lower(&limits.Categories, l.Categories)
	lower(&limits.Images, l.ImagesPerProduct)
	lower(&limits.Variants, l.VariantsPerProduct)
	lower(&limits.OrdersPerQuery, l.OrdersPerQuery)
	return &limits
}

// Close ends the server and everything it started. The test of New calls it automatically.
func (s *Server) Close() {
	s.place.mu.Lock()
	controls := s.place.controls
	s.place.mu.Unlock()
	for _, c := range controls {
		c.Close()
	}
	s.platform.Close()
}

// URL returns the address for Config.BaseURL.
func (s *Server) URL() string {
	s.place.mu.Lock()
	defer s.place.mu.Unlock()
	return s.place.base
}

// Listen makes the server reachable on the address, for example "127.0.0.1:0", for programs that require real sockets.
// URL and App then return that address.
func (s *Server) Listen(addr string) error {
	base, err := s.platform.Listen(addr)
	if err != nil {
		return fmt.Errorf("clienttest: %w", err)
	}
	s.place.mu.Lock()
	defer s.place.mu.Unlock()
	s.place.base = base
	for _, c := range s.place.controls {
		c.SetBaseURL(base)
	}
	return nil
}

// Transport reaches the server over in-memory connections, whatever the host.
func (s *Server) Transport() http.RoundTripper { return s.platform.Transport() }

// App returns the application that is installed in the store.
func (s *Server) App() App {
	return App{ID: client.ID(s.app.ID), Secret: client.Secret(s.app.Secret), AuthURL: s.URL() + refserver.AuthPath}
}

// StoreID returns the id of the store.
func (s *Server) StoreID() client.ID { return client.ID(s.store) }

// Clock returns the server's clock; nil with Options.RealTime.
func (s *Server) Clock() *Clock { return s.clock }

// Clock is the time of the server. It changes only when it is advanced.
type Clock struct{ virtual *clock.Virtual }

// Now returns the server's time, which starts at 2025-01-01T12:00:00Z.
func (c *Clock) Now() time.Time { return c.virtual.Now() }

// Advance moves the time forward, and runs everything that becomes due, such as the retries of webhooks.
func (c *Clock) Advance(d time.Duration) { c.virtual.Advance(d) }
