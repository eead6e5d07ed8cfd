package refserver

import (
	"context"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// AddApp makes an app; an id and a secret are drawn if it has none.
func (s *Server) AddApp(a world.App) (world.App, error) { return s.world.AddApp(a) }

// AddStore makes a store; an id is drawn and gaps are filled if need be.
func (s *Server) AddStore(st world.Store) (world.Store, error) { return s.world.AddStore(st) }

// AddFeatures adds features to those of a store.
func (s *Server) AddFeatures(store int64, names ...string) error {
	for _, name := range names {
		if err := world.Known("feature of a store", name, world.StoreFeatures()); err != nil {
			return err
		}
	}
	return s.world.Update(0, store, func(tx *world.Tx) error {
		st := tx.Store()
		st.Features = slices.Compact(slices.Sorted(slices.Values(slices.Concat(st.Features, names))))
		tx.SetStore(st)
		return nil
	})
}

// Install puts an app into a store as if the merchant had approved the scopes,
// and returns the installation with its token. An earlier token is dead.
func (s *Server) Install(app, store int64, scopes world.Scopes) (world.Install, error) {
	return s.world.Install(app, store, scopes)
}

// Uninstall takes an app out of a store: app/uninstalled and store/redact are
// sent unless the store is suspended, the token dies, the webhooks go.
func (s *Server) Uninstall(app, store int64) error { return s.world.Uninstall(app, store) }

// Suspend makes every call for the store answer 402 and silences its webhooks.
func (s *Server) Suspend(store int64) error { return s.world.Suspend(store) }

// Resume ends a suspension.
func (s *Server) Resume(store int64) error { return s.world.Resume(store) }

// Emit sends an event that no call to the API causes, for example domain/updated
// or customers/redact. App 0 is every app that registered for it; a data-protection event
// goes to the one address that its app has for it, so that app 0 is nobody.
func (s *Server) Emit(app, store int64, name string, fields map[string]any) error {
	return s.world.Update(app, store, func(tx *world.Tx) error {
		tx.EmitTo(app, name, fields)
		return nil
	})
}

// Partner delivers what goes to an https origin to a handler in this process.
func (s *Server) Partner(origin string, h http.Handler) error {
	return s.worker.Routes.Handle(origin, h)
}

// Browse makes the request of a person's browser to a partner, or to an address of this machine.
func (s *Server) Browse(r *http.Request) (*http.Response, error) { return s.worker.Browse(r) }

// Forward delivers what goes to an https origin to another one, for example
// http://127.0.0.1:3000.
func (s *Server) Forward(origin, to string) error { return s.worker.Routes.Forward(origin, to) }

// Spread delivers what goes to an https origin to others in turn, with connections from the source unless it is empty.
func (s *Server) Spread(origin string, to []string, source string) error {
	return s.worker.Routes.Spread(origin, to, source)
}

// Partners returns where what goes to partners is delivered, by host.
func (s *Server) Partners() []delivery.Route { return s.worker.Routes.All() }

// RemovePartner ends the route for an origin. It reports whether there was one.
func (s *Server) RemovePartner(origin string) bool { return s.worker.Routes.Remove(origin) }

// Fault makes an operation go wrong.
func (s *Server) Fault(r traffic.Fault) (traffic.Armed, error) { return s.faults.Arm(r) }

// Disarm ends a rule before its count is reached.
func (s *Server) Disarm(id int) bool { return s.faults.Disarm(id) }

// DisarmAll ends all rules, and returns their number.
func (s *Server) DisarmAll() int { return s.faults.DisarmAll() }

// Faults returns the armed rules and the last 1,000 that have ended, with their hits.
func (s *Server) Faults() []traffic.Armed { return s.faults.Rules() }

// Requests returns the last calls to the API, oldest first.
func (s *Server) Requests() []traffic.Request { return s.log.Entries() }

// RequestLog is the log of Requests, for callers who follow it.
func (s *Server) RequestLog() *traffic.Log { return s.log }

// Journal is the log of everything that happened: webhooks, calls to apps, and requests.
func (s *Server) Journal() *traffic.Journal { return s.journal }

// Webhooks makes the deliveries.
func (s *Server) Webhooks() *delivery.Worker { return s.worker }

// Deliveries returns the webhooks sent or to be sent, oldest first.
func (s *Server) Deliveries() []delivery.Delivery { return s.worker.Deliveries() }

// Resend makes one more attempt at a delivery.
func (s *Server) Resend(id int64) error { return s.worker.Resend(id) }

// Settle waits until no carrier is being asked for labels, no cancellation of a payment is being repeated and no
// webhook is being sent. It does not wait for repetitions that are due later.
func (s *Server) Settle(ctx context.Context) error { return s.work.Settle(ctx) }

// Snapshot keeps the state of the world. Deliveries, the log, faults and the
// levels of the rate buckets are not part of it.
func (s *Server) Snapshot() world.Snapshot { return s.world.Snapshot() }

// Restore brings a state back.
func (s *Server) Restore(snap world.Snapshot) {
	s.world.Restore(snap)
	s.labels.Watch()
}

// Fork returns an independent server on the same clock that begins with this
// one's world, options and partners, and without its faults, log and deliveries.
func (s *Server) Fork() *Server {
	f := build(s.options, s.world.Fork())
	s.worker.Routes.CopyTo(&f.worker.Routes)
	f.labels.Watch()
	return f
}
