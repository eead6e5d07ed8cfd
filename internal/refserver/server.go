package refserver

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/oauth"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/rules"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// AuthPath is where the authorization address begins, below the base address.
const AuthPath = "/auth"

// Server is the platform. It is an http.Handler and safe for concurrent use. The
// zero value is not usable; New makes one and Close ends it.
type Server struct {
	options Options
	clock   clock.Clock
	world   *world.World

	ops      []api.Op
	stores   *api.Router // paths below {version}/{store_id}
	partners *api.Router // paths below {version}, for apps as such
	auth     http.Handler

	limiter traffic.Limiter
	faults  *traffic.Faults
	log     *traffic.Log
	journal *traffic.Journal
	work    *work.Group // the work in the background
	worker  *delivery.Worker
	payer   *payment.Platform
	carts   shop.Locks
	shipper *carrier.Platform
	labels  *label.Platform
	ruler   *rules.Platform
	urls    delivery.URLRules
	shown   shown

	mu        sync.Mutex
	memory    *memory // begun by the first Transport
	listening []listening
	closed    bool
}

// New returns a server with an empty world: no app, no store.
func New(o Options) *Server {
	if o.Clock == nil {
		o.Clock = clock.Real{}
	}
	return build(o, world.New(world.Options{Clock: o.Clock, Limits: o.Limits, Seed: o.Seed}))
}

func build(o Options, w *world.World) *Server {
	if o.LogSize <= 0 {
		o.LogSize = 1000
	}
	if o.Kept <= 0 {
		o.Kept = usuallyKept
	}
	s := &Server{
		options: o,
		clock:   o.Clock,
		world:   w,
		ops:     slices.Concat(res.Ops(), o.ExtraOps),
		log:     traffic.NewLog(o.LogSize),
		journal: traffic.NewJournal(o.Kept),
		urls:    delivery.URLRules{PlatformDomains: o.PlatformDomains, AnyPort: o.AnyPort},
	}
	s.stores = api.NewRouter(slices.DeleteFunc(slices.Clone(s.ops), func(op api.Op) bool { return op.Secret }))
	s.partners = api.NewRouter(partnerOps(s.ops))
	s.faults = traffic.NewFaults(func(id string) bool {
		return slices.ContainsFunc(s.Faulty(), func(op api.Op) bool { return op.ID == id })
	})
	s.auth = http.StripPrefix(AuthPath, s.breakToken(oauth.New(oauth.Options{
		World: w, AutoApprove: o.AutoApprove, Strict: o.Strict,
		UserIDNumber: o.Readings.UserIDNumber, TokenErrors400: o.Readings.TokenErrors400,
	})))
	s.work = work.New(o.Clock)
	s.worker = delivery.New(s.deliveryOptions())
	s.payer = payment.New(w, s.work, s.worker.Call, s.CheckURL)
	s.shipper = carrier.New(w, s.worker.Call)
	s.labels = label.New(w, s.work, s.worker.Call)
	s.ruler = rules.New(w, s.worker.Call)
	s.noteCalls()
	w.OnCommit(s.worker.Enqueue)
	return s
}

// partnerOps are the operations of apps as such, with their paths as the router
// sees them.
func partnerOps(ops []api.Op) []api.Op {
	var out []api.Op
	for _, op := range ops {
		if op.Secret {
			op.Path = strings.TrimPrefix(op.Path, "{base_url}/{version}")
			out = append(out, op)
		}
	}
	return out
}

func (s *Server) deliveryOptions() delivery.Options {
	d := s.options.Delivery
	d.Clock, d.Work = s.clock, s.work
	d.Note, d.Mark = s.noteDelivery, s.journal.Mark
	d.Secret = func(id int64) string {
		app, _ := s.world.App(id)
		return app.Secret
	}
	d.Suspended = func(id int64) bool {
		store, _ := s.world.Store(id)
		return store.Suspended
	}
	return d
}

// Check reports what is wrong with the table of operations or the names in the options, nil if nothing is.
func (s *Server) Check() error {
	var known []string
	for _, op := range s.ops {
		if op.Feature != "" && !slices.Contains(known, op.Feature) {
			known = append(known, op.Feature)
		}
	}
	for _, name := range s.options.Disabled {
		if err := world.Known("feature", name, known); err != nil {
			return err
		}
	}
	return api.Check(s.ops)
}

// Ops returns every operation the server has.
func (s *Server) Ops() []api.Op { return slices.Clone(s.ops) }

// World is the state, for what cannot be done over HTTP.
func (s *Server) World() *world.World { return s.world }

// Clock is the clock the server goes by.
func (s *Server) Clock() clock.Clock { return s.clock }

// CheckURL says why an address of a partner is refused, nil if it is not.
func (s *Server) CheckURL(address string) error { return s.urls.Check(address) }

// ServeHTTP answers the API and the authorization address. The answers are dated by the
// clock of the server.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.EscapedPath(), AuthPath+"/") {
		s.date(w)
		s.auth.ServeHTTP(w, r)
		return
	}
	s.serveAPI(w, r)
}

// date writes the time of the answer, which net/http would take from the machine.
func (s *Server) date(w http.ResponseWriter) {
	w.Header().Set("Date", s.clock.Now().UTC().Format(http.TimeFormat))
}

// Close stops deliveries, the in-memory transport and what Listen began, and
// waits for them.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	m, ls := s.memory, s.listening
	s.memory, s.listening = nil, nil
	s.mu.Unlock()
	if m != nil {
		m.close()
	}
	for _, l := range ls {
		l.close()
	}
	s.work.Close()
	s.worker.Close()
}
