package webhook

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// AnswerTime is how long the platform waits for an answer.
const AnswerTime = 3 * time.Second

// Defaults of Handler.
const (
	DefaultBudget  = AnswerTime - 500*time.Millisecond // leaves half a second for the way there and back
	DefaultMaxBody = 1 << 20                           // 1 MiB

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies that are not verified yet
	DefaultMaxRuns      = 1024     // handlers in progress

	DefaultAcceptTime = 2 * time.Second // for the inbox or the queue
)

// Handler receives deliveries, verifies them and runs the handlers of its registry
// inside the request. Secrets or SecretSet, and Registry must be set. The fields must not be
// changed once it serves, and it must not be copied.
//
// It answers:
//
//	200  the handler returned nil; the event is ignored; or nobody could handle it (see Unknown)
//	401  not exactly one well-formed signature, which is found before the body is read, or not one of a secret
//	405  not a POST
//	408  the body did not arrive within Budget; 400 if its transfer broke off
//	413  the body is larger than MaxBody
//	415  the body is compressed: the signature is over the bytes that were sent
//	503  the handler failed or was late, too many ran, too many bytes are being received, or the configuration is wrong
//
// A 503 has a Retry-After header if the error asks for a wait: see [WaitOf]. The contract does not say that the
// platform heeds it, and the delivery spends one of the platform's attempts. Only an Inbox can wait without one.
//
// Several apps need several handlers on several addresses: which app is meant must
// not depend on the body.
type Handler struct {
	// Secrets of the app, the newest first: one, or two while it is being changed.
	Secrets []client.Secret
	// SecretSet, if set, is where the secrets are instead of Secrets. It can be changed while the handler serves, and
	// several handlers can share it.
	SecretSet *client.SecretSet
	// Registry says who handles what.
	Registry *Registry

	// Event is the event of deliveries whose body names none. The addresses for data protection in the app's settings
	// get such bodies: see [Handler.Mount], or mount a handler with an Event of its own at each. Empty means that a
	// body without an event is malformed, except at the paths of Mount.
	Event Name

	// HeaderName of the signature. "" means SignatureHeader.
	HeaderName string
	// MaxBody is the size in bytes above which a body is refused. 0 means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received and verified, in bytes. What comes beyond it
	// is answered 503, so the platform retries. A quarter is for the first 4 KiB of each body, so that a flood of large
	// bodies does not reject the usual deliveries. It must be at least twice MaxBody. 0 means DefaultMaxReceiving, or
	// twice MaxBody if that is more.
	MaxReceiving int64
	// Budget is the time from the arrival of a request to its answer, at most
	// AnswerTime. The context of the handler ends with it. 0 means DefaultBudget.
	Budget time.Duration
	// MaxRuns is the number of handlers in progress above which deliveries are
	// answered 503, counting those whose answer is out. 0 means DefaultMaxRuns.
	MaxRuns int

	// KnownStore reports whether a store has the app installed. Deliveries of others
	// go to Unknown and not to their handlers, but for requests of data protection: data
	// is kept longer than an app. If nil, all stores are known.
	KnownStore func(ctx context.Context, store client.ID) (bool, error)
	// Probe asks the API whether the app is installed in a store: see AccessOf. With it, a late
	// app/uninstalled or store/redact goes to Unknown while the app is installed, and
	// of app/suspended and app/resumed the one is handled that holds. A delivery whose handler fails because the app is
	// not installed goes to Unknown with ErrGone, if probes have said so for half a minute; until then it is answered
	// 503. Requests of data protection never do. If nil, handlers must see to that themselves.
	Probe func(ctx context.Context, store client.ID) (Installation, error)
	// Unknown is given what was verified and reached no handler: events without
	// one, malformed bodies, unknown stores. They are answered 2xx if it returns
	// nil, else 503. Keep Raw to look at it later. If nil, they are reported like
	// failures and answered 2xx, and lost, unless an Inbox keeps them among its DeadLetters.
	Unknown func(ctx context.Context, d Delivery[Unknown]) error
	// OnStarted is called at the beginning of each request, whatever it is answered, before its body is read. Handlers,
	// Probe, KnownStore, Unknown, Inbox, Sink and all hooks get the values of the context that it returns, a trace for
	// example; it must be made of ctx, which ends when the sender hangs up. Nil counts as ctx, and so does a panic. A
	// run for several deliveries has the context of the last of them. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, when it is known what is
	// answered. Its context has the values of the one that OnStarted returned, and does not end. It is for metrics and
	// must not block, since the answer may be sent after it only. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// Trace returns the traceparent of a verified delivery, by the context that OnStarted returned: see Entry.Trace. If
	// nil, it is the header traceparent of the request.
	Trace func(ctx context.Context) string
	// OnFailure is called once for each delivery that was not handled. It may be called
	// concurrently and after the answer. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnJoined is called for each delivery that waits, because a run for the same content
	// is in progress, and will share the next one with all others that wait. It is
	// for metrics and must not block. If nil, it is not called.
	OnJoined func(ctx context.Context, event Name, store client.ID)
	// OnRefused is called with each request that was rejected before anything of its body was read as an event:
	// strangers, and the platform if the configuration is wrong. It is for metrics and must not block. If nil, refusals
	// are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger gets failures if OnFailure is nil, and refused requests at level warn, each reason at most once a minute.
	// No body, secret or signature reaches it. If nil, slog.Default() is used.
	Logger *slog.Logger

	// Inbox, if set, is where deliveries are kept before they are answered 2xx. Their
	// handlers are run by a Worker, at its own pace.
	Inbox Inbox
	// Sink, if set, is a queue of your own that takes deliveries instead of an Inbox. What
	// reads it calls Registry.Handle.
	Sink Sink
	// App tells the entries of several apps in one inbox or queue apart. "" is fine for one.
	App string
	// AcceptTime is how long the Inbox or Sink may take before 503 is answered.
	// 0 means DefaultAcceptTime.
	AcceptTime time.Duration
	// OnAccepted is called with each delivery that an Inbox accepted, and its outcome. It
	// is for metrics and must not block. If nil, it is not called.
	OnAccepted func(ctx context.Context, e Entry, met Outcome)

	once   sync.Once
	engine *engine // nil: the configuration is wrong
}

// Format prints that it is a Handler, whatever the verb: fmt would show the secrets where it has no
// verb for what holds them.
func (h *Handler) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "webhook.Handler") }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	r = callback.Started(r, h.OnStarted)
	var a Answer
	defer func() { // also if a body panics as it is read
		a.Took = time.Since(arrived)
		callback.Answered(r.Context(), h.OnAnswered, a)
	}()
	h.serve(w, r, arrived, &a)
}

// serve answers a request and notes in a what it was answered.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, arrived time.Time, a *Answer) {
	e := h.ready(r.Context())
	if e == nil {
		a.Status, a.Outcome, a.Err = http.StatusServiceUnavailable, OutcomeFailed, callback.ErrMisconfigured
		answer(w, a.Status)
		return
	}
	deadline := arrived.Add(e.budget)
	raw, refused := e.receive(w, r, deadline)
	if refused != nil {
		refused.Handler = "webhook"
		a.Status, a.Outcome, a.Err = refused.Status, OutcomeRefused, refused.Err
		e.refusals.Tell(r, refused, h.OnRefused, h.reporter().log())
		answer(w, a.Status)
		return
	}

	m := e.read(r, raw, arrived)
	a.StoreID, a.Event, a.Bytes = m.store, m.event, len(raw)
	if h.keeps() {
		a.Err = h.store(r, m, deadline, e.accept, a)
	} else {
		a.Outcome, a.Err = h.handle(r.Context(), e, m, deadline)
	}
	if a.Status = http.StatusOK; a.Err != nil {
		a.Status, a.Outcome = http.StatusServiceUnavailable, OutcomeFailed
		postpone(w, a.Err)
	}
}

// postpone answers that the delivery is to be repeated, and when, if the error asks for a wait. The contract does not
// say that the platform heeds it.
func postpone(w http.ResponseWriter, err error) {
	if wait, ok := WaitOf(err); ok {
		seconds := int64((max(wait, ShortestBackoff) + time.Second - 1) / time.Second)
		w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
	answer(w, http.StatusServiceUnavailable)
}

// handle has the handler of a message run, and returns when it did or the answer is due.
func (h *Handler) handle(request context.Context, e *engine, m message, deadline time.Time) (Outcome, error) {
	call, outcome := h.call(e, m)
	if call == nil {
		return outcome, nil
	}
	ctx := callback.WithDeadline(request, deadline)
	defer ctx.End()
	detached := context.WithoutCancel(ctx)
	waited, err := e.joiner.do(ctx, m.key, job{
		base:     detached,
		deadline: deadline,
		call:     call,
		report:   func(err error) { h.fail(detached, m, err) },
		joined: func() {
			if h.OnJoined != nil {
				callback.Panics(func() { h.OnJoined(ctx, m.event, m.store) })
			}
		},
	})
	if waited && outcome == OutcomeRan {
		outcome = OutcomeShared
	}
	return outcome, err
}

// call returns what is to be done with a message, or nil if it is ignored, and the outcome if that succeeds.
func (h *Handler) call(e *engine, m message) (func(context.Context) error, Outcome) {
	probe := e.absences.watch(h.Probe)
	handle, reason := dispatcher{h.Registry, h.KnownStore, probe}.prepare(m)
	if reason != nil {
		return func(ctx context.Context) error { return h.keep(ctx, m, reason) }, OutcomeUnknown
	}
	if handle == nil {
		return nil, OutcomeIgnored
	}
	return func(ctx context.Context) error {
		err := handle(ctx)
		if err == ErrUnknownStore || err == ErrStale {
			return h.keep(ctx, m, err)
		}
		if err != nil && probe != nil && !m.policy.protected && saysGone(err) {
			if confirmed, gone := e.absences.ask(ctx, probe, m.store); gone && confirmed == 0 {
				return h.keep(ctx, m, ErrGone) // no repetition can succeed
			}
		}
		return err
	}, OutcomeRan
}

// keep is for messages that no handler can have. To fail for them would bring them
// back sixteen times and mend nothing.
func (h *Handler) keep(ctx context.Context, m message, reason error) error {
	if h.Unknown == nil {
		h.fail(ctx, m, reason)
		return nil
	}
	return h.Unknown(ctx, Delivery[Unknown]{m.store, m.event, Unknown{reason}, m.raw, m.at})
}

func (h *Handler) fail(ctx context.Context, m message, err error) {
	h.reporter().tell(ctx, &Failure{StoreID: m.store, Event: m.event, Err: err})
}

func (h *Handler) reporter() reporter { return reporter{h.OnFailure, h.Logger} }

// answer writes a constant text, so that a refusal tells nothing but its status.
func answer(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }
