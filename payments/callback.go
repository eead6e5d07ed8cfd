package payments

import (
	"context"
	"crypto/rsa"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/address"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// AnswerTime is the platform's timeout for the answer to a call, including network time. The contract specifies no
// timeout for refunds and refreshes. The same is assumed [inferred].
const AnswerTime = 20 * time.Second

// Defaults of Callback. The contract does not specify the maximum age of a call.
const (
	DefaultBudget  = AnswerTime - 2*time.Second // leaves 2 s for the network
	DefaultLinger  = 20 * time.Second           // time for a function after its answer is due
	MaxLinger      = 2 * time.Minute            // maximum of Linger
	DefaultMaxAge  = 5 * time.Minute            // of a call's timestamp, in both directions
	DefaultMaxBody = 1 << 20                    // 1 MiB
	DefaultMaxRuns = 1024                       // for each handler

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies that are not verified yet
)

// Callback is the common configuration of the handlers for calls of the platform. Keys or KeySet, and Origin must be
// set; otherwise all calls are rejected. A Callback may be copied into several handlers. Its fields must not be
// changed after the first call.
type Callback struct {
	// Keys are the public keys of the platform, the newest first: one, or two during a rotation. See ParseKeys.
	Keys []*rsa.PublicKey
	// KeySet, if set, holds the keys and replaces Keys. It can be changed while the handlers serve.
	KeySet *KeySet
	// Origin is the public HTTPS URL of the handlers without the path: "https://pay.example". It is part of the
	// signed text. It is not taken from the request, because other apps also receive signed calls and could forward
	// them. If a proxy removes a path prefix, Origin must include that prefix: "https://pay.example/shop".
	Origin string
	// MaxAge is the maximum difference between the timestamp of a call and Now. Zero means DefaultMaxAge. Answers are
	// stored for that time to detect resent calls, up to 100,000 for each handler. Above 300 calls per second, the
	// oldest calls can be executed again.
	MaxAge time.Duration
	// Now is the clock for MaxAge. If nil, it is time.Now.
	Now func() time.Time

	// Budget is the maximum time from the arrival of a call to its answer, at most AnswerTime. Zero means
	// DefaultBudget. The context of the app's function ends later: see Linger.
	Budget time.Duration
	// Linger is the time from the due time of the answer to the end of the function's context, at most MaxLinger.
	// Zero means DefaultLinger. It does not delay the answer. A function that has moved money requires this time to
	// store the outcome and to report it to the platform. A lingering function counts for MaxRuns.
	Linger time.Duration
	// MaxBody is the maximum size of a body in bytes. Zero means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory for bodies that are being received and verified, in bytes, for each handler.
	// Calls above it are answered 503. A quarter is reserved for the first 4 KiB of each body, so that a flood of
	// large bodies does not block typical calls. It must be at least twice MaxBody. Zero means DefaultMaxReceiving,
	// or twice MaxBody if that is more.
	MaxReceiving int64
	// MaxRuns bounds the functions in progress, including functions whose answer was already sent. Calls above it are
	// answered 503. Zero means DefaultMaxRuns.
	//
	// A store gets a place only while more places are free than it holds, so several stores leave room for others. A
	// store may use all places while no other store has one, and does not block stores that come then. Calls that do
	// not name their store share the places of their path.
	MaxRuns int

	// OnStarted is called at the start of each request, before its body is read. The app's functions and all hooks
	// receive the values of the returned context, for example a trace. The returned context must be derived from ctx,
	// which ends when the client disconnects. If it returns nil or panics, ctx is used. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also for rejected requests.
	// Its context has the values of the context that OnStarted returned, and does not end. Use it for metrics. It
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnFailure is called for each failure that was answered 400 or 503, and if there are more answers to store than
	// the limit. It is also called with the outcome of each function that ended after its answer was due, even if it
	// succeeded. It may be called concurrently and after the answer, and must not block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called for each call that is rejected before a function is called. These are calls from strangers,
	// or from the platform if Keys, Origin or the clock is wrong. Use it for metrics. It must not block. If nil,
	// refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger logs failures if OnFailure is nil. It also logs rejected calls at level warn, each reason at most once a
	// minute. Bodies, secrets and signatures are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger
}

// check checks the fields for handlers of signed calls: the app's function, and the fields for verification.
func (c *Callback) check(handler, function string, missing bool) error {
	wrong := c.checkBounds(function, missing)
	if c.KeySet == nil {
		if err := checkKeys(c.Keys); err != nil {
			wrong = append(wrong, err)
		}
	}
	wrong.Refuse(c.KeySet != nil && len(c.Keys) > 0, "Keys and KeySet must not both be set")
	bad := !address.IsHTTPS(c.Origin) || strings.ContainsAny(c.Origin, "?#") || strings.HasSuffix(c.Origin, "/")
	wrong.Refuse(bad, "Origin is %q: must be scheme https and host without a trailing slash, such as https://pay.example", address.Host(c.Origin))
	wrong.Refuse(c.MaxAge < 0, "MaxAge is %v: must be 0 or more", c.MaxAge)
	return wrong.Err("payments: " + handler)
}

// bounds are the limits of all handlers.
var bounds = callback.Bounds{
	MaxBudget: AnswerTime, MaxLinger: MaxLinger,
	Default: callback.Limits{
		Budget: DefaultBudget, Linger: DefaultLinger,
		MaxBody: DefaultMaxBody, MaxReceiving: DefaultMaxReceiving, MaxRuns: DefaultMaxRuns,
	},
}

func (c *Callback) limits() callback.Limits {
	return callback.Limits{Budget: c.Budget, Linger: c.Linger, MaxBody: c.MaxBody, MaxReceiving: c.MaxReceiving, MaxRuns: c.MaxRuns}
}

// checkBounds checks the fields of all handlers.
func (c *Callback) checkBounds(function string, missing bool) (wrong callback.Check) {
	wrong.Refuse(missing, "no %s", function)
	wrong.CheckLimits(c.limits(), bounds)
	return wrong
}

func (c *Callback) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}
