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
	DefaultBudget  = AnswerTime - 500*time.Millisecond // leaves half a second for the network
	DefaultMaxBody = 1 << 20                           // 1 MiB

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies that are not verified yet
	DefaultMaxRuns      = 1024     // handlers in progress

	DefaultAcceptTime = 2 * time.Second // for the inbox or the queue
)

// Handler receives deliveries, verifies them and runs the handlers of its registry inside the request. Registry must be
// set, and either Secrets or SecretSet. The fields must not be changed after the first request, and a Handler must not
// be copied.
//
// It answers:
//
//	200  the handler returned nil; the event is ignored; or no handler can have it (see Unknown)
//	401  not exactly one well-formed signature (checked before the body is read), or the signature of no secret
//	405  not a POST
//	408  the body did not arrive within Budget; 400 if its transfer broke off
//	413  the body is larger than MaxBody
//	415  the body is compressed: the signature is over the bytes that were sent
//	503  the handler failed or was late, too many handlers ran, too many bytes are being received,
//	     or the configuration is wrong
//
// A 503 has a Retry-After header if the error asks for a wait: see [WaitOf]. The contract does not say that the
// platform respects it, and each 503 uses one of the platform's attempts. Only an Inbox can wait without using one.
//
// Several apps require several handlers on several addresses, because the app must not be chosen by the body.
type Handler struct {
	// Secrets of the app, the newest first: one, or two while the secret is being changed.
	Secrets []client.Secret
	// SecretSet, if set, holds the secrets instead of Secrets. It can be changed while the handler serves, and several
	// handlers can share it.
	SecretSet *client.SecretSet
	// Registry maps events to handlers.
	Registry *Registry

	// Event is the event of deliveries whose body names none. The addresses for data protection in the app's settings
	// receive such bodies: see [Handler.Mount], or mount a handler with its own Event at each. If Event is empty, a
	// body without an event is malformed, except at the paths of Mount.
	Event Name

	// HeaderName is the header of the signature. If empty, SignatureHeader is used.
	HeaderName string
	// MaxBody is the largest size of a body in bytes; a larger body is rejected. 0 means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received and verified, in bytes. Bodies beyond it are
	// answered 503, so the platform retries. A quarter is reserved for the first 4 KiB of each body, so that a flood of
	// large bodies does not reject the usual deliveries. It must be at least twice MaxBody. 0 means
	// DefaultMaxReceiving, or twice MaxBody if that is more.
	MaxReceiving int64
	// Budget is the time from the arrival of a request to its answer, at most AnswerTime. The context of the handler
	// ends after it. 0 means DefaultBudget.
	Budget time.Duration
	// MaxRuns is the largest number of handlers in progress; further deliveries are answered 503. Handlers that still
	// run after their request was answered count too. 0 means DefaultMaxRuns.
	MaxRuns int

	// KnownStore reports whether a store has the app installed. Deliveries of other stores go to Unknown, not to their
	// handlers. Requests of data protection are handled for every store, because data is kept longer than an app is
	// installed. If nil, all stores are known.
	KnownStore func(ctx context.Context, store client.ID) (bool, error)
	// Probe asks the API whether the app is installed in a store: see AccessOf. While the app is installed, a late
	// app/uninstalled or store/redact goes to Unknown. For app/suspended and app/resumed, the handler of the present
	// state is called, whichever event arrived. If a handler fails because the app is not installed, the delivery is
	// answered 503. After probes have confirmed this for half a minute, it goes to Unknown with ErrGone. Requests of
	// data protection never do. If nil, handlers must make these checks themselves.
	Probe func(ctx context.Context, store client.ID) (Installation, error)
	// Unknown is called with verified deliveries that reach no handler: events without a handler, malformed bodies,
	// unknown stores. They are answered 2xx if it returns nil, else 503. Store Raw to look at a delivery later. If nil,
	// these deliveries are reported like failures and answered 2xx. They are lost, unless an Inbox stores them among
	// its DeadLetters.
	Unknown func(ctx context.Context, d Delivery[Unknown]) error
	// OnStarted is called at the beginning of each request, before its body is read, whatever the answer will be.
	// Handlers, Probe, KnownStore, Unknown, Inbox, Sink and all hooks get the values of the context that it returns,
	// for example a trace. That context must be derived from ctx, which ends when the sender disconnects. If it returns
	// nil or panics, ctx is used. A run for several deliveries has the context of the last of them. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, when the answer is known. Its
	// context has the values of the one that OnStarted returned, and does not end. It is for metrics and must not
	// block, because the answer may be sent only after it returns. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// Trace returns the traceparent of a verified delivery, from the context that OnStarted returned: see Entry.Trace.
	// If nil, the traceparent header of the request is used.
	Trace func(ctx context.Context) string
	// OnFailure is called once for each delivery that was not handled. It may be called concurrently and after the
	// answer. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnJoined is called for each delivery that waits because a run for an equivalent delivery is in progress. All
	// waiting deliveries share the next run. It is for metrics and must not block. If nil, it is not called.
	OnJoined func(ctx context.Context, event Name, store client.ID)
	// OnRefused is called with each request that was rejected before its body was read as an event. These are requests
	// of strangers, or of the platform if the configuration is wrong. It is for metrics and must not block. If nil,
	// refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger gets failures if OnFailure is nil. It also gets rejected requests at level warn, each reason at most once
	// a minute. Bodies, secrets and signatures are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	// Inbox, if set, stores deliveries before they are answered 2xx. A Worker runs their handlers at its own pace.
	Inbox Inbox
	// Sink, if set, is a queue of your own that takes deliveries instead of an Inbox. The reader of the queue calls
	// Registry.Handle.
	Sink Sink
	// App distinguishes the entries of several apps in one inbox or queue. It may be empty if there is only one app.
	App string
	// AcceptTime is how long the Inbox or Sink may take before the delivery is answered 503. 0 means DefaultAcceptTime.
	AcceptTime time.Duration
	// OnAccepted is called with each delivery that an Inbox accepted, and its outcome. It is for metrics and must not
	// block. If nil, it is not called.
	OnAccepted func(ctx context.Context, e Entry, met Outcome)

	once   sync.Once
	engine *engine // nil: the configuration is wrong
}

// Format prints only the name of the type, whatever the verb, because fmt would print the secrets for a verb that
// client.Secret does not support.
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

// serve answers a request and records the answer in a.
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
		e.refusals.Notify(r, refused, h.OnRefused, h.reporter().log())
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

// postpone answers 503, with a Retry-After header if the error asks for a wait. The contract does not say that the
// platform respects it.
func postpone(w http.ResponseWriter, err error) {
	if wait, ok := WaitOf(err); ok {
		seconds := int64((max(wait, ShortestBackoff) + time.Second - 1) / time.Second)
		w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
	answer(w, http.StatusServiceUnavailable)
}

// handle runs the handler of a message. It returns when the handler did, or when the answer is due.
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

// call returns the function that handles a message, and its outcome if it succeeds. The function is nil if the message
// is ignored.
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
				return h.keep(ctx, m, ErrGone) // no retry can succeed
			}
		}
		return err
	}, OutcomeRan
}

// keep passes a message that no handler can have to Unknown, or reports it. An error would only make the platform retry
// it sixteen times.
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

// answer writes a constant text, so that a refusal discloses only its status.
func answer(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }
