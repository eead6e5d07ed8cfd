package shipping

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// AnswerTime is the platform's timeout for an answer, including network time. Later answers count as failures.
const AnswerTime = 5 * time.Second

// Defaults of Handler, and the bounds of Budget and Linger.
const (
	DefaultBudget    = 4 * time.Second         // leaves 1 s for the network
	MinBudget        = 500 * time.Millisecond  // shorter times are not useful for any function
	MaxBudget        = 4800 * time.Millisecond // 200 ms before the platform times out
	DefaultReadTime  = time.Second             // for the body to arrive
	DefaultMaxBody   = 1 << 20                 // 1 MiB
	DefaultMaxRuns   = 320                     // concurrent calls of the function, 240 for one carrier alone
	DefaultMaxCached = 10_000                  // cached answers
	DefaultLinger    = 5 * time.Second         // time for the function after the answer is due
	MaxLinger        = 30 * time.Second        // maximum of Linger

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies

	// FreshTime is how long the platform caches an answer with status 200, and the maximum of Handler.Fresh. The two
	// times add up. RefusalTime is the same for status 422.
	FreshTime   = 15 * time.Minute
	RefusalTime = time.Minute // how long the platform caches a 422
	// StaleTime is how long an answer with status 200 may be used if the function fails.
	StaleTime = time.Hour
)

// Policy selects the answer while the app's function is not called because it failed too often, and nothing is
// cached.
type Policy int

// The policies.
const (
	// PolicyFail answers 503. The platform counts it as a failure, and stops sending requests for 5 minutes if there
	// are too many.
	PolicyFail Policy = iota
	// PolicyRefuse answers 422, which is not a failure. The platform continues to send requests, for each key once a
	// minute.
	PolicyRefuse
)

// Handler is an http.Handler that answers rate callbacks. Rates and a field of Access must be set. A Handler must not
// be copied, and its fields must not be changed after the first request. The zero Handler answers 503.
//
// It answers before Budget ends, even if the function is slow:
//
//	200  with rates
//	400  not the JSON of a rate callback; 413 too large; 415 not JSON, or compressed
//	403  not from the platform; 405 not a POST
//	409  a Refusal with Passing set
//	422  ErrNoCoverage, another Refusal, or no rates; with PolicyRefuse also while the function is not called
//	429  MaxRuns calls are in progress, and nothing is cached; or MaxReceiving bytes are being received
//	500  the function panicked, and nothing is cached
//	503  the function failed or was late, and nothing is cached
//
// One Handler serves all stores and carriers of an app.
type Handler struct {
	// Rates returns all rates for a quote, including rates of inactive options. It may be called concurrently, but
	// only once for concurrent requests with the same key. Its answer is due 100 ms before Budget ends, and after
	// half of that time while Health is HealthStateProbing: see AnswerBy. Its context ends later: see Linger.
	Rates func(ctx context.Context, q Quote) ([]Rate, error)

	Access

	// Volatile gives the function the whole request. The platform's cache considers only the Key, so it shows rates
	// that depend on other members to other customers too. The cache of the Handler then distinguishes requests by all
	// members except the cart.
	Volatile bool
	// Recheck calls the function again for one in Recheck answers from the cache, on average. It reports ErrVolatile
	// if the answers differ, except for delivery dates. Use it in tests or to verify a live system. Zero means never.
	Recheck int

	// Budget is the maximum time from the arrival of a request to its answer. It must be between MinBudget and
	// MaxBudget. Zero means DefaultBudget.
	Budget time.Duration
	// Linger is the time from the due time of the answer to the end of the function's context, at most MaxLinger.
	// Zero means DefaultLinger. It does not delay the answer. It lets a late function complete, so that its result is
	// cached for the next request with the key. If nothing is cached (Fresh and Stale are negative), the context ends
	// when the answer is due. A lingering function counts for MaxRuns, so a longer Linger requires a higher MaxRuns.
	Linger time.Duration
	// ReadTime is the maximum time to read a body. Zero means DefaultReadTime, or the rest of Budget if that is
	// shorter.
	ReadTime time.Duration
	// MaxBody is the maximum size of a body in bytes. Zero means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory for bodies that are being received, in bytes. Requests above it are answered
	// 429. A quarter is reserved for the first 4 KiB of each body, so that a flood of large bodies does not block
	// small ones. It must be at least twice MaxBody. Zero means DefaultMaxReceiving, or twice MaxBody if that is
	// more.
	MaxReceiving int64
	// MaxRuns bounds the calls of the function in progress, including calls whose answer was already sent. Zero means
	// DefaultMaxRuns. Requests without a place are answered from the cache, or 429.
	//
	// A store gets a place only while more places are free than it holds, so several stores leave room for others. A
	// store may use all places while no other store has one, and does not block stores that come then. One carrier
	// uses at most three quarters of them, so that another carrier of its store finds one. So a store or carrier whose
	// calls hang or arrive in floods does not block the others.
	//
	// At most two calls with the same key are in progress, one of which is late. Requests that wait for the call of
	// another request take no place.
	MaxRuns int
	// MaxCached is the maximum number of answers cached in memory, at most 64 MiB. Zero means DefaultMaxCached.
	MaxCached int
	// Fresh is how long an answer with status 200 is used without calling the function again, at most FreshTime. Zero
	// means FreshTime. If negative, each request calls the function. The platform caches for another 15 minutes, so a
	// customer can see rates that are 30 minutes old, or 75 with Stale.
	Fresh time.Duration
	// Stale is the maximum age of an answer with status 200 that is used if the function fails. Zero means StaleTime.
	// If negative, stale answers are not used.
	Stale time.Duration
	// Shared is a cache for all replicas. If the memory of this process has no fresh answer, a request waits up to
	// 200 ms for Shared. Answers of the function are stored in it after they were made. So Stale also applies across
	// replicas. Failures are reported as ErrShared, and Shared is then not used for one second. While 64 calls of it
	// hang, it is not called. If nil, each process has only its own cache.
	Shared SharedCache
	// Outage selects the answer while the function is not called because it failed too often. The zero Policy is
	// PolicyFail.
	Outage Policy
	// RefusalsCount counts refusals as successful requests in Health. The contract contains both rules: to ignore
	// refusals, and to count them as successful.
	RefusalsCount bool

	// OnStarted is called at the start of each request, before its body is read. Rates, Shared and all hooks receive
	// the values of the returned context, for example a trace. The returned context must be derived from ctx, which
	// ends when the client disconnects. If it returns nil or fails, ctx is used.
	//
	// No hook may block. The handler waits for each at most a twentieth of Budget, and sends no answer after Budget
	// because of them. It reports hooks that hang or panic.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also for rejected requests.
	// Its context has the values of the context that OnStarted returned, and does not end. Use it for metrics. If nil,
	// it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnHealthChanged is called when the state of a carrier's Health changes, during the callback that changes it. If
	// nil, it is not called.
	OnHealthChanged func(ctx context.Context, now Health)
	// OnFailure is called once for each failure. It may be called concurrently and after the answer. If nil, failures
	// are logged, at most one a minute for each store and kind of failure.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called for each request that is rejected before its body is read. These are requests from
	// strangers, or from the platform if Access is wrong. Use it for metrics. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger logs failures if OnFailure is nil. It also logs rejected requests at level warn, each reason at most
	// once a minute. Bodies and tokens are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	once     sync.Once
	engine   *serving
	circuits circuits
}

// Source is the origin of an answer.
type Source string

// The sources.
const (
	SourceCalled Source = "called" // the function was called for the request
	SourceShared Source = "shared" // from the call for another request with the same key
	SourceCached Source = "cached" // from the cache, still fresh
	SourceStale  Source = "stale"  // from the cache, because there was no fresh answer
	SourceNobody Source = "none"   // there are no rates
)

// Answer describes the answer to a callback.
type Answer struct {
	StoreID   client.ID   // the store
	CarrierID client.Code // the app's carrier
	Key       Key         // requests with the same key receive the same answer
	Status    int         // the HTTP status; 0 if a panic ended the request without an answer
	Source    Source      // the origin of the rates
	// Rates is the number of rates in the answer.
	Rates int
	// Unmatched are the codes of rates that the platform does not display, because the carrier had no such option at
	// the time of the request.
	Unmatched []string
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Err is the reason why the answer does not have the function's rates, or the function's refusal. It wraps
	// ErrPartial if rates are missing. If the request was rejected, it is the error that OnRefused receives. It is
	// nil if all rates are from the function.
	Err error
	// Refused reports whether the request was rejected before its body was read, so that OnRefused was called.
	Refused bool
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.ready().server.ServeHTTP(w, r) }

// quoted is a request for rates, and its answer.
type quoted struct {
	account
	request *Request // nil if it is not needed any more
	key     Key
	id      identity
	answer  reply
}

// row describes requests for rates to the kernel.
func (h *Handler) row(e *serving, limits callback.Limits) callback.Kind[quoted] {
	k := row[quoted]("shipping rates", limits, &h.Access)
	k.Decode = func(in *quoted, _ *http.Request, raw []byte) error {
		req, ignored, err := readRequest(raw)
		if err == nil && h.Volatile {
			err = ignored // the function may depend on any member
		}
		if err == nil {
			in.account, in.request, in.key = req.account(), req, req.Key()
			in.id, err = req.tell(h.Volatile)
		}
		if err == nil {
			err = callback.Ignored(ignored)
		}
		return err
	}
	k.Run = func(ctx context.Context, in *quoted, due time.Time) callback.Reply {
		in.answer = h.reply(ctx, e, in, due)
		h.count(ctx, in.account, in.answer.Status, time.Since(due.Add(-limits.Budget)))
		return in.answer.Reply
	}
	k.OnStarted, k.OnRefused, k.Logger = h.OnStarted, h.OnRefused, h.Logger
	k.Answered = callback.Answers(h.OnAnswered, func(in *quoted, a callback.Answer) Answer {
		return Answer{
			StoreID: in.store, CarrierID: in.carrier, Key: in.key, Status: a.Status,
			Source: cmp.Or(in.answer.source, SourceNobody), Rates: in.answer.rates, Unmatched: in.answer.unmatched,
			Took: a.Took, Err: a.Err, Refused: a.Refused,
		}
	})
	k.Failed = func(ctx context.Context, in *quoted, f callback.Failed) {
		report(ctx, h.OnFailure, h.Logger, &Failure{StoreID: in.store, CarrierID: in.carrier, Err: f.Err}, f.Since)
	}
	if h.OnFailure == nil {
		k.Throttle = func(in *quoted) string { return in.store.String() }
		k.Kinds = []error{ErrPartial, ErrDropped, ErrVolatile, ErrShared, ErrUpstream}
	}
	return k
}

// count adds an answer to the health of the carrier.
func (h *Handler) count(ctx context.Context, a account, status int, took time.Duration) {
	failed := status >= 500 || took >= AnswerTime
	if !failed && status >= 400 && !h.RefusalsCount {
		return
	}
	c := h.circuit(ctx, a)
	if health, changed := c.health.record(time.Now(), failed); changed {
		h.changed(ctx, c.named(health))
	}
}

// circuit returns the circuit of a carrier.
func (h *Handler) circuit(ctx context.Context, a account) *circuit {
	// The breaker is locked while it opens.
	return h.circuits.get(a, time.Now(), func(a account) { go h.fail(ctx, a, ErrUpstream) })
}

func (h *Handler) changed(ctx context.Context, health Health) {
	if h.OnHealthChanged != nil {
		ctx = context.WithoutCancel(ctx)
		h.engine.server.After(ctx, "OnHealthChanged", func() { h.OnHealthChanged(ctx, health) })
	}
}

// Health returns the health of the worst carrier, ordered by state and then by failures. The zero Health means that
// no carrier received requests in the last 30 minutes.
func (h *Handler) Health() Health {
	var worst Health
	for health := range h.Healths() {
		if worst.StoreID == 0 || health.worse(worst) {
			worst = health
		}
	}
	return worst
}

// HealthOf returns the health of one carrier of a store. If the carrier received no requests in the last 30 minutes,
// it returns the zero Health with the ids.
func (h *Handler) HealthOf(store client.ID, carrier client.Code) Health {
	c := h.circuits.find(account{store, carrier})
	if c == nil {
		return Health{StoreID: store, CarrierID: carrier}
	}
	return h.look(c)
}

// Healths yields the health of each carrier that received requests in the last 30 minutes, most recent first. It
// yields at most 10,000 carriers. Above that, the least recently used carriers are removed.
func (h *Handler) Healths() iter.Seq[Health] {
	return func(yield func(Health) bool) {
		for _, c := range h.circuits.all(time.Now()) {
			if !yield(h.look(c)) {
				return
			}
		}
	}
}

// look returns the present health of a carrier.
func (h *Handler) look(c *circuit) Health {
	health, changed := c.health.look(time.Now())
	health = c.named(health)
	if changed {
		h.changed(context.Background(), health)
	}
	return health
}

// fail reports a failure.
func (h *Handler) fail(ctx context.Context, a account, err error) {
	h.engine.server.Fail(ctx, &quoted{account: a}, callback.Failed{Err: err})
}
