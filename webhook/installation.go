package webhook

import (
	"context"
	"errors"
	"slices"

	"github.com/commerceplatform/commerce-go/client/access"
	"github.com/commerceplatform/commerce-go/client/value"
)

// Access is the access that the API grants an app in a store.
type Access = access.State

// The states of an installation that a probe returns.
const (
	AccessActive    = access.Active    // installed, and the API answers
	AccessSuspended = access.Suspended // installed, and the API answers 402
	AccessGone      = access.Gone      // not installed: the token is invalid or missing
)

// Installation is the result of a probe.
type Installation struct {
	Access Access // whether the app is installed and may act
	// Epoch distinguishes one installation of the app in a store from the next: for example the time of the
	// installation, or a number that counts tokens. Handlers get it from [Epoch], so that they delete only data of the
	// installation that ended. It is empty if you do not store epochs.
	Epoch string

	refusal error // of a probe by ProbeBy
}

// AccessOf is client.AccessOf, for a Probe of your own.
func AccessOf(err error) (Access, error) { return access.Of(err) }

// ProbeBy returns a function for Probe of a Worker or a Handler. It reads the store's id with the token of the store.
// Its argument is the method Client of a client.Stores, or of Stores in the package of a version:
//
//	worker := &webhook.Worker{…, Probe: webhook.ProbeBy(stores.Client)}
//
// client.AccessOf interprets the answer. Installation.Epoch is empty.
func ProbeBy[C interface{ Probe(context.Context) error }](
	clients func(ctx context.Context, store value.ID) (C, error),
) func(ctx context.Context, store value.ID) (Installation, error) {
	return func(ctx context.Context, store value.ID) (Installation, error) {
		c, err := clients(ctx, store)
		if err == nil {
			err = c.Probe(ctx)
		}
		found, undecided := access.Of(err)
		return Installation{Access: found, refusal: err}, undecided
	}
}

// Epoch returns the epoch that the probe found before the handler was called, empty if there is none.
func Epoch(ctx context.Context) string {
	epoch, _ := ctx.Value(epochKey{}).(string)
	return epoch
}

type epochKey struct{}

// dispatcher finds the handler of a message. Before a handler that depends on the installation, it probes whether the
// installation is as the message claims, because deliveries arrive late, twice and in any order.
type dispatcher struct {
	registry *Registry
	known    func(ctx context.Context, store value.ID) (bool, error)
	inspect  *inspector // nil if there is no probe
}

// prepare returns the call of the handler of m, or nil if m is ignored. The error is the reason why no handler can have
// m. The call may return such reasons too.
func (d dispatcher) prepare(m *message) (func(context.Context) error, error) {
	handle, err := d.registry.route(m)
	switch {
	case d.inspect != nil && !errors.Is(err, ErrMalformed) && d.registry.hearsOfAccess(m):
		return func(ctx context.Context) error { return d.accessChanged(ctx, m) }, nil
	case err != nil || handle == nil:
		return nil, err
	case d.inspect != nil && m.policy.ends:
		handle = d.onceGone(m.store, handle)
	}
	if d.known == nil || m.policy.protected {
		return handle, nil
	}
	return func(ctx context.Context) error {
		known, err := d.known(ctx, m.store)
		switch {
		case err != nil:
			return err
		case !known:
			return ErrUnknownStore
		}
		return handle(ctx)
	}, nil
}

// onceGone prevents a late delivery, and a refusal that passes, from ending an active installation.
func (d dispatcher) onceGone(store value.ID, handle func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		found, err := d.inspect.decide(ctx, store)
		switch {
		case err != nil:
			return err
		case found.Access != AccessGone:
			return ErrStale
		}
		return handle(context.WithValue(ctx, epochKey{}, found.Epoch))
	}
}

// accessChanged calls the handler of the present state, whichever event arrived.
func (d dispatcher) accessChanged(ctx context.Context, m *message) error {
	found, err := d.inspect.decide(ctx, m.store)
	if err != nil {
		return err
	}
	now := *m
	switch found.Access {
	case AccessActive:
		now.event = AppResumed.Name
	case AccessSuspended:
		now.event = AppSuspended.Name
	default:
		return ErrStale
	}
	handle, err := d.registry.route(&now)
	switch {
	case err == nil && handle == nil, errors.Is(err, ErrUnhandled):
		return nil // the present state has no handler
	case err != nil:
		return err
	}
	return handle(context.WithValue(ctx, epochKey{}, found.Epoch))
}

// asks reports whether the registry handles an event that requires a probe.
func (r *Registry) asks() bool {
	return r.handlesAny(AppUninstalled.Name, AppSuspended.Name, AppResumed.Name, StoreRedactRequested.Name)
}

// hearsOfAccess reports whether a message is about the access of the app and the registry handles one of these events.
// The probe decides which of the two events holds.
func (r *Registry) hearsOfAccess(m *message) bool {
	return m.policy.group == accessGroup && r.handlesAny(AppSuspended.Name, AppResumed.Name)
}

func (r *Registry) handlesAny(names ...Name) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.ContainsFunc(names, func(name Name) bool { return r.routes[name] != nil })
}
