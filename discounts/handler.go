package discounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// AnswerTime is the platform's timeout for an answer, including network time.
const AnswerTime = 800 * time.Millisecond

// Defaults of Handler, and the bounds of Budget and Linger.
const (
	DefaultBudget   = 600 * time.Millisecond // leaves time for the network
	MinBudget       = 200 * time.Millisecond // shorter times are not useful for any plan
	MaxBudget       = 700 * time.Millisecond // 100 ms before the platform times out
	DefaultReadTime = 100 * time.Millisecond // for the body to arrive
	DefaultMaxBody  = 1 << 20                // 1 MiB
	DefaultMaxRuns  = 64                     // plans in progress
	DefaultLinger   = 2 * time.Second        // time for a plan after its answer is due
	MaxLinger       = 30 * time.Second       // late results are kept as long

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies that are not verified yet
)

// StatusUninstalled is the status for a store that uninstalled the app.
const StatusUninstalled = 310

// Policy selects the answer if a plan has no result.
type Policy int

// The policies.
const (
	// PolicyKeep answers 204, so the cart keeps its discounts. They may be from before the change of the cart.
	PolicyKeep Policy = iota
	// PolicyRemoveOwn removes the app's promotions of the tier from the cart. Use it for promotions whose wrong
	// discounts would cost the merchant more than missing ones.
	PolicyRemoveOwn
)

// Handler is an http.Handler that answers carts. Plans and Promotions must be set. One or both of Sources and
// Secrets (or SecretSet) must be set; otherwise Guarded. A Handler must not be copied, and its fields must not be
// changed after the first request.
//
// It answers within Budget, even if the plan is slow:
//
//	200  with commands
//	204  the cart stays as it is: there is nothing to change, or an answer is not possible
//	310  the store uninstalled the app: see PromotionCache
//	403  not from the platform
//	405  not a POST
//
// An answer is not possible if the cart is malformed or incomplete, if too many bytes are being received, if the
// store's promotions are not known, or if Validate rejects the commands. With PolicyKeep this includes a plan that
// failed, was late, or was not called because too many plans were in progress.
//
// One Handler serves all stores of one app.
type Handler struct {
	// Plans are the functions of the app.
	Plans Plans
	// Promotions caches the promotions of the stores.
	Promotions *PromotionCache

	// Sources is the allowlist of IP addresses. If nil, addresses are not checked.
	Sources *client.Sources
	// Secrets are the platform's secrets for signing carts, the newest first: one, or two during a rotation. If
	// empty, signatures are not checked.
	Secrets []client.Secret
	// SecretSet, if set, holds the secrets and replaces Secrets. It can be changed while the handler serves, and
	// several handlers can share it.
	SecretSet *client.SecretSet
	// Either accepts a cart that is allowed by Sources or signed. Use it while you change from one to the other.
	// Otherwise both are required if both are set.
	Either bool
	// Guarded declares that the network admits only requests of the platform, so that neither Sources nor Secrets are
	// required.
	Guarded bool
	// HeaderName is the name of the signature header. If empty, it is SignatureHeader.
	HeaderName string

	// Late selects the answer if a plan is late, fails or panics, or if too many plans are in progress. If Validate
	// rejects the commands, the cart always keeps its discounts. The zero Policy is PolicyKeep.
	Late Policy
	// Budget is the maximum time from the arrival of a request to its answer. It must be between MinBudget and
	// MaxBudget. Zero means DefaultBudget.
	Budget time.Duration
	// Linger is the time from the due time of the answer to the end of the plan's context, at most MaxLinger. Zero
	// means DefaultLinger. It does not delay the answer. It lets a late plan complete, so that its result is kept for
	// the same cart. A lingering plan counts for MaxRuns, so a longer Linger requires a higher MaxRuns.
	Linger time.Duration
	// ReadTime is the maximum time to read a body. Zero means DefaultReadTime.
	ReadTime time.Duration
	// MaxBody is the maximum size of a body in bytes. Zero means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory for bodies that are being received and verified, in bytes. Requests above it are
	// answered 204. A quarter is reserved for the first 4 KiB of each body, so that a flood of large bodies does not
	// block typical carts. It must be at least twice MaxBody. Zero means DefaultMaxReceiving, or twice MaxBody if
	// that is more.
	MaxReceiving int64
	// MaxRuns bounds the plans in progress, including plans whose answer was already sent. Zero means DefaultMaxRuns,
	// which suits plans that wait for a database or an API. Processors are protected separately: a plan is not run if
	// it had to wait 100 ms for a processor because of other plans.
	//
	// A store gets a place only while more places are free than it holds, so several stores leave room for others. A
	// store may use all places while no other store has one. If another store then sends a cart, it does not wait, so
	// for some time up to one and a half times MaxRuns can be in progress. A cart without a place waits 5 ms for one.
	MaxRuns int

	// OnStarted is called at the start of each request, before its body is read. Plans, the Load of Promotions and
	// all hooks receive the values of the returned context, for example a trace. The returned context must be derived
	// from ctx, which ends when the client disconnects. If it returns nil or panics, ctx is used. It must not block.
	// The handler waits for a hook no longer than a twentieth of Budget.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also for rejected requests.
	// Its context has the values of the context that OnStarted returned, and does not end. Use it for metrics. It
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnFailure is called once for each failure. It may be called concurrently and after the answer, and must not
	// block. If nil, failures are logged. If only Secrets authenticate carts, strangers can cause small reports of
	// incomplete bodies with a claimed signature, because such a signature cannot be verified.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called for each request that is not from the platform, or seems not to be because the
	// configuration is wrong. In the second case the merchants' carts lose their discounts. Use it for metrics. It
	// must not block. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger logs failures if OnFailure is nil, at most one a minute for each store and kind of error. It also logs
	// rejected requests at level warn, each reason at most once a minute. Bodies, secrets and signatures are never
	// logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	once     sync.Once
	limits   callback.Limits
	server   *callback.Server[received]
	late     memory
	promises promises
}

// Format prints the name of the type for every verb. Otherwise fmt would print the secrets for verbs that they do not
// support.
func (h *Handler) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "discounts.Handler") }

// Answer describes the answer to a cart.
type Answer struct {
	StoreID client.ID       // the store of the cart
	CartID  client.Code     // empty if it could not be read
	Tier    promotions.Tier // the tier of the cart
	// Status is 200, 204 or 310, or the status of a refusal. It is 0 if a panic ended the request without an answer.
	Status int
	// Commands is the number of commands in the answer.
	Commands int
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Remembered reports whether the answer is the result of an earlier, late plan for the same cart.
	Remembered bool
	// Err is the reason why the answer is not from the plan: the error that OnFailure or OnRefused receives.
	// Otherwise nil.
	Err error
	// Ran reports whether the plan was called for this cart.
	Ran bool
	// Refused reports whether the request was rejected before its cart was read, so that OnRefused was called.
	Refused bool
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// Handler answers every request 204.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Plans.Raw == nil && h.Plans.LineItems == nil && h.Plans.CrossItems == nil, "no plan")
	wrong.Refuse(h.Plans.Raw != nil && (h.Plans.LineItems != nil || h.Plans.CrossItems != nil), "Plans.Raw must not be set together with LineItems or CrossItems")
	wrong.Refuse(h.Promotions == nil || h.Promotions.Load == nil, "no Promotions with Load")
	wrong.Refuse(h.Sources == nil && !h.signs() && !h.Guarded, "none of Sources, Secrets, SecretSet and Guarded is set, so anyone could send carts")
	wrong.Refuse(h.Guarded && (h.Sources != nil || h.signs()), "Guarded must not be set together with Sources, Secrets or SecretSet")
	wrong.Refuse(h.Either && (h.Sources == nil || !h.signs()), "Either requires both Sources and Secrets")
	wrong.Refuse(len(h.Secrets) > 0 && h.SecretSet != nil, "Secrets and SecretSet must not both be set")
	callback.Secrets(&wrong, h.Secrets)
	wrong.Refuse(!callback.IsToken(h.headerName()), "HeaderName is %q: must be a valid HTTP header name", h.HeaderName)
	wrong.Refuse(h.Late != PolicyKeep && h.Late != PolicyRemoveOwn, "Late is %d: must be PolicyKeep or PolicyRemoveOwn", h.Late)
	wrong.CheckLimits(h.chosen(), bounds)
	return wrong.Err("discounts")
}

var bounds = callback.Bounds{
	MinBudget: MinBudget, MaxBudget: MaxBudget, MaxLinger: MaxLinger,
	Default: callback.Limits{
		Budget: DefaultBudget, ReadTime: DefaultReadTime, Linger: DefaultLinger,
		MaxBody: DefaultMaxBody, MaxReceiving: DefaultMaxReceiving, MaxRuns: DefaultMaxRuns,
	},
}

// chosen returns the limits of the configuration.
func (h *Handler) chosen() callback.Limits {
	return callback.Limits{
		Budget: h.Budget, ReadTime: h.ReadTime, Linger: h.Linger,
		MaxBody: h.MaxBody, MaxReceiving: h.MaxReceiving, MaxRuns: h.MaxRuns,
	}
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.once.Do(func() { h.server = callback.NewServer(h.row(), h.Check()) })
	h.server.ServeHTTP(w, r)
}

// received is a cart that a Handler received.
type received struct {
	signature []byte // to be verified; nil if none is required
	cart      *Cart
	raw       []byte
	answer    Answer
}

// row describes the handler to the kernel. The platform removes the discounts of a cart that is not answered 200 or
// 204, so only strangers are.
func (h *Handler) row() callback.Kind[received] {
	const unchanged = http.StatusNoContent // the cart keeps its discounts
	v := newVerifier(h)
	h.limits = bounds.Of(h.chosen())
	k := callback.Kind[received]{
		Name: "discounts", Method: http.MethodPost, Limits: h.limits, Processors: true,
		Misconfigured: unchanged, Full: unchanged, Malformed: unchanged,
		// The signed content is incomplete. If it is from the platform, 403 would remove the cart's discounts. A
		// stranger achieves nothing, because the cart is not processed.
		Unread: func(error) int { return unchanged },
		Admit:  v.admit, Verify: v.verify,
		Decode: func(in *received, _ *http.Request, raw []byte) error {
			cart, ignored, err := readCart(raw)
			if err != nil {
				return err
			}
			in.cart, in.raw, in.answer = cart, raw, Answer{StoreID: cart.StoreID, CartID: cart.ID, Tier: cart.Tier}
			return callback.Ignored(ignored)
		},
		Run: h.run, OnStarted: h.OnStarted, OnRefused: h.OnRefused, Logger: h.Logger,
		Answered: callback.Answers(h.OnAnswered, func(in *received, a callback.Answer) Answer {
			out := in.answer
			out.Status, out.Took, out.Err, out.Refused = a.Status, a.Took, a.Err, a.Refused
			return out
		}),
		Failed: func(ctx context.Context, in *received, f callback.Failed) {
			a := in.answer
			reporter{h.OnFailure, h.Logger}.notify(ctx, &Failure{StoreID: a.StoreID, CartID: a.CartID, Tier: a.Tier, Err: f.Err}, f.Since)
		},
	}
	if h.OnFailure == nil {
		k.Throttle = func(in *received) string { return in.answer.StoreID.String() }
		k.Kinds = []error{ErrInvalid, ErrDropped, ErrNotApplied, ErrNoPromotions}
	}
	return k
}

// run answers a cart, at the latest when the answer is due.
func (h *Handler) run(ctx context.Context, in *received, due time.Time) callback.Reply {
	a := h.reply(ctx, in, due)
	in.answer.Commands = a.commands
	for _, dropped := range a.dropped {
		h.fail(ctx, in, dropped)
	}
	for _, missing := range h.promises.answered(in.cart, in.raw, due.Add(-h.limits.Budget), a) {
		h.fail(ctx, in, missing)
	}
	return callback.Reply{Status: a.status, Body: a.body, Err: a.err}
}

// reply returns the answer of the plan, or of an earlier plan for the same cart.
func (h *Handler) reply(ctx context.Context, in *received, due time.Time) reply {
	own, err := h.Promotions.lookup(ctx, in.answer.StoreID)
	switch {
	case errors.Is(err, ErrUninstalled):
		return reply{status: StatusUninstalled}
	case err != nil:
		h.fail(ctx, in, err)
		return reply{status: http.StatusNoContent, err: err}
	}
	a, remembered := h.late.recall(own, in.raw)
	if in.answer.Remembered = remembered; !remembered {
		a = h.planned(ctx, in, own, due)
	}
	a.own = own
	return a
}

func (h *Handler) fail(ctx context.Context, in *received, err error) {
	h.server.Fail(ctx, in, callback.Failed{Err: err})
}
