package rounds

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// parts is how many times the limit of a visit fits into Every. So each place can be lost to 20 stores that hang,
	// and the other stores are still visited within Every.
	parts = 20
	// leastLimit is the limit of visits whatever Every is.
	leastLimit = time.Second
	// mostSkipped is the largest number of passes that leave a failing store out, and of failures before the first.
	mostSkipped = 3
	// endTime is how long Run waits for visits after its context has ended, and then for hooks.
	endTime = 10 * time.Second
)

// Plan is what a Round does.
type Plan[K comparable, S any] struct {
	// Places is how many stores are visited at a time.
	Places int
	// Every is the time between two passes.
	Every time.Duration
	// Limit is how long a visit has its place. Zero means a 20th of Every, but at least a second.
	Limit time.Duration
	// Late is how many visits may continue without a place. Zero means as many as Places.
	Late int
	// List iterates over the stores. It may yield errors, and stores repeatedly.
	List func(ctx context.Context) iter.Seq2[K, error]
	// Visit visits a store. It calls Moved after each part of its work. It reports its own failures, unless its context
	// has ended.
	Visit func(ctx context.Context, s *Store[K, S]) error
	// Failed is called with failures of List, and with a visit that is late, panics or ends its goroutine.
	Failed func(ctx context.Context, key K, err error)
}

// Store is a store of a Round. Its visits have Key, First and State to themselves.
type Store[K comparable, S any] struct {
	Key   K
	First bool // it was there when the stores were listed completely for the first time
	State S    // of the app, zero at first

	pass   int       // the latest that has listed it
	queued time.Time // since when it waits; zero if it does not
	skip   int       // passes that leave it out
	failed int       // visits in a row
}

// Round visits all stores at once and then after every Every. After three failures without progress in a row, a store
// is left out of one pass, then of two, then of three. When such a store succeeds, no store is left out. The zero value
// is ready.
type Round[K comparable, S any] struct {
	plan   Plan[K, S]
	visits Visits[K]
	lists  Visits[struct{}]
	woken  sync.Once
	wake   chan struct{}
	turned sync.Once
	turn   chan struct{} // holds an element while Run is running

	mu     sync.Mutex
	ctx    context.Context
	closed bool
	pass   int
	begins bool // the stores are being listed
	listed bool // completely, once
	stores map[K]*Store[K, S]
	// The queues. Stores whose last visit failed are visited after the others.
	good, bad []*Store[K, S]
}

// Wake begins the next pass at once.
func (r *Round[K, S]) Wake() {
	select {
	case r.waking() <- struct{}{}:
	default: // a pass is pending already
	}
}

func (r *Round[K, S]) waking() chan struct{} {
	r.woken.Do(func() { r.wake = make(chan struct{}, 1) })
	return r.wake
}

// All returns the results of the visits.
func (r *Round[K, S]) All() map[K]Status { return r.visits.All() }

// Run visits the stores until ctx ends, and waits for visits that end with it. A second Run waits for the first.
func (r *Round[K, S]) Run(ctx context.Context, p Plan[K, S]) {
	r.turned.Do(func() { r.turn = make(chan struct{}, 1) })
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return
	}
	limit := cmp.Or(p.Limit, max(p.Every/parts, leastLimit))
	r.mu.Lock()
	r.plan, r.ctx, r.closed = p, ctx, false
	r.visits.Limit, r.visits.Late, r.visits.Freed, r.lists.Limit = limit, cmp.Or(p.Late, p.Places), r.freed, 5*limit
	if r.stores == nil {
		r.stores = make(map[K]*Store[K, S])
	}
	r.mu.Unlock()
	for ctx.Err() == nil {
		r.list(ctx)
		pause := time.NewTimer(p.Every)
		select {
		case <-pause.C:
		case <-r.waking():
		case <-ctx.Done():
		}
		pause.Stop()
	}
	r.mu.Lock()
	r.closed, r.good, r.bad = true, nil, nil
	for _, s := range r.stores {
		s.queued = time.Time{}
	}
	r.mu.Unlock()
	r.visits.Wait(endTime)
	r.lists.Wait(0)
}

// list lists the stores. If an earlier list hangs, it queues the known stores.
func (r *Round[K, S]) list(ctx context.Context) {
	r.mu.Lock()
	r.pass++
	r.begins = true
	known := slices.Collect(maps.Keys(r.stores))
	r.mu.Unlock()
	if r.lists.Busy(struct{}{}) {
		for _, key := range known {
			r.queue(key)
		}
		r.begun()
		return
	}
	ended := make(chan struct{}, 2)
	var none K
	r.lists.Start(ctx, struct{}{}, Work{
		Run: r.queueAll,
		Late: func(err error) {
			ended <- struct{}{}
			r.failed(none, err)
		},
		Ended: func(o Outcome) {
			if o.Escaped {
				r.failed(none, o.Err)
			}
			ended <- struct{}{}
		},
	})
	<-ended
	r.begun()
}

// begun ends the begin of a pass. From now on, failing stores may be visited.
func (r *Round[K, S]) begun() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begins = false
	r.start()
}

// queueAll queues the listed stores, and forgets the others if the list is complete.
func (r *Round[K, S]) queueAll(ctx context.Context) error {
	complete := true
	for key, err := range r.plan.List(ctx) {
		if err != nil {
			complete = false
			r.failed(key, err)
			continue
		}
		r.queue(key)
	}
	if !complete || ctx.Err() != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listed = true
	for key, s := range r.stores {
		if s.pass != r.pass && s.queued.IsZero() && !r.visits.Busy(key) {
			delete(r.stores, key)
			r.visits.Forget(key)
		}
	}
	return nil
}

// queue queues a store for the pass, once.
func (r *Round[K, S]) queue(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stores[key]
	if s == nil {
		s = &Store[K, S]{Key: key, First: !r.listed}
		r.stores[key] = s
	}
	if s.pass == r.pass || r.closed {
		return
	}
	s.pass = r.pass
	switch {
	case !s.queued.IsZero() || r.visits.Busy(key):
		return
	case s.skip > 0:
		s.skip--
		return
	}
	s.queued = time.Now()
	if s.failed > 0 {
		r.bad = append(r.bad, s)
	} else {
		r.good = append(r.good, s)
	}
	r.start()
}

// start begins visits while there are places.
func (r *Round[K, S]) start() {
	for !r.closed && r.ctx.Err() == nil && r.visits.Free(r.plan.Places) > 0 {
		s := r.next()
		if s == nil {
			return
		}
		s.queued = time.Time{}
		r.visits.Start(r.ctx, s.Key, Work{
			Run: func(ctx context.Context) error {
				err := r.plan.Visit(ctx, s)
				if err != nil && r.ctx.Err() != nil {
					return ErrUndecided
				}
				return err
			},
			Late:  func(err error) { r.failed(s.Key, err) },
			Ended: func(o Outcome) { r.ended(s, o) },
		})
	}
}

// next returns the store to visit next. A failing store waits for the others for some passes at most.
func (r *Round[K, S]) next() (s *Store[K, S]) {
	from := &r.good
	if len(r.bad) > 0 &&
		(len(r.good) == 0 && !r.begins || time.Since(r.bad[0].queued) > mostSkipped*r.plan.Every) {
		from = &r.bad
	}
	if len(*from) == 0 {
		return nil
	}
	s, *from = (*from)[0], (*from)[1:]
	return s
}

func (r *Round[K, S]) freed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start()
}

func (r *Round[K, S]) ended(s *Store[K, S], o Outcome) {
	r.mu.Lock()
	switch {
	case o.Err == nil:
		if s.failed > 0 {
			r.resume()
		}
		s.failed = 0
	case errors.Is(o.Err, ErrUndecided):
	case o.Moved && !o.Cut: // a part has succeeded
		s.failed = 0
	case o.Moved:
		s.failed = 1
	default:
		s.failed++
		s.skip = min(max(0, s.failed-mostSkipped), mostSkipped)
	}
	r.start()
	r.mu.Unlock()
	if o.Escaped {
		r.failed(s.Key, o.Err)
	}
}

// resume ends the waits of all stores, because what made a store fail may have ended for the others too.
func (r *Round[K, S]) resume() {
	for _, s := range r.stores {
		s.skip = 0
	}
}

// failed calls the hook, which may panic.
func (r *Round[K, S]) failed(key K, err error) {
	_ = Guard(func() error {
		r.plan.Failed(r.ctx, key, err)
		return nil
	})
}
