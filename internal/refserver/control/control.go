package control

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Prefix is where the calls begin.
const Prefix = "/_/api/"

// Bounds of every call.
const (
	mostBody   = 1 << 20          // bytes of a body
	mostTime   = 30 * time.Second // of a call
	mostCalls  = 64               // at a time
	mostFollow = 16               // followers at a time
)

// Options say what is controlled. Server is required.
type Options struct {
	Server *refserver.Server
	// BaseURL is where the API of the platform is served.
	BaseURL string
	// Shop is the demo shop, whose token and secret info gives; the zero value is none.
	Shop seed.Shop
	// UnsafeHosts are names under which other machines may call, as the host of a container or a service of compose.
	// Listen then takes any address. Whoever reaches it controls the platform and has the secrets of its apps, so it
	// must be published to this machine alone. Without names, only this machine may call.
	UnsafeHosts []string
}

// API serves the control API of a server. It is an http.Handler and safe for concurrent use. New makes one, Close ends
// it.
type API struct {
	o      Options
	server *refserver.Server
	mux    *http.ServeMux
	cross  *http.CrossOriginProtection
	begin  state // what reset brings back
	ctx    context.Context
	cancel context.CancelFunc
	calls  chan struct{} // has an element for each call under way
	follow chan struct{} // and for each follower

	moving   chan struct{} // has an element while the clock is moved
	acts     atomic.Int64  // calls so far that may have changed something
	search   entitySearch
	scenario scenarioRecorder
	done     work.Log[done]

	mu        sync.Mutex
	fronts    map[int64]*front
	shells    map[int64]string // of the commands that began carts
	snapshots map[string]snapshot
	listening *listening
	url       string
	base      string // of the platform
	closed    bool
	pages     http.Handler // nil if there are none
}

// front is the storefront of a store and how it was opened.
type front struct {
	*shop.Storefront
	options storefrontJSON
}

// New returns the control API of a server, whose state of now is what reset brings back.
func New(o Options) *API {
	a := &API{
		o: o, server: o.Server, mux: http.NewServeMux(), cross: http.NewCrossOriginProtection(),
		calls: make(chan struct{}, mostCalls), follow: make(chan struct{}, mostFollow), moving: make(chan struct{}, 1),
		fronts: map[int64]*front{}, shells: map[int64]string{}, snapshots: map[string]snapshot{}, base: o.BaseURL,
	}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	a.begin = a.keep()
	for _, r := range routes() {
		a.mux.HandleFunc(r.pattern(), func(w http.ResponseWriter, req *http.Request) { a.serve(w, req, r) })
	}
	return a
}

// ServeHTTP answers one call, always in JSON.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(2 * mostTime)) // fails for a connection of a test
	if e := a.refusal(r); e != nil {
		write(w, e.Status, e)
		return
	}
	if pages := a.mounted(); pages != nil && !strings.HasPrefix(r.URL.Path, "/_/") {
		pages.ServeHTTP(w, r)
		return
	}
	// The mux would answer these paths with pages of its own: one of a redirect, one without JSON.
	if r.URL.Path == Prefix || strings.HasPrefix(r.URL.Path, Prefix) && clean(r.URL.Path) {
		if _, pattern := a.mux.Handler(r); pattern != "" {
			a.mux.ServeHTTP(w, r)
			return
		}
	}
	e := a.unknownPath(r)
	if e.allow != "" {
		w.Header().Set("Allow", e.allow)
	}
	write(w, e.Status, e)
}

// Mount serves pages at the paths without a call, to whoever may make calls. They replace pages that were mounted
// before.
func (a *API) Mount(pages http.Handler) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pages = pages
}

// SetBaseURL replaces Options.BaseURL, when the API of the platform is served at another address.
func (a *API) SetBaseURL(base string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.base = base
}

// baseURL returns where the API of the platform is served.
func (a *API) baseURL() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.base
}

func (a *API) mounted() http.Handler {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.pages
}

// serve makes the call of a route within its bounds.
func (a *API) serve(w http.ResponseWriter, r *http.Request, to route) {
	slots, most := a.calls, mostTime
	if to.streams() {
		slots, most = a.follow, 0
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	default:
		write(w, http.StatusServiceUnavailable, &Error{
			Message: "too many calls at a time", Hint: "wait for the answers to others",
		})
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(a.ctx, cancel)()
	if most > 0 {
		ctx, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	c := &call{API: a, ctx: ctx, r: r, w: w}
	begun, at := a.server.Journal().Mark(), a.server.Clock().Now()
	answer, err := c.run(to)
	if to.method != http.MethodGet { // what is refused may have changed something too
		a.acts.Add(1)
	}
	if to.method != http.MethodGet && to.name != "settle" { // which only waits
		c.note(to, begun, at, answer, err)
	}
	switch {
	case errors.Is(err, errStreamed):
	case err != nil:
		e := refuse(err)
		write(w, e.Status, e)
	default:
		a.scenario.add(c, to, answer)
		write(w, http.StatusOK, answer)
	}
}

// Close ends the servers of Listen and the streams of followers. It does not end the server.
func (a *API) Close() {
	a.cancel()
	a.search.made.Wait()
	a.mu.Lock()
	l := a.listening
	a.closed, a.listening = true, nil
	a.mu.Unlock()
	if l != nil {
		l.close()
	}
}
