package webhook

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Sink is a queue of your own that takes verified deliveries.
type Sink interface {
	// Deliver puts an entry into the queue. After it returns nil, the delivery is answered 2xx and the platform does
	// not retry, so the entry must be durable by then.
	Deliver(ctx context.Context, e Entry) error
}

// Handle runs the handler of an entry from a queue, and returns its error. A panic becomes an error. Handle returns nil
// for ignored events. It returns ErrUnknownEvent, ErrUnhandled or ErrMalformed for an entry that no handler can have;
// retrying does not fix that.
//
// It calls neither Probe nor KnownStore. app/uninstalled, store/redact, app/suspended and app/resumed arrive late and
// in any order, so try the token of the store before you act on them: see [AccessOf].
//
// The queue must not run two entries of one Lane at the same time. It must not drop a signal because an entry with the
// same Key was handled before or is being handled.
func (r *Registry) Handle(ctx context.Context, e Entry) error {
	m := r.reader(e.Event).read(e.Body, time.Now())
	call, err := dispatcher{registry: r}.prepare(m)
	if err != nil || call == nil {
		return err
	}
	return guard(ctx, call)
}

// Entry returns the entry of a body whose signature was verified elsewhere, under the policies of the registry.
// The fallback is the event of bodies that name none. If it is empty, such bodies are malformed.
func (r *Registry) Entry(app string, fallback Name, body []byte) Entry {
	return r.entries(app, fallback)(body)
}

// entries returns Entry for many bodies.
func (r *Registry) entries(app string, fallback Name) func(body []byte) Entry {
	bodies := r.reader(fallback).brief()
	return func(body []byte) Entry {
		m := bodies.read(body, time.Time{})
		return m.entry(app, r.policy(m.event))
	}
}

// keeps reports whether deliveries are stored and handled later.
func (h *Handler) keeps() bool { return h.Inbox != nil || h.Sink != nil }

// store passes a delivery to the inbox or the queue, within the limit and before the deadline, and notes its outcome in
// a. After an error, the platform must retry.
func (h *Handler) store(r *http.Request, m message, deadline time.Time, limit time.Duration, a *Answer) error {
	ctx, e := r.Context(), m.entry(h.App, h.Registry.policy(m.event))
	wanted, reason := h.Registry.wants(m)
	if reason != nil {
		if h.Unknown != nil {
			a.Outcome = OutcomeUnknown
			within := callback.WithDeadline(ctx, deadline)
			defer within.End()
			err := guard(within, func(ctx context.Context) error { return h.keep(ctx, m, reason) })
			if err != nil {
				h.fail(context.WithoutCancel(ctx), m, fmt.Errorf("not stored; the platform will retry: %w", err))
			}
			return err
		}
		e.Unhandled = reason.Error()
	}
	if !wanted {
		a.Outcome = OutcomeIgnored
		return nil
	}
	a.Key, e.Trace = e.Key, h.trace(r)
	if due := time.Now().Add(limit); due.Before(deadline) {
		deadline = due
	}
	within := callback.WithDeadline(ctx, deadline)
	defer within.End()
	err := guard(within, func(ctx context.Context) (err error) {
		a.Outcome, err = h.put(ctx, e, reason)
		return err
	})
	if err != nil {
		h.fail(context.WithoutCancel(ctx), m, fmt.Errorf("not accepted; the platform will retry: %w", err))
	}
	return err
}

// trace returns the trace of a delivery.
func (h *Handler) trace(r *http.Request) (trace string) {
	if h.Trace != nil {
		callback.Panics(func() { trace = h.Trace(r.Context()) })
	} else if given := r.Header["Traceparent"]; len(given) == 1 {
		trace = given[0]
	}
	return Traceparent(trace)
}

// put passes e to the sink or the inbox, and returns its outcome. Reason is why no handler can have it, if there is
// one.
func (h *Handler) put(ctx context.Context, e Entry, reason error) (Outcome, error) {
	if h.Sink != nil {
		return OutcomeQueued, h.Sink.Deliver(ctx, e)
	}
	met, err := h.Inbox.Accept(ctx, e)
	if err != nil {
		return "", err
	}
	if h.OnAccepted != nil {
		callback.Panics(func() { h.OnAccepted(ctx, e, met[0]) })
	}
	if met[0] == OutcomeShelved { // no worker will lease it, so it must be reported here
		f := &Failure{StoreID: e.StoreID, Event: e.Event, Key: e.Key, Err: reason, Dead: true}
		h.reporter().tell(context.WithoutCancel(ctx), f)
	}
	return met[0], nil
}

// wants reports whether a message must be stored, and why no handler can have it. Without a registry every message is
// stored, and the worker decides.
func (r *Registry) wants(m message) (bool, error) {
	if r == nil {
		return true, m.flaw
	}
	if r.hearsOfAccess(m) {
		return true, nil
	}
	to, reason := r.find(m)
	if to != nil {
		reason = to.fits(m)
	}
	return to != nil || reason != nil, reason
}
