package rules

import (
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
	Sources *client.Sources
	// Guarded declares that only the platform can reach the handler, because of the network or a path that cannot be
	// guessed, so that Sources is not required.
	Guarded bool

	// Budget is the maximum time from the arrival of a request to its answer. It must be between MinBudget and
	// MaxBudget. Zero means DefaultBudget. The context of a function ends when the answer is due, and not when the
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
	// ends when the client disconnects. If it returns nil or panics, ctx is used. It must not block. The handler waits
	// for a hook no longer than a twentieth of Budget.
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
	// Logger logs failures if OnFailure is nil, at most one a minute for each store and kind of error. It also logs
	// rejected requests at level warn, each reason at most once a minute. Bodies are never logged. If nil,
	// slog.Default() is used.
	Logger *slog.Logger

	once   sync.Once
	server *callback.Server[received]
}

// Answer describes the answer to a request.
type Answer struct {
	StoreID client.ID         // the store of the purchase
	CartID  client.Code       // empty if it could not be read
	Domain  client.RuleDomain // the domain of the rule; empty if it could not be read
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

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// Handler answers every request 204.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Payments == nil && h.Shipping == nil && h.Locations == nil && h.Cart == nil,
		"no function: set Payments, Shipping, Locations or Cart")
	wrong.Refuse(h.Sources == nil && !h.Guarded, "neither Sources nor Guarded is set, so anyone could call")
	wrong.Refuse(h.Sources != nil && h.Guarded, "Guarded must not be set together with Sources")
	wrong.CheckLimits(h.limits(), bounds)
	return wrong.Err("rules")
}

var bounds = callback.Bounds{
	MinBudget: MinBudget, MaxBudget: MaxBudget,
	Default: callback.Limits{
		Budget: DefaultBudget, ReadTime: DefaultReadTime,
		MaxBody: DefaultMaxBody, MaxReceiving: DefaultMaxReceiving, MaxRuns: DefaultMaxRuns,
	},
}

func (h *Handler) limits() callback.Limits {
	return callback.Limits{Budget: h.Budget, ReadTime: h.ReadTime, MaxBody: h.MaxBody, MaxReceiving: h.MaxReceiving, MaxRuns: h.MaxRuns}
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.once.Do(func() { h.server = callback.NewServer(h.row(), h.Check()) })
	h.server.ServeHTTP(w, r)
}

// received is a request that a Handler received.
type received struct {
	request *Request // may be changed by the function
	answer  Answer
}

// row describes the handler to the kernel.
func (h *Handler) row() callback.Kind[received] {
	const none = http.StatusNoContent // no rule
	k := callback.Kind[received]{
		Name: "rules", Method: http.MethodPost, Limits: bounds.Of(h.limits()), Processors: true,
		Misconfigured: none, Full: none, Malformed: none, Unread: func(error) int { return none },
		Admit: func(_ *received, r *http.Request) *client.Refused { return callback.Unlisted(h.Sources, r) },
		Decode: func(in *received, _ *http.Request, raw []byte) (err error) {
			if in.request, err = ReadRequest(raw); err == nil {
				in.answer = Answer{StoreID: in.request.StoreID, CartID: in.request.CartID, Domain: in.request.Domain()}
			}
			return err
		},
		Run: h.run, OnStarted: h.OnStarted, OnRefused: h.OnRefused, Logger: h.Logger,
		Answered: callback.Answers(h.OnAnswered, func(in *received, a callback.Answer) Answer {
			out := in.answer
			out.Status, out.Took, out.Err, out.Refused = a.Status, a.Took, a.Err, a.Refused
			return out
		}),
		Failed: h.fail,
	}
	if h.OnFailure == nil {
		k.Throttle, k.Kinds = func(in *received) string { return in.answer.StoreID.String() }, []error{ErrInvalid}
	}
	return k
}
