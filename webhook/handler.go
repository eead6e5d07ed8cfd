package webhook

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/access"
	"github.com/commerceplatform/commerce-go/client/value"
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
//	200  the handler returned nil; the event is ignored; or it cannot be handled (see Unknown)
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
	// Secrets are the secrets of the app, the newest first: one, or two during a rotation.
	Secrets []value.Secret
	// SecretSet, if set, holds the secrets and replaces Secrets. It can be changed while the handler serves, and
	// several handlers can share it.
	SecretSet *value.SecretSet
	// Registry maps events to handlers.
	Registry *Registry

	// Event is the event of deliveries whose body names none. The addresses for privacy requests in the app's settings
	// receive such bodies: see [Handler.Mount], or mount a handler with its own Event at each. If Event is empty, a
	// body without an event is malformed, except at the paths of Mount.
	Event Name

	// HeaderName is the header of the signature. If empty, SignatureHeader is used.
	HeaderName string
	// MaxBody is the largest size of a body in bytes; a larger body is rejected. Zero means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received and verified, in bytes. Bodies beyond it are
	// answered 503, so the platform retries. A quarter is reserved for the first 4 KiB of each body, so that a flood of
	// large bodies does not reject the usual deliveries. It must be at least twice MaxBody. Zero means
	// DefaultMaxReceiving, or twice MaxBody if that is more.
	MaxReceiving int64
	// Budget is the time from the arrival of a request to its answer, at most AnswerTime. The context of the handler
	// ends after it. Zero means DefaultBudget.
	Budget time.Duration
	// MaxRuns is the largest number of handlers in progress; further deliveries are answered 503. Handlers that still
	// run after their request was answered count too. Zero means DefaultMaxRuns.
	//
	// A store gets a place only while more places are free than it holds, so several stores leave room for others. A
	// store may use all places while no other store has one, and does not block stores that come then.
	MaxRuns int

	// KnownStore reports whether a store has the app installed. Deliveries of other stores go to Unknown, not to their
	// handlers. Privacy requests are handled for every store, because data is kept longer than an app is
	// installed. If nil, all stores are known.
	KnownStore func(ctx context.Context, store value.ID) (bool, error)
	// Probe asks the API whether the app is installed in a store: see ProbeBy. While the app is installed, a late
	// app/uninstalled or store/redact goes to Unknown. For app/suspended and app/resumed, the handler of the present
	// state is called, whichever event arrived. If nil, handlers must make these checks themselves.
	//
	// One refused probe is no proof. app/uninstalled and store/redact are answered 503 until probes have confirmed for
	// half a minute that the app is gone; see client.ActErase. The same holds for a delivery whose handler failed
	// because the app is not installed. After that, such a delivery goes to Unknown with ErrGone. Privacy requests
	// never do.
	Probe func(ctx context.Context, store value.ID) (Installation, error)
	// Judge decides from the results of Probe whether the app is installed. Share it with the other parts of the app
	// that use a client.Judge. If nil, the handler has its own.
	Judge *access.Judge
	// Unknown is called with verified deliveries that reach no handler: events without a handler, malformed bodies,
	// unknown stores. They are answered 2xx if it returns nil, else 503. Store Raw to look at a delivery later. If nil,
	// these deliveries are reported like failures and answered 2xx. They are lost, unless an Inbox stores them among
	// its DeadLetters.
	Unknown func(ctx context.Context, d Delivery[Unknown]) error
	// OnStarted is called at the beginning of each request, before its body is read, whatever the answer will be.
	// Handlers, Probe, KnownStore, Unknown, Inbox, Sink and all hooks get the values of the context that it returns,
	// for example a trace. That context must be derived from ctx, which ends when the sender disconnects. If it returns
	// nil or panics, ctx is used. A run for several deliveries has the context of the last of them.
	//
	// OnStarted and the other hooks must not block. The handler waits for a hook for a twentieth of Budget, and then
	// continues without it. OnFailure is called at most once a minute for a hook that hangs or panics.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, when the answer is known. Its
	// context has the values of the one that OnStarted returned, and does not end. Use it for metrics. If nil, it is
	// not called.
	OnAnswered func(ctx context.Context, a Answer)
	// Trace returns the traceparent of a verified delivery, from the context that OnStarted returned: see Entry.Trace.
	// If nil, the traceparent header of the request is used. It must not block.
	Trace func(ctx context.Context) string
	// OnFailure is called once for each delivery that was not handled. It may be called concurrently and after the
	// answer. If nil, failures are logged. It must not block.
	OnFailure func(ctx context.Context, f *Failure)
	// OnJoined is called for each delivery that waits because a run for an equivalent delivery is in progress. All
	// waiting deliveries share the next run. Use it for metrics. If nil, it is not called.
	OnJoined func(ctx context.Context, event Name, store value.ID)
	// OnRefused is called with each request that was rejected before its body was read as an event. These are requests
	// of strangers, or of the platform if the configuration is wrong. Use it for metrics. If nil, refusals are only
	// logged.
	OnRefused func(ctx context.Context, r access.Refused)
	// Logger logs failures if OnFailure is nil. It also logs rejected requests at level warn, each reason at most once
	// a minute. Bodies, secrets and signatures are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	// Inbox, if set, stores deliveries before they are answered 2xx. A Worker runs their handlers at its own pace.
	Inbox Inbox
	// Sink, if set, is a queue of your own that takes deliveries instead of an Inbox. The reader of the queue calls
	// Registry.Handle.
	Sink Sink
	// App distinguishes the entries of several apps in one inbox or queue. It may be empty if there is only one app.
	App string
	// AcceptTime is how long the Inbox or Sink may take before the delivery is answered 503, at most the rest of
	// Budget. The context of the call ends after nine tenths of it. While 64 calls have not returned in that time,
	// deliveries are answered 503 at once. At most 1024 calls are in progress, those included; others wait for one to
	// return, and the wait is part of the time. Zero means DefaultAcceptTime. A call of an InTime inbox does not count.
	AcceptTime time.Duration
	// OnAccepted is called with each delivery that an Inbox accepted, and its outcome. Use it for metrics. If nil, it
	// is not called.
	OnAccepted func(ctx context.Context, e Entry, met Outcome)

	once   sync.Once
	engine *engine
}

// Format prints only the name of the type, whatever the verb, because fmt would print the secrets for a verb that
// client.Secret does not support.
func (h *Handler) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "webhook.Handler") }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.ready().server.ServeHTTP(w, r)
}

func (h *Handler) reporter() reporter { return reporter{h.OnFailure, h.Logger} }
