package rules

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// AnswerTime is the platform's timeout for an answer, including network time. Later answers have no effect.
const AnswerTime = discounts.AnswerTime

// Defaults of Handler, and the bounds of Budget, equal to those of discounts.Handler.
const (
	DefaultBudget       = discounts.DefaultBudget       // leaves time for the network
	MinBudget           = discounts.MinBudget           // shorter times are not useful for any function
	MaxBudget           = discounts.MaxBudget           // 100 ms before the platform times out
	DefaultReadTime     = discounts.DefaultReadTime     // for the body to arrive
	DefaultMaxBody      = discounts.DefaultMaxBody      // 1 MiB
	DefaultMaxRuns      = discounts.DefaultMaxRuns      // functions in progress
	DefaultMaxReceiving = discounts.DefaultMaxReceiving // 32 MiB of bodies that are being received
)

// Handler is an http.Handler that answers requests about purchases. At least one function, and Sources or Guarded,
// must be set. A Handler must not be copied, and its fields must not be changed after the first request.
//
// It answers within Budget, even if a function is slow:
//
//	200  with the command of the rule
//	204  no rule: the function returned none, is not set, failed, panicked, was late, or its result is invalid;
//	     or the request is malformed or incomplete; or too many functions or bodies are in progress
//	403  not from the platform
//	405  not a POST
//
// One Handler serves all stores of one app, and any of the domains. The body of a request contains its domain.
type Handler struct {
	// Payments returns the payment options to hide at the checkout. If nil, there is no rule.
	Payments func(ctx context.Context, r *Request) (hide []PaymentOption, err error)
	// Shipping returns the shipping options to hide at the checkout. If nil, there is no rule.
	Shipping func(ctx context.Context, r *Request) (hide []ShippingOption, err error)
	// Locations returns the order in which stock is taken from locations. If nil, there is no rule.
	Locations func(ctx context.Context, r *Request) (LocationOrder, error)
	// Cart returns whether the purchase can be completed. If nil, there is no rule.
	Cart func(ctx context.Context, r *Request) (Verdict, error)

	// Sources is the allowlist of IP addresses. If nil, addresses are not checked.
	Sources *discounts.Sources
	// Guarded declares that only the platform can reach the handler, because of the network or a path that cannot be
	// guessed, so that Sources is not required.
	Guarded bool

	// Budget is the maximum time from the arrival of a request to its answer. It must be between MinBudget and
	// MaxBudget. Zero means DefaultBudget. The context of a function ends when the answer is due, or when the
	// platform disconnects.
	Budget time.Duration
	// ReadTime is the maximum time to read a body. Zero means DefaultReadTime.
	ReadTime time.Duration
	// MaxBody is the maximum size of a body in bytes. Zero means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory for bodies that are being received, in bytes. Requests above it are answered
	// 204. It must be at least twice MaxBody. Zero means DefaultMaxReceiving, or twice MaxBody if that is more.
	MaxReceiving int64
	// MaxRuns bounds the functions in progress, including functions whose answer was already sent. Zero means
	// DefaultMaxRuns. A store gets a place only while more places are free than it holds, as in discounts.Handler.
	MaxRuns int

	// OnStarted is called at the start of each request, before its body is read. The functions and all hooks receive
	// the values of the returned context, for example a trace. The returned context must be derived from ctx, which
	// ends when the client disconnects. If it returns nil or panics, ctx is used. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also for rejected requests.
	// Its context has the values of the context that OnStarted returned, and does not end. Use it for metrics. It
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnFailure is called once for each failure. It may be called concurrently and after the answer, and must not
	// block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called for each request that is not from the platform, or seems not to be because the
	// configuration is wrong. Use it for metrics. It must not block. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger logs failures if OnFailure is nil. It also logs rejected requests at level warn, each reason at most
	// once a minute. Bodies are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	once   sync.Once
	engine *serving // nil if the configuration is invalid
}

// Answer describes the answer to a request.
type Answer struct {
	StoreID client.ID   // the store of the purchase
	CartID  client.Code // empty if it could not be read
	Domain  Domain      // the domain of the rule; empty if it could not be read
	// Status is 200 or 204, or the status of a refusal. It is 0 if a panic ended the request without an answer.
	Status int
	// Command is the command of the rule, such as block_checkout; empty if there is none.
	Command string
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Err is the reason why the answer is not from the function: the error that OnFailure or OnRefused receives.
	// Otherwise nil.
	Err error
	// Ran reports whether the function was called.
	Ran bool
	// Refused reports whether the request was rejected before its body was read, so that OnRefused was called.
	Refused bool
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	r = callback.Started(r, h.OnStarted)
	var a Answer
	defer func() { // also if reading the body panics
		a.Took = cmp.Or(a.Took, time.Since(arrived))
		callback.Answered(r.Context(), h.OnAnswered, a)
	}()
	h.serve(w, r, arrived, &a)
}

// serve answers a request and records the answer in a.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, arrived time.Time, a *Answer) {
	e := h.ready(r.Context())
	if e == nil {
		a.Status, a.Err = http.StatusNoContent, callback.ErrMisconfigured
		w.WriteHeader(a.Status)
		return
	}
	ctx, cancel := context.WithDeadline(r.Context(), arrived.Add(e.budget))
	defer cancel()

	raw, refused, err := h.receive(w, r, e, arrived)
	if refused != nil {
		refused.Handler = "rules"
		e.refusals.Notify(r, refused, h.OnRefused, h.reporter().Log())
		a.Status, a.Refused, a.Err = refused.Status, true, refused.Err
		refuse(w, refused.Status)
		return
	}
	var asked *Request
	if err == nil {
		asked, err = ReadRequest(raw)
	}
	whose, out := Request{}, reply{err: err}
	if err == nil {
		whose = *asked // a copy, because the function may change asked
		out = h.run(ctx, e, asked, &whose)
		a.StoreID, a.CartID, a.Domain = whose.StoreID, whose.CartID, whose.Domain()
	}
	a.Status, a.Command, a.Err, a.Ran = answer(w, out.body), out.command, out.err, out.ran
	a.Took = time.Since(arrived)
	if out.err != nil {
		h.fail(ctx, &whose, out.err)
	}
}

// answer writes the answer with a body, or status 204 without one.
func answer(w http.ResponseWriter, body []byte) (status int) {
	if body == nil {
		w.WriteHeader(http.StatusNoContent)
		return http.StatusNoContent
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // an error means that the client has disconnected
	return http.StatusOK
}

// refuse writes a constant text, so that a refusal reveals nothing but its status.
func refuse(w http.ResponseWriter, status int) {
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return
	}
	http.Error(w, http.StatusText(status), status)
}
