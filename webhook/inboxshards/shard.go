package inboxshards

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	downAfter = 5           // failures in a row
	downFor   = time.Second // until a shard that failed is asked again
	trialFor  = 2 * time.Second
)

// shard is a Shard with its state in this process.
type shard struct {
	Name    string
	seed    uint64
	circuit *gobreaker.TwoStepCircuitBreaker[struct{}]

	open   func(context.Context) (Engine, error)
	owned  bool                   // Close closes it
	opened atomic.Pointer[Engine] // nil until it is open
	closed closedShard            // the engine until then
	noted  string                 // what was last reported about opening it
	onDown func(shard string, err error)

	mu     sync.Mutex
	last   error         // of the last call that failed
	asking bool          // a call of Lease is in progress
	late   []lateLeases  // answers for which Lease did not wait
	woken  chan struct{} // has an element after such an answer
	kept   []keptLease   // whose store cannot run them yet
}

func newShard(s Shard, onDown func(string, error)) *shard {
	name := fnv.New64a()
	_, _ = name.Write([]byte(s.Name))
	opened := &shard{Name: s.Name, seed: name.Sum64(), woken: make(chan struct{}, 1), open: s.Open,
		owned: s.Open != nil, noted: "open", onDown: onDown, closed: closedShard{ends: make(chan struct{})}}
	if s.Inbox != nil {
		opened.open = func(context.Context) (Engine, error) { return s.Inbox, nil }
	}
	opened.circuit = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Timeout:     downFor,
		MaxRequests: 1,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= downAfter },
		IsExcluded:  neutral,
		OnStateChange: func(_ string, from, to gobreaker.State) {
			switch {
			case from == gobreaker.StateClosed:
				opened.mu.Lock()
				err := opened.last
				opened.mu.Unlock()
				onDown(s.Name, err)
			case to == gobreaker.StateClosed:
				onDown(s.Name, nil)
			}
		},
	})
	return opened
}

// neutral reports whether an error says nothing about a shard.
func neutral(err error) bool {
	return errors.Is(err, webhook.ErrFull) || errors.Is(err, context.Canceled)
}

// weight mixes the store with the name of the shard (the finalizer of SplitMix64).
func (s *shard) weight(store value.ID) uint64 {
	x := s.seed ^ uint64(store)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// engine returns the inbox of the shard.
func (s *shard) engine() Engine {
	if e := s.opened.Load(); e != nil {
		return *e
	}
	return &s.closed
}

// down reports whether the shard has failed so often that it is not asked now.
func (s *shard) down() bool { return s.circuit.State() == gobreaker.StateOpen }

// limit is how long a call may take that no caller waits for. One at a time tries whether a shard that failed answers
// again, so it must not hang for longer than others wait.
func (s *shard) limit(most time.Duration) time.Duration {
	if s.circuit.State() != gobreaker.StateClosed {
		return min(most, trialFor)
	}
	return most
}

// call makes a call unless the shard is down.
func (s *shard) call(do func() error) error {
	if s.opened.Load() == nil {
		return s.named(s.closed.err())
	}
	done, err := s.circuit.Allow()
	if err != nil {
		return s.named(err)
	}
	err = errors.New("the call panicked")
	defer func() {
		if err != nil {
			s.mu.Lock()
			s.last = err
			s.mu.Unlock()
		}
		done(err)
	}()
	err = do()
	return s.named(err)
}

// lateLeases are leases that arrived after Lease had returned.
type lateLeases struct {
	leases []webhook.Lease
	asked  time.Time
	term   time.Duration
}

// takeLate returns late leases that fit a query and last for half of their term at least. It returns the others to give
// them back.
func (s *shard) takeLate(q webhook.LeaseQuery) (fit, rest []webhook.Lease) {
	s.mu.Lock()
	late := s.late
	s.late = nil
	s.mu.Unlock()
	had := make(map[value.ID]int)
	for _, l := range late {
		for _, lease := range l.leases {
			had[lease.StoreID]++
			if len(fit) < q.Limit && time.Since(l.asked) < l.term/2 && !slices.Contains(q.Without, lease.StoreID) &&
				(q.PerStore <= 0 || had[lease.StoreID] <= q.PerStore) {
				fit = append(fit, lease)
			} else {
				rest = append(rest, lease)
			}
		}
	}
	return fit, rest
}
