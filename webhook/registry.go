package webhook

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Registry maps events to their handlers. The zero Registry is empty and ready to use. It may be shared by several
// handlers and is safe for concurrent use.
//
// Mistakes made while it is filled are recorded. [Registry.Complete] and [Handler.Check] return them.
type Registry struct {
	mu       sync.RWMutex
	routes   map[Name]*route
	ignored  map[Name]bool
	policies map[Name]Policy
	mistakes []error

	once sync.Once
	rows map[Name]row
}

// route leads to a handler.
type route struct {
	fits func(m *message) error // why the handler cannot have a message, or nil
	// foreign reports whether a message is decoded into a type of the app.
	foreign func(m *message) bool
	call    func(m *message) (func(context.Context) error, error)
}

// On registers fn as the handler of the event e. It is a mistake to register two handlers of one event, or a handler of
// an ignored event.
//
// fn is called with a context that ends when the answer is due. The delivery succeeds only if fn returns nil before
// then; otherwise the platform retries. fn may be called concurrently for different deliveries, but never for two
// equivalent ones.
//
// P is the payload type of e. If it is not the type of the contract's event with that name, or the contract has no such
// event, the whole body is decoded into it.
func On[P any](r *Registry, e Event[P], fn func(context.Context, Delivery[P]) error) {
	if fn == nil {
		r.mistake(fmt.Errorf("event %s: the handler is nil", quoted(e.Name)))
		return
	}
	r.add(e.Name, &route{
		fits: func(m *message) error {
			_, err := payloadFor[P](m)
			return err
		},
		foreign: func(m *message) bool {
			_, ours := m.payload.(*P)
			return !ours
		},
		call: func(m *message) (func(context.Context) error, error) {
			payload, err := payloadFor[P](m)
			if err != nil {
				return nil, err
			}
			d := Delivery[P]{m.store, m.event, payload, m.raw, m.at}
			return func(ctx context.Context) error { return fn(ctx, d) }, nil
		},
	})
}

// OnStore registers fn as the handler of the event e, if it requires only the id of the store:
//
//	webhook.OnStore(&events, webhook.AppUninstalled, install.Uninstall) // of an oauth.Handler
func OnStore[P any](r *Registry, e Event[P], fn func(ctx context.Context, store value.ID) error) {
	var handle func(context.Context, Delivery[P]) error
	if fn != nil {
		handle = func(ctx context.Context, d Delivery[P]) error { return fn(ctx, d.StoreID) }
	}
	On(r, e, handle)
}

// payloadFor returns the payload of type P of a message.
func payloadFor[P any](m *message) (P, error) {
	if payload, ok := m.payload.(*P); ok {
		return *payload, nil
	}
	payload := new(P)
	var err error
	if callback.Panics(func() { err = wire.UnmarshalExact(m.raw, payload) }) { // in an UnmarshalJSON of the app
		return *payload, malformed(fmt.Sprintf("%T panicked while it was decoded", payload))
	}
	if err != nil {
		return *payload, malformed("body does not fit the payload of the registered event")
	}
	return *payload, nil
}

// Ignore registers events to be ignored: they are answered 2xx and no handler is called. Names that the contract does
// not have may be ignored too.
func (r *Registry) Ignore(names ...Name) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range names {
		switch {
		case name == "":
			r.mistakes = append(r.mistakes, errors.New("an event without a name is ignored"))
		case r.routes[name] != nil:
			r.mistakes = append(r.mistakes, fmt.Errorf("event %s: both handled and ignored", quoted(name)))
		case r.ignored == nil:
			r.ignored = map[Name]bool{name: true}
		default:
			r.ignored[name] = true
		}
	}
}

// Policy overrides how an inbox or a queue treats deliveries of an event. It has no effect on a [Handler] that runs
// handlers inside the request. A process that receives deliveries and a process that runs a worker must be given the
// same policies.
func (r *Registry) Policy(name Name, p Policy) {
	if err := p.check(); err != nil {
		r.mistake(fmt.Errorf("event %s: policy: %w", quoted(name), err))
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.policies == nil {
		r.policies = map[Name]Policy{}
	}
	r.policies[name] = p
}

// suggest sets the policy of an event, unless the app has set one or sets one later.
func (r *Registry) suggest(name Name, p Policy) {
	r.mu.RLock()
	_, set := r.policies[name]
	r.mu.RUnlock()
	if !set {
		r.Policy(name, p)
	}
}

// policy returns the override of an event, the zero Policy if there is none. A nil registry overrides nothing.
func (r *Registry) policy(name Name) Policy {
	if r == nil {
		return Policy{}
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.policies[name]
}

// Names returns the events that have a handler and that the platform sends to registered addresses, in alphabetical
// order, for client.WebhookService.Ensure. Privacy requests are not included, because their addresses are in
// the settings of the app.
func (r *Registry) Names() []Name {
	r.mu.RLock()
	defer r.mu.RUnlock()
	protection := []Name{StoreRedactRequested.Name, CustomerRedactRequested.Name, CustomerDataRequested.Name}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.routes)), func(n Name) bool { return slices.Contains(protection, n) })
}

// Complete returns an error that lists the events of the contract that are neither handled nor ignored, and the
// mistakes made while the registry was filled. Call it in a test. If a later version of this package adds an event, the
// test fails and the service does not.
func (r *Registry) Complete() error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var missing []string
	for _, name := range Events() {
		if r.routes[name] == nil && !r.ignored[name] {
			missing = append(missing, string(name))
		}
	}
	err := errors.Join(r.mistakes...)
	if len(missing) > 0 {
		err = errors.Join(err, fmt.Errorf("events neither handled nor ignored: %s", strings.Join(missing, ", ")))
	}
	return err
}

func (r *Registry) add(name Name, to *route) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case name == "":
		r.mistakes = append(r.mistakes, errors.New("an event without a name is handled"))
	case r.routes[name] != nil:
		r.mistakes = append(r.mistakes, fmt.Errorf("event %s: handled twice", quoted(name)))
	case r.ignored[name]:
		r.mistakes = append(r.mistakes, fmt.Errorf("event %s: both handled and ignored", quoted(name)))
	case r.routes == nil:
		r.routes = map[Name]*route{name: to}
	default:
		r.routes[name] = to
	}
}

func (r *Registry) mistake(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mistakes = append(r.mistakes, err)
}

// check returns an error if no handler can use the registry.
func (r *Registry) check() error {
	if r == nil {
		return errors.New("no registry")
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.routes) == 0 && len(r.mistakes) == 0 {
		return errors.New("the registry handles no event")
	}
	return errors.Join(r.mistakes...)
}

// route returns the call that handles m. It is nil if the event is ignored. The error is the reason why no handler can
// have m.
func (r *Registry) route(m *message) (func(context.Context) error, error) {
	to, err := r.find(m)
	if to == nil {
		return nil, err
	}
	return to.call(m)
}

// find returns the route of m, nil if there is none.
func (r *Registry) find(m *message) (*route, error) {
	if m.flaw != nil {
		return nil, m.flaw
	}
	r.mu.RLock()
	to, ignored := r.routes[m.event], r.ignored[m.event]
	r.mu.RUnlock()
	switch {
	case to != nil:
		return to, nil
	case ignored:
		return nil, nil
	case m.payload != nil:
		return nil, ErrUnhandled
	}
	return nil, ErrUnknownEvent
}

// ignores reports whether a message reaches no handler on purpose. A nil registry ignores nothing.
func (r *Registry) ignores(m *message) bool {
	if r == nil {
		return false
	}
	to, reason := r.find(m)
	return to == nil && reason == nil
}

// guard turns a panic of the app's code into an error.
func guard(ctx context.Context, call func(context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
	}()
	return call(ctx)
}

func quoted(name Name) string {
	return `"` + callback.Printable(string(name), callback.MostShown) + `"`
}
