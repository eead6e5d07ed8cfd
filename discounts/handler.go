package discounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// AnswerTime is how long the platform waits for an answer, the way there and back
// included.
const AnswerTime = 800 * time.Millisecond

// Defaults of Handler, and the bounds of Budget and Linger.
const (
	DefaultBudget   = 600 * time.Millisecond // the answer's way back takes its time too
	MinBudget       = 200 * time.Millisecond // below that no plan has a chance
	MaxBudget       = 700 * time.Millisecond // 100 ms before the platform gives up
	DefaultReadTime = 100 * time.Millisecond // for the body to arrive
	DefaultMaxBody  = 1 << 20                // 1 MiB
	DefaultMaxRuns  = 64                     // plans in progress
	DefaultLinger   = 2 * time.Second        // of a plan after its answer is due
	MaxLinger       = 30 * time.Second       // as long as a late result is kept

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies that are not verified yet
)

// StatusUninstalled is the status for a store that uninstalled the app.
const StatusUninstalled = 310

// Policy says what is answered where the plan of a cart is not known.
type Policy int

// The policies.
const (
	// PolicyKeep answers 204: the cart keeps the discounts that it has. They may be those of the
	// cart before the change.
	PolicyKeep Policy = iota
	// PolicyRemoveOwn removes the app's promotions of the tier from the cart. It is for
	// promotions that cost the merchant more by being wrong than by being absent.
	PolicyRemoveOwn
)

// Handler answers carts. Plans and Registry must be set, and who may send carts: Sources,
// Secrets or SecretSet, both, or Guarded. The fields must not be changed once it serves, and it must
// not be copied.
//
// It answers within Budget, whatever the plan does:
//
//	200  with commands
//	204  nothing to do; or the cart is malformed or did not arrive whole, or the store's
//	     promotions are not known; or Validate refuses the commands, or they cannot be
//	     written, whatever the policy; or, with the policy PolicyKeep, the plan failed, was
//	     late, or too many ran; or too many bytes are being received
//	310  the store uninstalled the app: see Registry
//	403  not from the platform
//	405  not a POST
//
// One Handler is for one app, in all its stores.
type Handler struct {
	// Plans are the functions of the app.
	Plans Plans
	// Registry has the promotions of the stores.
	Registry *Registry

	// Sources is the allow-list of addresses. If nil, addresses are not looked at.
	Sources *Sources
	// Secrets are what the platform signs carts with, the newest first: one, or two while
	// it is being changed. If empty, signatures are not looked at.
	Secrets []client.Secret
	// SecretSet, if set, is where the secrets are instead of Secrets. It can be changed while the handler serves, and
	// several handlers can share it.
	SecretSet *client.SecretSet
	// Either accepts a cart that Sources allow or that is signed, for the time of the
	// change from the one to the other. Otherwise both are wanted where both are set.
	Either bool
	// Guarded says that the network in front of the handler lets nobody but the platform
	// in, so that it does without Sources and Secrets.
	Guarded bool
	// HeaderName of the signature. "" means SignatureHeader.
	HeaderName string

	// Late says what is answered if a plan is late, fails or panics, and if too many are in
	// progress. Commands that Validate refuses keep the cart as it is in any case. The zero
	// Policy is PolicyKeep.
	Late Policy
	// Budget is the time from the arrival of a request to its answer, from MinBudget to
	// MaxBudget. 0 means DefaultBudget.
	Budget time.Duration
	// Linger is how much later than the answer is due the context of a plan ends, up to MaxLinger. 0 means
	// DefaultLinger. It does not delay the answer. The result of a late plan is kept for the same cart, which requires
	// that the plan can complete it. A plan that lingers counts for MaxRuns, so a longer Linger requires more of them.
	Linger time.Duration
	// ReadTime is how long a body may take to arrive. 0 means DefaultReadTime.
	ReadTime time.Duration
	// MaxBody is the size in bytes above which a body is refused. 0 means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received and verified, in bytes. What comes beyond it
	// is answered 204. A quarter is for the first 4 KiB of each body, so that a flood of large bodies does not reject
	// the usual carts. It must be at least twice MaxBody. 0 means DefaultMaxReceiving, or twice MaxBody if that is
	// more.
	MaxReceiving int64
	// MaxRuns bounds the plans in progress, including those whose answer was sent. 0 means DefaultMaxRuns, which is
	// for plans that wait for a database or an API. Processors are guarded separately: a plan is not run if it had to
	// wait 100 ms for a processor because of other plans.
	//
	// A store gets a place only while more places are free than it holds, so several stores leave room for others. A
	// store may take all places while no other store has one; if another one comes then, it does not wait for them, so
	// that for some time up to MaxRuns and a half are in progress. A cart without a place waits 5 ms for one.
	MaxRuns int

	// OnStarted is called at the beginning of each request, whatever it is answered, before its body is read. Plans,
	// the Registry's Load and all hooks get the values of the context that it returns, a trace for example; it must be
	// made of ctx, which ends when the sender hangs up. Nil counts as ctx, and so does a panic. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also if the request was
	// refused. Its context has the values of the one that OnStarted returned, and does not end. It is for metrics and
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnFailure is called once for each failure. It may be called
	// concurrently and after the answer, and must not block. If nil, failures are logged.
	// Where only Secrets say who sends, strangers may cause reports of bodies that did not
	// arrive whole, each of some bytes, by claiming a signature: nobody can check it.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called with each request that is not the platform's, or seems not to be because the configuration is
	// wrong: the merchants' carts then lose their discounts. It is for metrics and must not block. If nil, refusals are
	// only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger gets failures if OnFailure is nil, and refused requests at level warn, each reason at most once a minute.
	// No body, secret or signature reaches it. If nil, slog.Default() is used.
	Logger *slog.Logger

	once   sync.Once
	engine *serving // nil: the configuration is wrong
}

// Format prints that it is a Handler, whatever the verb: fmt would show the secrets where it has no
// verb for what holds them.
func (h *Handler) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "discounts.Handler") }

// Answer is what a cart was answered.
type Answer struct {
	StoreID client.ID   // whose cart it was
	CartID  client.Code // empty if it could not be read
	Tier    Tier        // which of the two was asked about
	// Status is 200, 204 or 310, or that of a refusal. It is 0 if a panic ended the request without an answer.
	Status int
	// Commands is how many the answer has.
	Commands int
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Remembered: the plan was late for the same cart before, and its result is used now.
	Remembered bool
	// Err is why the answer is not that of the plan: the error that OnFailure or OnRefused gets. Nil if it is.
	Err error
	// Ran: the plan was called for this cart.
	Ran bool
	// Refused: the request was rejected before its cart was read, and OnRefused was called.
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
		refused.Handler = "discounts"
		if refused.Status == http.StatusServiceUnavailable { // the platform would take the discounts off the cart
			refused.Status = http.StatusNoContent
		}
		e.refusals.Tell(r, refused, h.OnRefused, h.reporter().log())
		a.Status, a.Refused, a.Err = refused.Status, true, refused.Err
		refuse(w, refused.Status)
		return
	}
	var cart *Cart
	if err == nil {
		cart, err = ReadCart(raw)
	}
	if err != nil {
		h.finish(ctx, w, &Cart{}, arrived, reply{status: http.StatusNoContent, err: err}, a)
		return
	}
	out := h.reply(ctx, e, cart, raw)
	h.finish(ctx, w, cart, arrived, out, a)
	for _, missing := range e.promises.answered(cart, raw, arrived, out) {
		h.fail(ctx, cart, missing)
	}
}

// refuse writes a constant text, so that a refusal tells nothing but its status.
func refuse(w http.ResponseWriter, status int) {
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return
	}
	http.Error(w, http.StatusText(status), status)
}

// reply returns what the cart is answered, when ctx ends at the latest.
func (h *Handler) reply(ctx context.Context, e *serving, cart *Cart, raw []byte) reply {
	own, err := h.Registry.lookup(ctx, cart.StoreID)
	if errors.Is(err, ErrUninstalled) {
		return reply{status: StatusUninstalled}
	}
	if err != nil {
		return reply{status: http.StatusNoContent, err: err}
	}
	a, ok := e.late.recall(own, raw)
	if a.remembered = ok; !ok {
		a = h.run(ctx, e, newTask(h.Plans, cart, own, raw))
		a.ran = !errors.Is(a.err, ErrBusy)
	}
	a.own = own
	return a
}

// finish answers, reports what failed, and notes in to what was answered.
func (h *Handler) finish(
	ctx context.Context, w http.ResponseWriter, cart *Cart, arrived time.Time, a reply, to *Answer,
) {
	if len(a.body) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(a.status)
	if len(a.body) > 0 {
		_, _ = w.Write(a.body) // who does not hear it has gone
	}
	if a.err != nil {
		h.fail(ctx, cart, a.err)
	}
	for _, d := range a.dropped {
		h.fail(ctx, cart, d)
	}
	*to = Answer{
		StoreID: cart.StoreID, CartID: cart.ID, Tier: cart.Tier, Status: a.status, Commands: a.commands,
		Took: time.Since(arrived), Remembered: a.remembered, Err: a.err, Ran: a.ran,
	}
}

func (h *Handler) fail(ctx context.Context, cart *Cart, err error) {
	h.reporter().tell(ctx, &Failure{StoreID: cart.StoreID, CartID: cart.ID, Tier: cart.Tier, Err: err})
}

func (h *Handler) reporter() reporter { return reporter{h.OnFailure, h.Logger} }
