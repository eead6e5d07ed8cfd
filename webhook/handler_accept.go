package webhook

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Sink is a queue of your own that takes verified deliveries.
type Sink interface {
	// Deliver puts an entry into the queue. After it returns nil, the delivery is answered 2xx and the platform does
	// not retry, so the entry must be durable by then. It must return when ctx ends: see Handler.AcceptTime. If it
	// succeeds later, the queue gets the entry again, because the platform retries.
	Deliver(ctx context.Context, e Entry) error
}

// Handle runs the handler of an entry from a queue, and returns its error. A panic becomes an error. Handle returns nil
// for ignored events. It returns ErrUnknownEvent, ErrUnhandled or ErrMalformed for an entry that cannot be handled;
// retrying does not fix that.
//
// It calls neither Probe nor KnownStore. app/uninstalled, store/redact, app/suspended and app/resumed arrive late and
// in any order, so try the token of the store before you act on them: see [AccessOf].
//
// The queue must not run two entries of one Lane at the same time. It must not drop a signal because an entry with the
// same Key was handled before or is being handled.
func (r *Registry) Handle(ctx context.Context, e Entry) error {
	m := r.reader(e.Event).read(e.Body, time.Now())
	call, err := dispatcher{registry: r}.prepare(&m)
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

// accepted is what became of a delivery in the inbox or the queue.
type accepted struct {
	outcome Outcome
	reason  error // why no handler can have it, if there is one
}

// store passes a delivery to the inbox or the queue, and notes its outcome. After an error the platform must retry. One
// that was answered 503 because Accept was late may still be stored: that is harmless, because the inbox merges it with
// the retry, or drops the retry of a fact.
func (e *engine) store(ctx context.Context, c *received) error {
	m := &c.message
	if e.Registry.ignores(m) && !e.Registry.hearsOfAccess(m) {
		c.outcome = OutcomeIgnored
		return nil
	}
	entries := []Entry{m.entry(e.App, e.Registry.policy(m.event))}
	entry := &entries[0]
	c.key, entry.Trace = entry.Key, e.trace(ctx, c)
	got, err := e.accept(ctx, m, entries)
	if err != nil {
		e.fail(ctx, m, fmt.Errorf("not accepted; the platform will retry: %w", err))
		return err
	}
	if c.outcome = got.outcome; got.outcome == OutcomeUnknown {
		c.key = ""
		_, err = callback.Guarded(ctx, e.unknowns, "Unknown", func(ctx context.Context) (struct{}, error) {
			return struct{}{}, e.unknown(ctx, m, got.reason)
		})
		if err != nil {
			e.fail(ctx, m, fmt.Errorf("not stored; the platform will retry: %w", err))
		}
		return err
	}
	if e.Inbox != nil && e.OnAccepted != nil {
		hook := context.WithoutCancel(ctx)
		e.server.After(hook, "OnAccepted", func() { e.OnAccepted(hook, *entry, got.outcome) })
	}
	if got.outcome == OutcomeShelved { // no worker will lease it, so it must be reported here
		whose := received{message: message{store: entry.StoreID, event: entry.Event}, key: entry.Key, dead: true}
		e.server.Fail(ctx, &whose, callback.Failed{Err: got.reason})
	}
	return nil
}

// accept calls put with the time that the inbox or the sink has. It can leave code of the app: an inbox, a sink, or the
// decoding of a payload type.
func (e *engine) accept(ctx context.Context, m *message, entries []Entry) (got accepted, err error) {
	if !e.inTime || e.Registry.foreign(m) {
		name := "Inbox.Accept"
		if e.Sink != nil {
			name = "Sink.Deliver"
		}
		return callback.Guarded(ctx, e.accepts, name, func(ctx context.Context) (accepted, error) { return e.put(ctx, m, entries) })
	}
	within := callback.WithDeadline(ctx, time.Now().Add(e.limit))
	defer within.End()
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
	}()
	return e.put(within, m, entries)
}

// put passes the entry of a message to the sink or the inbox, unless it is for Unknown. Only a result without an error
// means that the delivery is stored.
func (e *engine) put(ctx context.Context, m *message, entries []Entry) (accepted, error) {
	reason := e.Registry.fits(m)
	if reason != nil {
		if e.Unknown != nil {
			return accepted{OutcomeUnknown, reason}, nil
		}
		entries[0].Unhandled = reason.Error()
	}
	if e.Sink != nil {
		return accepted{OutcomeQueued, reason}, e.Sink.Deliver(ctx, entries[0])
	}
	met, err := e.Inbox.Accept(ctx, entries...)
	if err != nil {
		return accepted{}, err
	}
	return accepted{met[0], reason}, nil
}

// trace returns the trace of a delivery.
func (e *engine) trace(ctx context.Context, c *received) string {
	if e.Trace == nil {
		return Traceparent(c.trace)
	}
	var trace atomic.Value // of a hook that may hang
	hook := context.WithoutCancel(ctx)
	e.server.Hook(hook, "Trace", func() { trace.Store(e.Trace(hook)) })
	got, _ := trace.Load().(string)
	return Traceparent(got)
}

// fits returns why no handler can have a message, or nil. Without a registry every message is stored, and the worker
// decides.
func (r *Registry) fits(m *message) error {
	if r == nil {
		return m.flaw
	}
	if r.hearsOfAccess(m) {
		return nil
	}
	to, reason := r.find(m)
	if to != nil {
		reason = to.fits(m)
	}
	return reason
}

// foreign reports whether a message is decoded into a type of the app.
func (r *Registry) foreign(m *message) bool {
	if r == nil {
		return false
	}
	to, _ := r.find(m)
	return to != nil && to.foreign(m)
}
