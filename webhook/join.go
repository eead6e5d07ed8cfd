package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Errors that are reported for a handler that did not finish.
var (
	// ErrLate: the answer was due before the handler returned, so the delivery was answered 503. The handler may still
	// finish.
	ErrLate = errors.New("handler was late: must return within Budget, unless an Inbox stores the delivery; the platform will retry")
	// ErrBusy: Handler.MaxRuns handlers were in progress, so the delivery was answered 503.
	ErrBusy = errors.New("too many handlers in progress; the platform will retry")
)

// joiner runs the jobs of deliveries. Jobs with one key never run at the same time, and all jobs that wait for a run
// share the next one.
//
// A run may have read the state of the store before the delivery was sent that arrives during the run. So no delivery
// joins a run that has begun: it waits for the next one, with all others that arrive until then. Each key has at most
// two generations, the one in progress and the next one.
type joiner struct {
	most int

	mu    sync.Mutex
	lanes map[key]*lane // the keys with a run in progress
}

type lane struct {
	next *run // nil if no job waits
}

// job is the work for one delivery.
type job struct {
	base     context.Context // values for the run; it is not cancelled
	deadline time.Time
	call     func(context.Context) error
	report   func(error) // called once at the end of a run that failed
	joined   func()      // called if the delivery waits for the next run
}

// run is one generation of a key.
type run struct {
	job     job // of the delivery that arrived last; fixed once the run begins
	waiting int

	over  bool // err is final
	late  bool // ErrLate was reported
	err   error
	ended chan struct{}
}

// do returns the error of a run that begins after the call of do, or that of ctx if ctx ends before the run does. The
// run then continues. Waited reports whether the delivery waited for the next run.
func (j *joiner) do(ctx context.Context, k key, work job) (waited bool, err error) {
	r, waits, err := j.join(k, work)
	if err != nil {
		work.report(err)
		return false, err
	}
	if waits {
		work.joined()
	}
	select {
	case <-r.ended:
		return waits, r.err
	case <-ctx.Done():
		return waits, j.leave(ctx.Err(), k, r, work)
	}
}

// join returns the run to wait for, and whether it is the next one. It begins the run if it is the only one of its key.
func (j *joiner) join(k key, work job) (r *run, waits bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	l := j.lanes[k]
	if l == nil {
		if len(j.lanes) >= j.most {
			return nil, false, ErrBusy
		}
		if j.lanes == nil {
			j.lanes = map[key]*lane{}
		}
		j.lanes[k] = &lane{}
		r = &run{job: work, ended: make(chan struct{})}
		go j.begin(k, r)
		return r, false, nil
	}
	if l.next == nil {
		l.next = &run{ended: make(chan struct{})}
	}
	l.next.job = work
	l.next.waiting++
	return l.next, true, nil
}

// leave stops waiting. A run without waiting jobs never begins.
func (j *joiner) leave(cause error, k key, r *run, work job) error {
	j.mu.Lock()
	if r.over {
		j.mu.Unlock()
		return r.err
	}
	if l := j.lanes[k]; l != nil && l.next == r {
		if r.waiting--; r.waiting == 0 {
			l.next = nil
		}
	}
	first := !r.late && errors.Is(cause, context.DeadlineExceeded)
	r.late = r.late || first
	j.mu.Unlock()
	if first {
		work.report(ErrLate)
	}
	return cause
}

func (j *joiner) begin(k key, r *run) {
	err := callback.ErrExit
	defer j.release(k, r)
	defer func() { j.settle(r, err) }()
	ctx := callback.WithDeadline(r.job.base, r.job.deadline)
	defer ctx.End()
	err = guard(ctx, r.job.call)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = ErrLate // it stopped because its context ended
	}
}

// settle sets the error of the run and reports it, before any delivery is answered.
func (j *joiner) settle(r *run, err error) {
	j.mu.Lock()
	r.over, r.err = true, err
	told := r.late && err == ErrLate
	j.mu.Unlock()
	if err != nil && !told {
		r.job.report(err)
	}
}

// release lets the waiting deliveries be answered and begins the next run.
func (j *joiner) release(k key, r *run) {
	j.mu.Lock()
	defer j.mu.Unlock()
	close(r.ended)
	next := j.lanes[k].next
	if next == nil {
		delete(j.lanes, k)
		return
	}
	j.lanes[k].next = nil
	go j.begin(k, next)
}

// guard turns a panic into an error.
func guard(ctx context.Context, call func(context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
	}()
	return call(ctx)
}
