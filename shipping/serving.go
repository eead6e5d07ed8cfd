package shipping

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// margin is the time between the answer and the end of Budget, so that the answer is sent in time.
const margin = 100 * time.Millisecond

// Requests that wait for a call are bounded too, because each of them holds its body.
const (
	waitingPerRun = 8
	leastWaiting  = 1024
)

// runsPerKey bounds the calls in progress with the same key: one for the waiting requests, and an earlier one whose
// answer was already sent.
const runsPerKey = 2

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// Handler answers every request 503.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Rates == nil, "no Rates")
	h.Access.check(&wrong)
	wrong.Refuse(h.Recheck < 0, "Recheck is %d: must be 0 or more", h.Recheck)
	wrong.Refuse(h.Budget != 0 && (h.Budget < MinBudget || h.Budget > MaxBudget), "Budget is %v: must be 0 or %v to %v", h.Budget, MinBudget, MaxBudget)
	wrong.Refuse(h.Linger < 0 || h.Linger > MaxLinger, "Linger is %v: must be 0 to %v", h.Linger, MaxLinger)
	wrong.Refuse(h.ReadTime < 0 || h.ReadTime > cmp.Or(h.Budget, DefaultBudget), "ReadTime is %v: must be 0 to Budget", h.ReadTime)
	wrong.Refuse(h.MaxBody < 0, "MaxBody is %d: must be 0 or more", h.MaxBody)
	wrong.CheckRoom(h.MaxReceiving, cmp.Or(h.MaxBody, DefaultMaxBody))
	wrong.Refuse(h.MaxRuns < 0, "MaxRuns is %d: must be 0 or more", h.MaxRuns)
	wrong.Refuse(h.MaxCached < 0, "MaxCached is %d: must be 0 or more", h.MaxCached)
	wrong.Refuse(h.Fresh > FreshTime, "Fresh is %v: must be at most %v", h.Fresh, FreshTime)
	wrong.Refuse(h.Stale > 0 && h.Stale < cmp.Or(h.Fresh, FreshTime), "Stale is %v: must be at least Fresh", h.Stale)
	wrong.Refuse(h.Stale > 24*time.Hour, "Stale is %v: must be at most 24 hours", h.Stale)
	wrong.Refuse(h.Outage != PolicyFail && h.Outage != PolicyRefuse, "Outage is %d: must be PolicyFail or PolicyRefuse", h.Outage)
	return wrong.Err("shipping")
}

// serving is the state of a Handler that serves.
type serving struct {
	door    *door
	budget  time.Duration // from arrival to answer
	linger  time.Duration // from the answer to the end of the function's context
	cache   cache
	sharing sharing
	places  *places // of calls in progress
	waiting *places // of requests that wait for a call
	hits    atomic.Int64

	mu      sync.Mutex
	flights map[identity]*flight
	running map[identity]int // calls in progress, including calls whose answer was already sent
}

// ready prepares the Handler at the first request. It returns nil if the configuration is invalid.
func (h *Handler) ready(ctx context.Context) *serving {
	h.once.Do(func() {
		ctx := context.WithoutCancel(ctx)
		if err := h.Check(); err != nil {
			h.reporter().tell(ctx, &Failure{Err: err})
			return
		}
		const mostBytes = 64 << 20
		budget, most := cmp.Or(h.Budget, DefaultBudget)-margin, cmp.Or(h.MaxRuns, DefaultMaxRuns)
		h.engine = &serving{
			door:    newDoor("shipping rates", cmp.Or(h.MaxBody, DefaultMaxBody), h.MaxReceiving, cmp.Or(h.ReadTime, min(DefaultReadTime, budget))),
			budget:  budget,
			linger:  cmp.Or(h.Linger, DefaultLinger),
			places:  newPlaces(most),
			waiting: newPlaces(max(leastWaiting, waitingPerRun*most)),
			flights: make(map[identity]*flight),
			running: make(map[identity]int),
			cache: cache{
				fresh: max(0, cmp.Or(h.Fresh, FreshTime)), stale: max(0, cmp.Or(h.Stale, StaleTime)), refused: RefusalTime,
				most: cmp.Or(h.MaxCached, DefaultMaxCached), mostBytes: mostBytes,
			},
		}
		if h.Fresh < 0 {
			h.engine.cache.refused = 0
		}
		if h.Fresh < 0 && h.Stale < 0 {
			h.engine.linger = 0 // because nothing would be cached
		}
	})
	return h.engine
}

// refused reports whether the error is a refusal of the function, not a failure.
func refused(err error) bool {
	_, ok := errors.AsType[*Refusal](err)
	return ok || errors.Is(err, ErrNoCoverage)
}
