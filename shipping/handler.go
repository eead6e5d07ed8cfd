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

// AnswerTime is how long the platform waits for an answer, the way there and back included. Later
// ones count as failures.
const AnswerTime = 5 * time.Second

// Defaults of Handler, and the bounds of Budget and Linger.
const (
	DefaultBudget    = 4 * time.Second         // leaves 1 s for the way there and back
	MinBudget        = 500 * time.Millisecond  // below that no function has a chance
	MaxBudget        = 4800 * time.Millisecond // 200 ms before the platform gives up
	DefaultReadTime  = time.Second             // for the body to arrive
	DefaultMaxBody   = 1 << 20                 // 1 MiB
	DefaultMaxRuns   = 320                     // calls of the function at a time, of which a carrier alone has 137
	DefaultMaxCached = 10_000                  // answers that are kept
	DefaultLinger    = 5 * time.Second         // of the function after the answer is due
	MaxLinger        = 30 * time.Second        // the most of that

	DefaultMaxReceiving = 32 << 20 // 32 MiB of bodies

	// FreshTime is how long the platform gives an answer of 200 again, and the longest that
	// this is done here. The two add up. RefusalTime is the same for 422.
	FreshTime   = 15 * time.Minute
	RefusalTime = time.Minute // how long the platform keeps a 422
	// StaleTime is how long an answer of 200 is kept for when nothing better is to be had.
	StaleTime = time.Hour
)

// Policy says what is answered while the app's function is not called because it failed too often,
// and nothing is in the cache.
type Policy int

// The policies.
const (
	// PolicyFail answers 503: what it is. The platform counts it, and stops sending requests for 5
	// minutes if there are too many.
	PolicyFail Policy = iota
	// PolicyRefuse answers 422, which is not counted: the platform goes on to ask, each key once a
	// minute.
	PolicyRefuse
)

// Handler answers rate callbacks. Rates must be set, and who may ask: see Access. The fields must
// not be changed once it serves, and it must not be copied. The zero Handler answers
// 503.
//
// It answers before Budget is over, whatever the function does:
//
//	200  with rates
//	400  not the JSON of a rate callback; 413 too large; 415 not JSON, or compressed
//	403  not from the platform; 405 not a POST
//	409  a Refusal that is Passing
//	422  ErrNoCoverage, another Refusal, or no rates; with Outage: Refuse also while the function is not called
//	429  MaxRuns are in progress, and nothing is in the cache; or MaxReceiving bytes are being received
//	500  the function panicked, and nothing is in the cache
//	503  the function failed or was late, and nothing is in the cache
//
// One Handler is for all stores and carriers of an app.
type Handler struct {
	// Rates returns all rates for a quote, whatever options are active. It may be called concurrently, and is called
	// once for requests with the same key at the same time. Its answer is due 100 ms before Budget ends, and after half
	// of that time while Health is HealthStateProbing: see AnswerBy. Its context ends later: see Linger.
	Rates func(ctx context.Context, q Quote) ([]Rate, error)

	Access

	// Volatile shows the function the whole request, of which the platform's cache knows only what is
	// in the Key: rates that depend on the rest are shown to other buyers too. The cache of the
	// Handler then keeps apart what differs in anything but the cart.
	Volatile bool
	// Recheck calls the function again for one in so many answers from the cache, and
	// reports ErrVolatile if it says something else, dates of delivery aside. For tests, and for a look at a
	// live system. 0 means never.
	Recheck int

	// Budget is the time from the arrival of a request to its answer, from MinBudget to
	// MaxBudget. 0 means DefaultBudget.
	Budget time.Duration
	// Linger is how much later than the answer is due the context of the function ends, up to MaxLinger. 0 means
	// DefaultLinger. It does not delay the answer. The result of a late function is kept for the next request with the
	// key, which requires that the function can complete it. If nothing is kept (Fresh and Stale below 0), the
	// context ends when the answer is due. A function that lingers counts for MaxRuns, so a longer Linger requires
	// more of them.
	Linger time.Duration
	// ReadTime is how long a body may take to arrive. 0 means DefaultReadTime, or what there is of Budget
	// if that is less.
	ReadTime time.Duration
	// MaxBody is the size in bytes above which a body is refused. 0 means DefaultMaxBody.
	MaxBody int64
	// MaxReceiving bounds the memory of the bodies that are being received, in bytes. What comes beyond it is answered
	// 429. A quarter is for the first 4 KiB of each body, so that a flood of large bodies does not reject the usual
	// ones. It must be at least twice MaxBody. 0 means DefaultMaxReceiving, or twice MaxBody if that is more.
	MaxReceiving int64
	// MaxRuns bounds the calls of the function in progress, those among them whose answer is out. 0
	// means DefaultMaxRuns. Stores and carriers share them: a store holds at most half, a carrier at most three
	// sevenths, and less while others hold some, so that a store or carrier whose calls hang or come in floods leaves
	// places for the others. Two calls with one key are in progress at most. Eight times as many requests, and 1,024
	// at least, wait for calls, and share that room in the same way. A store or carrier without a place is answered
	// 429, or from the cache.
	MaxRuns int
	// MaxCached is how many answers are kept in memory, of 64 MiB together. 0 means DefaultMaxCached.
	MaxCached int
	// Fresh is how long an answer of 200 is given again without a call of the function, up to
	// FreshTime. 0 means FreshTime; below 0 each request calls the function. The platform's own 15 minutes
	// come on top: a buyer may see rates that are 30 minutes old, or 75 with Stale.
	Fresh time.Duration
	// Stale is how long an answer of 200 is given if the function fails, from when it was made. 0
	// means StaleTime; below 0 it is not given.
	Stale time.Duration
	// Shared keeps answers for all replicas: a request that the memory of this process has no fresh answer for waits up
	// to 200 ms for it, and an answer of the function is put there after it is out. So Stale holds across replicas too.
	// After a failure, which is reported as ErrShared, it is not used for a second. Nil means that each process has its
	// own.
	Shared SharedCache
	// Outage is what is answered while the function is not called because it failed too often.
	// The zero Policy is PolicyFail.
	Outage Policy
	// RefusalsCount counts refusals as requests that did not fail. The platform is told to
	// leave them out, and to count them so, in different places.
	RefusalsCount bool

	// OnStarted is called at the beginning of each request, whatever it is answered, before its body is read. Rates,
	// Shared and all hooks get the values of the context that it returns, a trace for example; it must be made of ctx,
	// which ends when the sender hangs up. Nil counts as ctx, and so does a panic. It must not block.
	OnStarted func(ctx context.Context, r *http.Request) context.Context
	// OnAnswered is called once for each request, and so once for each call of OnStarted, also if the request was
	// refused. Its context has the values of the one that OnStarted returned, and does not end. It is for metrics and
	// must not block. If nil, it is not called.
	OnAnswered func(ctx context.Context, a Answer)
	// OnHealthChanged is called when the state of a carrier's Health changes, with the callback that changes it. It
	// must not block. Nil means that nothing is called.
	OnHealthChanged func(ctx context.Context, now Health)
	// OnFailure is called once for each failure. It may be called
	// concurrently and after the answer, and must not block. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// OnRefused is called with each request that was rejected before its body was read: strangers, and the platform if
	// Access is wrong. It is for metrics and must not block. If nil, refusals are only logged.
	OnRefused func(ctx context.Context, r client.Refused)
	// Logger gets failures if OnFailure is nil, and refused requests at level warn, each reason at most once a minute.
	// No body and no token reaches it. If nil, slog.Default() is used.
	Logger *slog.Logger

	once     sync.Once
	engine   *serving // nil: the configuration is wrong
	circuits circuits
}

// Source says where an answer is from.
type Source string

// The sources.
const (
	SourceCalled Source = "called" // the function was called for it
	SourceShared Source = "shared" // of a call for another request with the same key
	SourceCached Source = "cached" // from the cache, fresh enough
	SourceStale  Source = "stale"  // from the cache, because nothing better was to be had
	SourceNobody Source = "none"   // there are no rates
)

// Answer is what a callback was answered.
type Answer struct {
	StoreID   client.ID   // who asked
	CarrierID client.Code // which of the app's carriers was asked
	Key       Key         // requests with the same one get the same answer
	Status    int         // the HTTP status; 0 if a panic ended the request without an answer
	Source    Source      // where it came from
	// Rates is how many the answer has.
	Rates int
	// Unmatched are the codes of rates that are not shown, because the carrier had no such option when
	// they were made.
	Unmatched []string
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Err is why the answer is not that of the function, or the function's refusal. It wraps ErrPartial if rates are
	// missing. If the request was refused, it is what OnRefused gets. Nil if all rates are from the function.
	Err error
	// Refused: the request was rejected before it was read, and OnRefused was called.
	Refused bool
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	r = callback.Started(r, h.OnStarted)
	a := Answer{Source: SourceNobody}
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

// statusOf is the status for a body that was not read.
func statusOf(err error) int {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// finish answers, and notes in to what was answered.
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

// count adds an answer to the health of the carrier. Requests that could not be read are of none.
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

// circuit returns the circuit of the carrier that is asked.
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

// Health returns the health of the carrier that is worst off: by its state, then by its failures. The zero Health means
// that no carrier was asked in the last 30 minutes.
func (h *Handler) Health() Health {
	var worst Health
	for health := range h.Healths() {
		if worst.StoreID == 0 || health.worse(worst) {
			worst = health
		}
	}
	return worst
}

// HealthOf returns the health of a carrier of a store. The zero Health, with their ids, means that the carrier was not
// asked in the last 30 minutes.
func (h *Handler) HealthOf(store client.ID, carrier client.Code) Health {
	c := h.circuits.find(account{store, carrier})
	if c == nil {
		return Health{StoreID: store, CarrierID: carrier}
	}
	return h.look(c)
}

// Healths yields the health of each carrier that was asked in the last 30 minutes, the most recently asked first. There
// are 10,000 at most: carriers beyond them that were not asked for longest are forgotten.
func (h *Handler) Healths() iter.Seq[Health] {
	return func(yield func(Health) bool) {
		for _, c := range h.circuits.all(time.Now()) {
			if !yield(h.look(c)) {
				return
			}
		}
	}
}

// look returns the health of a carrier now.
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
