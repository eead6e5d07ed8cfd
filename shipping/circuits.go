package shipping

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/lru"
)

// mostCircuits is the maximum number of carriers with a circuit, 3 KiB each. Above it, the least recently used
// circuit is removed.
const mostCircuits = 10_000

// The breaker of a carrier opens if at least upstreamRequests calls of the function ended in the last minute and half
// of them failed. That is long before the platform's breaker opens. After ten seconds it allows a few new calls.
const (
	upstreamWindow   = time.Minute
	upstreamBucket   = 10 * time.Second
	upstreamRequests = 10
	upstreamRest     = 10 * time.Second
	upstreamProbes   = 3
)

// account identifies a carrier of a store.
type account struct {
	store   client.ID
	carrier client.Code
}

// circuit holds the state of one carrier of a store: the breaker for calls of the app's function, and the health of
// its answers as the platform sees them.
type circuit struct {
	account
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
	health  mirror

	used time.Time // guarded by circuits.mu
}

// circuits holds the circuits of the carriers that received requests in the last healthWindow.
type circuits struct {
	mu sync.Mutex
	of lru.Map[account, *circuit]
}

// get returns the circuit of a carrier and creates it if necessary. It removes idle carriers. The function opened is
// called when the breaker opens.
func (c *circuits) get(a account, now time.Time, opened func(account)) *circuit {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked, ok := c.of.Get(a)
	if ok {
		asked.used = now
	} else {
		asked = &circuit{account: a, used: now, breaker: newBreaker(func() { opened(a) })}
		c.of.Put(a, asked)
	}
	c.forget(now)
	return asked
}

// forget removes carriers without requests in the window, and the least recently used ones above mostCircuits.
func (c *circuits) forget(now time.Time) {
	for a, idle := range c.of.All() {
		if c.of.Len() <= mostCircuits && now.Sub(idle.used) < healthWindow+healthBucket {
			return
		}
		c.of.Remove(a)
	}
}

// find returns the circuit of a carrier, or nil.
func (c *circuits) find(a account) *circuit {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, _ := c.of.Peek(a)
	return known
}

// all returns the circuits, the most recently used first.
func (c *circuits) all(now time.Time) []*circuit {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(now)
	all := make([]*circuit, 0, c.of.Len())
	for _, known := range c.of.All() {
		all = append(all, known)
	}
	slices.Reverse(all)
	return all
}

// newBreaker returns the breaker of a carrier. Only failures of the function count, neither refusals nor a lack of
// places.
func newBreaker(opened func()) *gobreaker.TwoStepCircuitBreaker[struct{}] {
	return gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Interval:     upstreamWindow,
		BucketPeriod: upstreamBucket,
		Timeout:      upstreamRest,
		MaxRequests:  upstreamProbes,
		ReadyToTrip: func(n gobreaker.Counts) bool {
			ended := n.TotalSuccesses + n.TotalFailures
			return ended >= upstreamRequests && 2*n.TotalFailures >= ended
		},
		IsExcluded: func(err error) bool { return refused(err) || errors.Is(err, ErrBusy) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if from == gobreaker.StateClosed && to == gobreaker.StateOpen {
				opened()
			}
		},
	})
}
