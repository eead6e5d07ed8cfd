package rounds

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrLate means that a visit has made no progress for its limit of time, or was ended because too many visits were
// late. It is also context.DeadlineExceeded to errors.Is.
var ErrLate error = late{}

type late struct{}

func (late) Error() string { return "no progress in time" }

func (late) Is(target error) bool { return target == context.DeadlineExceeded }

// ErrUndecided is returned by a visit that has neither succeeded nor failed.
var ErrUndecided = errors.New("the visit has no result")

// mostHung is how many ended visits may hang, whatever their contexts say. While there are so many, none begins.
const mostHung = 256

// Visits are the visits in progress, and the results of the earlier ones. Limit must be set before the first visit.
type Visits[K comparable] struct {
	// Limit is how long a visit has its place.
	Limit time.Duration
	// Late is how many visits may continue without a place. If there are more, the contexts of those end whose last
	// progress is the oldest.
	Late int
	// Freed, if set, is called after a visit in progress has lost its place.
	Freed func()

	mu      sync.Mutex
	running map[K]*visit
	placed  int // visits that have a place
	hung    int // visits whose contexts have ended, and which have not returned
	status  map[K]Status
	waited  int           // visits that are not hung, and calls of hooks
	empty   chan struct{} // closed when waited is 0; nil while no call waits for that
}

// Status is the result of the visits of a store.
type Status struct {
	Good   time.Time // end of the last visit that succeeded; zero if there was none
	Failed time.Time // when the last failure was noticed; zero if there was none
	Err    error     // of the last failure
	Began  time.Time // start of the visit in progress; zero if there is none
}

// Work is what a visit does.
type Work struct {
	Run func(ctx context.Context) error
	// Late is called if the visit has lost its place and makes no progress, or is ended, at most once. It may be called
	// after Ended.
	Late func(err error)
	// Ended is called when Run has returned. The store has no visit in progress then.
	Ended func(o Outcome)
}

// Outcome is the end of a visit.
type Outcome struct {
	Err     error // of Run, its panic, or ErrExit
	Escaped bool  // Run panicked or ended its goroutine
	Cut     bool  // its context ended because it was late
	Moved   bool  // it made progress
}

// visit is a visit in progress. The lock is that of Visits.
type visit struct {
	lock         *sync.Mutex
	began, moved time.Time // its start and its last progress
	cancel       context.CancelCauseFunc
	timer        *time.Timer
	late         func(error)
	placed, hung bool // it has a place; its context has ended
	reported     bool // late was called
	did          bool // it made progress
}

type visitKey struct{}

// Moved notes that the visit of ctx, if there is one, has made progress. Such a visit has not failed entirely, and
// continues longer than others after it has lost its place.
func Moved(ctx context.Context) {
	if one, ok := ctx.Value(visitKey{}).(*visit); ok {
		one.lock.Lock()
		defer one.lock.Unlock()
		one.moved, one.did = time.Now(), true
	}
}

// Start begins a visit of a store that has none. The context of the visit is derived from ctx.
func (v *Visits[K]) Start(ctx context.Context, key K, do Work) {
	ctx, cancel := context.WithCancelCause(ctx)
	now := time.Now()
	one := &visit{lock: &v.mu, began: now, moved: now, cancel: cancel, late: do.Late, placed: true}
	v.mu.Lock()
	if v.running == nil {
		v.running, v.status = make(map[K]*visit), make(map[K]Status)
	}
	v.running[key] = one
	v.placed++
	v.waited++
	one.timer = time.AfterFunc(v.Limit, func() { v.due(key, one) })
	v.mu.Unlock()
	go v.run(context.WithValue(ctx, visitKey{}, one), key, one, do)
}

func (v *Visits[K]) run(ctx context.Context, key K, one *visit, do Work) {
	o := Outcome{Err: ErrExit, Escaped: true}
	defer func() {
		if p := recover(); p != nil {
			o.Err = Recovered(p)
		}
		v.end(key, one, &o)
		if !o.Cut {
			defer v.left()
		}
		do.Ended(o)
	}()
	o.Err = do.Run(ctx)
	o.Escaped = false
}

// due takes the place of a visit, ends the visits that may not continue without one, and reports visits that have made
// no progress for the limit.
func (v *Visits[K]) due(key K, one *visit) {
	if v.overdue(key, one) && v.Freed != nil {
		v.Freed()
	}
}

func (v *Visits[K]) overdue(key K, one *visit) (freed bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.running[key] != one || one.hung {
		return false
	}
	freed = one.placed
	v.leave(one)
	if left := v.Limit - time.Since(one.moved); left > 0 {
		one.timer.Reset(left)
	} else {
		v.report(key, one, "it continues without its place")
	}
	for len(v.running)-v.placed-v.hung > v.Late {
		v.cut(v.oldest())
	}
	return freed
}

// leave takes the place of a visit, if it has one.
func (v *Visits[K]) leave(one *visit) {
	if one.placed {
		one.placed = false
		v.placed--
	}
}

// report reports once that a visit is late. Then says how the visit continues.
func (v *Visits[K]) report(key K, one *visit, then string) {
	if one.reported {
		return
	}
	one.reported = true
	err := fmt.Errorf("%w: none for %v, must make some within %v; %s; check whether the API, the database or a function of the app hangs",
		ErrLate, time.Since(one.moved).Round(time.Millisecond), v.Limit, then)
	v.fail(key, err)
	v.waited++
	go func() { // without the lock
		defer v.left()
		one.late(err)
	}()
}

// oldest returns the visit without a place whose last progress is the oldest.
func (v *Visits[K]) oldest() (key K, first *visit) {
	for store, one := range v.running {
		if !one.placed && !one.hung && (first == nil || one.moved.Before(first.moved)) {
			key, first = store, one
		}
	}
	return key, first
}

// cut ends a visit. It is not waited for any longer.
func (v *Visits[K]) cut(key K, one *visit) {
	v.leave(one)
	v.report(key, one, "it was ended, and the next pass begins it again")
	one.hung = true
	v.hung++
	one.cancel(ErrLate)
	v.less()
}

func (v *Visits[K]) end(key K, one *visit, o *Outcome) {
	v.mu.Lock()
	defer v.mu.Unlock()
	one.timer.Stop()
	v.leave(one)
	if one.hung {
		v.hung--
	}
	delete(v.running, key)
	o.Cut, o.Moved = one.hung, one.did
	switch {
	case o.Err == nil:
		s := v.status[key]
		s.Good = time.Now()
		v.status[key] = s
	case !errors.Is(o.Err, ErrUndecided) && !one.hung:
		v.fail(key, o.Err)
	}
	one.cancel(nil)
}

func (v *Visits[K]) fail(key K, err error) {
	s := v.status[key]
	s.Failed, s.Err = time.Now(), err
	v.status[key] = s
}

// Busy reports whether a visit of the store is in progress, with a place or without.
func (v *Visits[K]) Busy(key K) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.running[key] != nil
}

// Hung reports whether a visit of the store has ended by its limit and has not returned.
func (v *Visits[K]) Hung(key K) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	one := v.running[key]
	return one != nil && one.hung
}

// Free returns how many visits may begin with a number of places.
func (v *Visits[K]) Free(places int) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.hung >= mostHung {
		return 0
	}
	return places - v.placed
}

// Full reports whether no visit may begin, because too many hang.
func (v *Visits[K]) Full() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.hung >= mostHung
}

// Forget removes the result of the visits of a store.
func (v *Visits[K]) Forget(key K) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.status, key)
}

// All returns the results of the visits of all stores.
func (v *Visits[K]) All() map[K]Status {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := make(map[K]Status, len(v.status)+len(v.running))
	for key, s := range v.status {
		all[key] = s
	}
	for key, one := range v.running {
		s := all[key]
		s.Began = one.began
		all[key] = s
	}
	return all
}

// Results converts the results to a public type.
func Results[K comparable, T any](all map[K]Status, as func(Status) T) map[K]T {
	results := make(map[K]T, len(all))
	for key, s := range all {
		results[key] = as(s)
	}
	return results
}

// Wait waits until each visit has returned or was ended by its limit. After a time it ends the others, and after that
// time once more it returns. No visit may begin meanwhile, except in Work.Ended.
func (v *Visits[K]) Wait(within time.Duration) {
	ended := v.emptied()
	for range 2 {
		timer := time.NewTimer(within)
		select {
		case <-ended:
			timer.Stop()
			return
		case <-timer.C:
			v.cutAll()
		}
	}
}

// left notes that a visit that is waited for has ended.
func (v *Visits[K]) left() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.less()
}

// less is left with the lock held.
func (v *Visits[K]) less() {
	if v.waited--; v.waited == 0 && v.empty != nil {
		close(v.empty)
		v.empty = nil
	}
}

// emptied returns a channel that is closed when no visit is waited for.
func (v *Visits[K]) emptied() <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.waited == 0 {
		closed := make(chan struct{})
		close(closed)
		return closed
	}
	if v.empty == nil {
		v.empty = make(chan struct{})
	}
	return v.empty
}

func (v *Visits[K]) cutAll() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for key, one := range v.running {
		if !one.hung {
			v.cut(key, one)
		}
	}
}
