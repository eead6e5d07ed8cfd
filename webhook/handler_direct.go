package webhook

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// handle runs the handler of a delivery inside the request. It returns when the handler has, or when the answer is due.
// All code of the app runs in the flight.
func (e *engine) handle(ctx context.Context, c *received, due time.Time) (err error) {
	m := &c.message
	d := dispatcher{e.Registry, e.KnownStore, e.inspector}
	if e.Registry.ignores(m) && (d.inspect == nil || !e.Registry.hearsOfAccess(m)) {
		c.outcome = OutcomeIgnored
		return nil
	}
	c.outcome, err = e.joiner.do(ctx, m.key, callback.Work[Outcome]{
		Party: callback.Party{Store: m.store}, Due: due,
		Do:     func(ctx context.Context) (Outcome, error) { return e.call(ctx, d, m) },
		Failed: func(ctx context.Context, err error, _ bool) { e.fail(ctx, m, err) },
	}, func() {
		if e.OnJoined != nil {
			hook := context.WithoutCancel(ctx)
			e.server.Hook(hook, "OnJoined", func() { e.OnJoined(hook, m.event, m.store) })
		}
	})
	return err
}

// call calls the handler of a message, or Unknown if no handler can have it.
func (e *engine) call(ctx context.Context, d dispatcher, m *message) (Outcome, error) {
	handle, reason := d.prepare(m)
	var err error
	if reason == nil && handle != nil {
		err = handle(ctx)
	}
	switch {
	case err == ErrUnknownStore || err == ErrStale:
		reason = err
	case err != nil && d.inspect != nil && !m.policy.protected && saysGone(err):
		if gone, _ := d.inspect.gone(ctx, m.store); gone {
			reason = ErrGone // no retry can succeed
		}
	}
	if reason != nil {
		return OutcomeUnknown, e.unknown(ctx, m, reason)
	}
	return OutcomeRan, err
}

// unknown passes a message that no handler can have to Unknown, or reports it. An error would only make the platform
// retry it sixteen times.
func (e *engine) unknown(ctx context.Context, m *message, reason error) error {
	if e.Unknown == nil {
		e.fail(ctx, m, reason)
		return nil
	}
	return e.Unknown(ctx, Delivery[Unknown]{m.store, m.event, Unknown{reason}, m.raw, m.at})
}
