package shipping

import (
	"cmp"
	"errors"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// margin is the time between the answer and the end of Budget, so that the answer is sent in time.
const margin = 100 * time.Millisecond

// bounds are the limits of requests for rates.
var bounds = callback.Bounds{
	MinBudget: MinBudget, MaxBudget: MaxBudget, MaxLinger: MaxLinger,
	Default: callback.Limits{
		Budget: DefaultBudget, ReadTime: DefaultReadTime, Linger: DefaultLinger,
		MaxBody: DefaultMaxBody, MaxReceiving: DefaultMaxReceiving, MaxRuns: DefaultMaxRuns,
	},
}

func (h *Handler) limits() callback.Limits {
	return callback.Limits{
		Budget: h.Budget, ReadTime: h.ReadTime, Linger: h.Linger,
		MaxBody: h.MaxBody, MaxReceiving: h.MaxReceiving, MaxRuns: h.MaxRuns,
	}
}

// inTime returns chosen limits with defaults, and with the margin.
func inTime(l callback.Limits, b callback.Bounds) callback.Limits {
	l = b.Of(l)
	l.Budget -= margin
	l.ReadTime = min(l.ReadTime, l.Budget)
	return l
}

// Check returns an error that describes an invalid configuration, or nil. Call it at program start: a misconfigured
// Handler answers every request 503.
func (h *Handler) Check() error {
	var wrong callback.Check
	wrong.Refuse(h.Rates == nil, "no Rates")
	h.Access.check(&wrong)
	wrong.CheckLimits(h.limits(), bounds)
	wrong.Refuse(h.Recheck < 0, "Recheck is %d: must be 0 or more", h.Recheck)
	wrong.Refuse(h.MaxCached < 0, "MaxCached is %d: must be 0 or more", h.MaxCached)
	wrong.Refuse(h.Fresh > FreshTime, "Fresh is %v: must be at most %v", h.Fresh, FreshTime)
	wrong.Refuse(h.Stale > 0 && h.Stale < cmp.Or(h.Fresh, FreshTime), "Stale is %v: must be at least Fresh", h.Stale)
	wrong.Refuse(h.Stale > 24*time.Hour, "Stale is %v: must be at most 24 hours", h.Stale)
	wrong.Refuse(h.Outage != PolicyFail && h.Outage != PolicyRefuse, "Outage is %d: must be PolicyFail or PolicyRefuse", h.Outage)
	return wrong.Err("shipping")
}

// serving is the state of a Handler that serves.
type serving struct {
	server  *callback.Server[quoted]
	linger  time.Duration // from the due time of the answer to the end of the function's context
	cache   cache
	sharing sharing
	flights callback.Flights[identity, outcome]
	hits    atomic.Int64
}

// ready returns the state, and makes it at the first request.
func (h *Handler) ready() *serving {
	h.once.Do(func() {
		const mostBytes = 64 << 20
		limits := inTime(h.limits(), bounds)
		e := &serving{linger: limits.Linger}
		e.sharing.get, e.sharing.put = callback.NewGuard(sharedGet), callback.NewGuard(sharedPut)
		e.flights.MostLate = mostLate
		e.cache = cache{
			fresh: max(0, cmp.Or(h.Fresh, FreshTime)), stale: max(0, cmp.Or(h.Stale, StaleTime)), refused: RefusalTime,
			most: cmp.Or(h.MaxCached, DefaultMaxCached), mostBytes: mostBytes,
		}
		if h.Fresh < 0 {
			e.cache.refused = 0
		}
		if h.Fresh < 0 && h.Stale < 0 {
			e.linger = 0 // because nothing would be cached
		}
		e.server = callback.NewServer(h.row(e, limits), h.Check())
		h.engine = e
	})
	return h.engine
}

// refused reports whether the error is a refusal of the function, not a failure.
func refused(err error) bool {
	_, ok := errors.AsType[*Refusal](err)
	return ok || errors.Is(err, ErrNoCoverage)
}
