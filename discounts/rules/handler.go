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

// AnswerTime is how long the platform waits for an answer, the way there and back included. What comes later is no
// rule.
const AnswerTime = discounts.AnswerTime

// Defaults of Handler, and the bounds of Budget: those of discounts.Handler.
const (
	DefaultBudget       = discounts.DefaultBudget       // the answer's way back takes its time too
	MinBudget           = discounts.MinBudget           // below that no function has a chance
	MaxBudget           = discounts.MaxBudget           // 100 ms before the platform gives up
	DefaultReadTime     = discounts.DefaultReadTime     // for the body to arrive
	DefaultMaxBody      = discounts.DefaultMaxBody      // 1 MiB
	DefaultMaxRuns      = discounts.DefaultMaxRuns      // functions in progress
	DefaultMaxReceiving = discounts.DefaultMaxReceiving // 32 MiB of bodies that are being received
)

// Handler answers the platform's questions about purchases. At least one function must be set, and Sources or
// Guarded. The fields must not be changed once it serves, and it must not be copied.
//
// It answers within Budget, whatever a function does:
//
//	200  with the command of the rule
//	204  no rule: the function returned none, is not set, failed, panicked, was late, or returned what must not be sent;
//	     or the request is malformed or did not arrive whole; or too many functions or bodies are in progress
//	403  not from the platform
//	405  not a POST
//
// One Handler is for one app, in all its stores, and for any of the domains: which one a request is about is in its
// body.
type Handler struct {
	// Payments returns the ways to pay that are taken away from the checkout. If nil, there is no rule.
	Payments func(ctx context.Context, r *Request) (hide []PaymentOption, err error)
	// Shipping returns the ways of delivery that are taken away from the checkout. If nil, there is no rule.
	Shipping func(ctx context.Context, r *Request) (hide []ShippingOption, err error)
	// Locations returns the order in which stock is taken from locations. If nil, there is no rule.
	Locations func(ctx context.Context, r *Request) (LocationOrder, error)
	// Cart returns whether the purchase may end. If nil, there is no rule.
	Cart func(ctx context.Context, r *Request) (Verdict, error)

	// Sources is the allow-list of addresses. If nil, addresses are not looked at.
	Sources *discounts.Sources
	// Guarded says that nobody but the platform reaches the handler, because of the network in front of it or a path
	// that nobody can guess, so that it does without Sources.
	Guarded bool

	// Budget is the time from the arrival of a request to its answer, from MinBudget to MaxBudget. 0 means
	// DefaultBudget. The context of a function ends when the answer is due, or when the platform hangs up.
	Budget time.Duration
	// ReadTime is how long a body may take to arrive. 0 means DefaultReadTime.
	ReadTime time.Duration
	// MaxBody is the size in bytes above which a body is refused. 0 means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received, in bytes. What comes beyond it is answered
	// 204. It must be at least twice MaxBody. 0 means DefaultMaxReceiving, or twice MaxBody if that is more.
	MaxReceiving int64
	// MaxRuns bounds the functions in progress, including those whose answer was sent. 0 means DefaultMaxRuns. A store
	// gets a place only while more places are free than it holds, as in discounts.Handler.
	MaxRuns int

	// OnStarted is called at the beginning of each request, before its body is read. The functions and all hooks get
	// the values of the context that it returns, a trace for example; it must be made of ctx, which ends when the
	// sender hangs up. Nil counts as ctx, and so does a panic. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also if the request was
	// refused. Its context has the values of the one that OnStarted returned, and does not end. It is for metrics and
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnFailure is called once for each failure. It may be called concurrently and after the answer, and must not
	// block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called with each request that is not the platform's, or seems not to be because the configuration is
	// wrong. It is for metrics and must not block. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger gets failures if OnFailure is nil, and refused requests at level warn, each reason at most once a minute.
	// No body reaches it. If nil, slog.Default() is used.
	Logger *slog.Logger

	once   sync.Once
	engine *serving // nil: the configuration is wrong
}

// Answer is what a request was answered.
type Answer struct {
	StoreID client.ID   // whose purchase it was
	CartID  client.Code // empty if it could not be read
	Domain  Domain      // what was asked about; empty if it could not be read
	// Status is 200 or 204, or that of a refusal. It is 0 if a panic ended the request without an answer.
	Status int
	// Command is that of the rule, such as block_checkout; empty if there was none.
	Command string
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Err is why the answer is not that of the function: the error that OnFailure or OnRefused gets. Nil if it is.
	Err error
	// Ran: the function was called.
	Ran bool
	// Refused: the request was rejected before its body was read, and OnRefused was called.
	Refused bool
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	r = callback.Started(r, h.OnStarted)
	var a Answer
	defer func() { // also if a body panics as it is read
		a.Took = cmp.Or(a.Took, time.Since(arrived))
		callback.Answered(r.Context(), h.OnAnswered, a)
	}()
	h.serve(w, r, arrived, &a)
}

// serve answers a request and notes in a what it was answered.
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
		e.refusals.Tell(r, refused, h.OnRefused, h.reporter().Log())
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
		whose = *asked // which the function may change, also after the answer
		out = h.run(ctx, e, asked, &whose)
		a.StoreID, a.CartID, a.Domain = whose.StoreID, whose.CartID, whose.Domain()
	}
	a.Status, a.Command, a.Err, a.Ran = answer(w, out.body), out.command, out.err, out.ran
	a.Took = time.Since(arrived)
	if out.err != nil {
		h.fail(ctx, &whose, out.err)
	}
}

// answer writes the answer with a body, or that there is no rule.
func answer(w http.ResponseWriter, body []byte) (status int) {
	if body == nil {
		w.WriteHeader(http.StatusNoContent)
		return http.StatusNoContent
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // who does not hear it has gone
	return http.StatusOK
}

// refuse writes a constant text, so that a refusal tells nothing but its status.
func refuse(w http.ResponseWriter, status int) {
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return
	}
	http.Error(w, http.StatusText(status), status)
}
