package shipping

import (
	"cmp"
	"context"
	"errors"
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
	DefaultMaxRuns   = 320                     // concurrent calls of the function, 137 for one carrier alone
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
	// that depend on other members to other buyers too. The cache of the Handler then distinguishes requests by all
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
	// DefaultMaxRuns. Stores and carriers share these calls. One store uses at most half of them, and one carrier at
	// most three sevenths, and less if others use some. Therefore a store or carrier whose calls hang or arrive in
	// floods does not block the others. At most two calls with the same key are in progress. The number of requests
	// waiting for calls is at most eight times MaxRuns, and at least 1,024. They are shared in the same way. Requests
	// above the limits are answered from the cache, or 429.
	MaxRuns int
	// MaxCached is the maximum number of answers cached in memory, at most 64 MiB. Zero means DefaultMaxCached.
	MaxCached int
	// Fresh is how long an answer with status 200 is used without calling the function again, at most FreshTime. Zero
	// means FreshTime. If negative, each request calls the function. The platform caches for another 15 minutes, so a
	// buyer can see rates that are 30 minutes old, or 75 with Stale.
	Fresh time.Duration
	// Stale is the maximum age of an answer with status 200 that is used if the function fails. Zero means StaleTime.
	// If negative, stale answers are not used.
	Stale time.Duration
	// Shared is a cache for all replicas. If the memory of this process has no fresh answer, a request waits up to
	// 200 ms for Shared. Answers of the function are stored in it after they were sent. So Stale also applies across
	// replicas. Failures are reported as ErrShared, and Shared is then not used for one second. If nil, each process
	// has only its own cache.
	Shared SharedCache
	// Outage selects the answer while the function is not called because it failed too often. The zero Policy is
	// PolicyFail.
	Outage Policy
	// RefusalsCount counts refusals as successful requests in Health. The contract contains both rules: to ignore
	// refusals, and to count them as successful.
	RefusalsCount bool

	// OnStarted is called at the start of each request, before its body is read. Rates, Shared and all hooks receive
	// the values of the returned context, for example a trace. The returned context must be derived from ctx, which
	// ends when the client disconnects. If it returns nil or panics, ctx is used. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also for rejected requests.
	// Its context has the values of the context that OnStarted returned, and does not end. Use it for metrics. It
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnHealthChanged is called when the state of a carrier's Health changes, during the callback that changes it. It
	// must not block. If nil, it is not called.
	OnHealthChanged func(ctx context.Context, now Health)
	// OnFailure is called once for each failure. It may be called concurrently and after the answer, and must not
	// block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called for each request that is rejected before its body is read. These are requests from
	// strangers, or from the platform if Access is wrong. Use it for metrics. It must not block. If nil, refusals are
	// only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger logs failures if OnFailure is nil. It also logs rejected requests at level warn, each reason at most
	// once a minute. Bodies and tokens are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger

	once     sync.Once
	engine   *serving // nil if the configuration is invalid
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
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	r = callback.Started(r, h.OnStarted)
	a := Answer{Source: SourceNobody}
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
		a.Status, a.Err = http.StatusServiceUnavailable, callback.ErrMisconfigured
		writeStatus(w, a.Status)
		return
	}
	raw, refused, err := e.door.receive(w, r, &h.Access, arrived)
	if refused != nil {
		e.door.note(r, refused, h.OnRefused, h.reporter().log())
		a.Status, a.Refused, a.Err = refused.Status, true, refused.Err
		writeStatus(w, a.Status)
		return
	}
	req := &Request{}
	if err == nil {
		req, err = ReadRequest(raw)
	}
	if err != nil {
		h.fail(r.Context(), &Request{}, err)
		h.finish(r.Context(), w, &Request{}, arrived, reply{status: statusOf(err), source: SourceNobody, err: err}, a)
		return
	}
	deadline := arrived.Add(e.budget)
	h.finish(r.Context(), w, req, arrived, h.reply(r.Context(), e, req, deadline), a)
}

// statusOf returns the status for an unreadable body.
func statusOf(err error) int {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// finish sends the answer and records it in to.
func (h *Handler) finish(
	ctx context.Context, w http.ResponseWriter, req *Request, arrived time.Time, a reply, to *Answer,
) {
	if a.body == nil {
		writeStatus(w, a.status)
	} else {
		write(w, a.status, a.body)
	}
	now := time.Now()
	took := now.Sub(arrived)
	h.count(ctx, req, a.status, took, now)
	*to = Answer{
		StoreID: req.StoreID, CarrierID: req.Carrier.ID, Key: a.key, Status: a.status, Source: a.source, Rates: a.rates,
		Unmatched: a.unmatched, Took: took, Err: a.err,
	}
}

// count adds an answer to the health of the carrier. Unreadable requests belong to no carrier.
func (h *Handler) count(ctx context.Context, req *Request, status int, took time.Duration, now time.Time) {
	failed := status >= 500 || took >= AnswerTime
	if req.StoreID == 0 || !failed && status >= 400 && !h.RefusalsCount {
		return
	}
	c := h.circuit(ctx, req)
	if health, changed := c.health.record(now, failed); changed {
		h.changed(ctx, c.named(health))
	}
}

// circuit returns the circuit of the requested carrier.
func (h *Handler) circuit(ctx context.Context, req *Request) *circuit {
	ctx = context.WithoutCancel(ctx)
	return h.circuits.get(req.account(), time.Now(), func(a account) {
		h.reporter().tell(ctx, &Failure{StoreID: a.store, CarrierID: a.carrier, Err: ErrUpstream})
	})
}

func (h *Handler) changed(ctx context.Context, health Health) {
	if h.OnHealthChanged != nil {
		callback.Panics(func() { h.OnHealthChanged(ctx, health) })
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

func (h *Handler) fail(ctx context.Context, req *Request, err error) {
	h.reporter().tell(ctx, &Failure{StoreID: req.StoreID, CarrierID: req.Carrier.ID, Err: err})
}

func (h *Handler) reporter() reporter { return reporter{h.OnFailure, h.Logger} }
