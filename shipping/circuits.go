package shipping

import (
	"container/list"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"
)

// mostCircuits bounds the carriers that are followed, with 3 KiB each. Beyond it the one that was asked least recently
// is forgotten.
const mostCircuits = 10_000

// The breaker of a carrier opens when at least upstreamRequests calls of the function ended in the last
// minute and half of them failed, long before that of the platform, and tries again after ten
// seconds.
const (
	upstreamWindow   = time.Minute
	upstreamBucket   = 10 * time.Second
	upstreamRequests = 10
	upstreamRest     = 10 * time.Second
	upstreamProbes   = 3
)

// circuit is how a carrier of a store fares: the calls of the app's function for it, and its answers as the platform
// sees them.
type circuit struct {
	account
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
	health  mirror

	used time.Time // guarded by circuits.mu
}

// circuits are those of the carriers that were asked in the last healthWindow.
type circuits struct {
	mu     sync.Mutex
	of     map[account]*list.Element
	recent list.List // of *circuit, the most recently used first
}

// get returns the circuit of a carrier. It forgets carriers that are idle, and calls opened when the breaker opens.
func (c *circuits) get(a account, now time.Time, opened func(account)) *circuit {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.of[a]
	if ok {
		c.recent.MoveToFront(at)
		at.Value.(*circuit).used = now
	}
	c.forget(now)
	if ok {
		return at.Value.(*circuit)
	}
	if c.recent.Len() == mostCircuits {
		c.remove(c.recent.Back())
	}
	if c.of == nil {
		c.of = map[account]*list.Element{}
	}
	made := &circuit{account: a, used: now, breaker: newBreaker(func() { opened(a) })}
	c.of[a] = c.recent.PushFront(made)
	return made
}

// forget removes carriers that were not asked in the window.
func (c *circuits) forget(now time.Time) {
	for at := c.recent.Back(); at != nil && now.Sub(at.Value.(*circuit).used) >= healthWindow+healthBucket; at = c.recent.Back() {
		c.remove(at)
	}
}

func (c *circuits) remove(at *list.Element) {
	delete(c.of, c.recent.Remove(at).(*circuit).account)
}

// find returns the circuit of a carrier, or nil.
func (c *circuits) find(a account) *circuit {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.of[a]; ok {
		return at.Value.(*circuit)
	}
	return nil
}

// all returns the circuits, the most recently used first.
func (c *circuits) all(now time.Time) []*circuit {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(now)
	all := make([]*circuit, 0, c.recent.Len())
	for at := c.recent.Front(); at != nil; at = at.Next() {
		all = append(all, at.Value.(*circuit))
	}
	return all
}

// newBreaker returns the breaker of a carrier. Only failures count: refusals do not.
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
		IsExcluded: refused,
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if from == gobreaker.StateClosed && to == gobreaker.StateOpen {
				opened()
			}
		},
	})
}
