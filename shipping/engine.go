package shipping

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// margin is how long before the end of Budget an answer is made, so that it is out in time.
const margin = 100 * time.Millisecond

// The breaker of the app's function opens when at least upstreamRequests calls ended in the last
// minute and half of them failed, long before that of the platform, and tries again after ten
// seconds.
const (
	upstreamWindow   = time.Minute
	upstreamBucket   = 10 * time.Second
	upstreamRequests = 10
	upstreamRest     = 10 * time.Second
	upstreamProbes   = 3
)

// Check returns what is wrong with the configuration, or nil. Call it when the program starts: a
// Handler that is misconfigured answers every request 503.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Rates == nil, "no Rates")
	h.Access.check(&wrong)
	wrong.Refuse(h.Recheck < 0, "Recheck is %d: want 0 or more", h.Recheck)
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: want 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.Linger < 0 || h.Linger > MaxLinger, "Linger is %v: must be 0 to %v", h.Linger, MaxLinger)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: want 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: want 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: want 0 or more", h.MaxRuns)
	wrong.Refuse(h.MaxCached < 0, "MaxCached is %d: want 0 or more", h.MaxCached)
	wrong.Refuse(h.Fresh > FreshTime, "Fresh is %v: want up to %v", h.Fresh, FreshTime)
	wrong.Refuse(h.Stale > 0 && h.Stale < cmp.Or(h.Fresh, FreshTime), "Stale is %v: want Fresh or more", h.Stale)
	wrong.Refuse(h.Stale > 24*time.Hour, "Stale is %v: want a day at most", h.Stale)
	wrong.Refuse(h.Outage != Fail && h.Outage != Refuse, "Outage is %d: want Fail or Refuse", h.Outage)
	return wrong.Err("shipping")
}

// engine is a Handler made ready to serve.
type engine struct {
	door    *door
	budget  time.Duration // to the moment at which the answer is made
	linger  time.Duration // from then to the end of the function's context
	cache   cache
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
	slots   chan struct{} // a place for each call in progress
	hits    atomic.Int64

	mu      sync.Mutex
	flights map[identity]*flight
}

// ready makes the engine with the first request, or returns nil if it cannot be.
func (h *Handler) ready(ctx context.Context) *engine {
	h.once.Do(func() {
		ctx := context.WithoutCancel(ctx)
		if err := h.Check(); err != nil {
			h.reporter().tell(ctx, &Failure{Err: err})
			return
		}
		const mostBytes = 64 << 20
		budget := cmp.Or(h.Budget, DefaultBudget) - margin
		h.engine = &engine{
			door:    newDoor("shipping rates", cmp.Or(h.MaxBody, DefaultMaxBody), h.MaxReceiving, cmp.Or(h.ReadTime, min(DefaultReadTime, budget))),
			budget:  budget,
			linger:  cmp.Or(h.Linger, DefaultLinger),
			breaker: newBreaker(func(err error) { h.reporter().tell(ctx, &Failure{Err: err}) }),
			slots:   make(chan struct{}, cmp.Or(h.MaxRuns, DefaultMaxRuns)),
			flights: make(map[identity]*flight),
			cache: cache{
				fresh: max(0, cmp.Or(h.Fresh, FreshTime)), stale: max(0, cmp.Or(h.Stale, StaleTime)), refused: RefusalTime,
				most: cmp.Or(h.MaxCached, DefaultMaxCached), mostBytes: mostBytes,
			},
		}
		if h.Fresh < 0 {
			h.engine.cache.refused = 0
		}
		if h.Fresh < 0 && h.Stale < 0 {
			h.engine.linger = 0 // for nothing would be kept
		}
	})
	return h.engine
}

// newBreaker returns the breaker of the app's function. Only failures count: refusals do not.
func newBreaker(opened func(error)) *gobreaker.TwoStepCircuitBreaker[struct{}] {
	return gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Interval:     upstreamWindow,
		BucketPeriod: upstreamBucket,
		Timeout:      upstreamRest,
		MaxRequests:  upstreamProbes,
		ReadyToTrip: func(n gobreaker.Counts) bool {
			ended := n.TotalSuccesses + n.TotalFailures
			return ended >= upstreamRequests && 2*n.TotalFailures >= ended
		},
		IsExcluded: refused,
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if from == gobreaker.StateClosed && to == gobreaker.StateOpen {
				opened(ErrUpstream)
			}
		},
	})
}

// refused reports whether the error is the function's refusal, and no failure.
func refused(err error) bool {
	_, ok := errors.AsType[*Refusal](err)
	return ok || errors.Is(err, ErrNoCoverage)
}
