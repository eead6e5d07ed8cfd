package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/client/access"
	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Defaults of Worker.
const (
	DefaultConcurrency = 16               // of Worker.Concurrency
	DefaultLease       = 30 * time.Second // of Worker.Lease
	DefaultTimeout     = time.Minute      // of Worker.Timeout
	DefaultGrace       = 10 * time.Second // of Worker.Grace
	DefaultMaxAttempts = 20               // of Worker.MaxAttempts
	DefaultMaxAge      = 48 * time.Hour   // of Worker.MaxAge
	DefaultPoll        = time.Second      // of Worker.Poll
)

// Bounds of the pause between two attempts. Its upper bound doubles with each attempt, and the pause is drawn evenly
// from ShortestBackoff to that bound. So entries that failed together are not tried together.
const (
	ShortestBackoff = time.Second      // the least pause after a failure
	LongestBackoff  = 15 * time.Minute // the upper bound after many failures
)

// Causes (context.Cause) with which the context of a handler ends. A lost lease gives ErrLeaseLost.
var (
	// ErrTimeout means that the handler took longer than Worker.Timeout.
	ErrTimeout = errors.New("handler timed out")
	// ErrDraining means that the worker was stopped and its grace is over. The entry is tried again at once by another
	// worker, and the attempt does not count.
	ErrDraining = errors.New("worker is draining")
)

// ErrPermanent makes an entry dead at once if the error of its handler wraps it, because another attempt would fail in
// the same way.
var ErrPermanent = errors.New("no further attempt")

// Worker takes entries out of an inbox and runs the handlers of a registry for them. Inbox and Registry must be set.
// Any number of workers, in any number of processes, may share an inbox. The fields must not be changed after Run was
// called, and a Worker must not be copied.
//
// If a handler returns nil, its entry is done. If it returns an error, panics or times out, the entry is retried after
// growing pauses, until MaxAttempts or MaxAge is reached. Then the entry is dead: see [DeadLetters]. An error that asks
// for a wait, such as the API's rate limit, does not count as an attempt: see [RetryAfter]. Neither does an error for
// which client.Unavailable is true, because a system that is down is not the fault of the entry. Such entries rest for
// up to [LongestBackoff], until MaxAge. An entry that always fails
// delays only its own lane.
//
// An entry whose process ended during its run, or whose handler did not return, is run alone afterwards. No worker of
// the process runs another entry meanwhile. If [MaxUnfinished] of these runs are left unfinished too, the entry is
// dead. So the other entries that were in progress when it ended its process do not become dead. A worker leaves at
// least half of the time to other entries. It does not wait for runs of them that take longer than half of Lease.
//
// An entry whose event the registry does not handle is retried like one that fails, also by
// other workers, because they may run a release that handles it.
type Worker struct {
	Inbox    Inbox
	Registry *Registry

	// Concurrency is the number of handlers that run at a time. Zero means DefaultConcurrency. While runs take less
	// than 5 ms on average, the worker leases the same number of entries in advance, at least 8. They wait for a place
	// for 100 ms or a tenth of Lease at most; then the worker gives them back.
	Concurrency int
	// PerStore is the largest number of handlers of one store that run at a time. A place is the right to run one
	// handler, and the worker has Concurrency places. The other places are for other stores, so that slow handlers of
	// one store do not delay all stores. While other stores hold places, it is the same fraction of the places that
	// they leave, at least 1. Zero means seven eighths of Concurrency, rounded down, at least 1: 14 of 16, 3 of 4.
	// Concurrency or more means that one store may take all places.
	PerStore int
	// Lease is how long an entry stays with a worker that has died or hangs. It is extended while the handler runs. 0
	// means DefaultLease.
	Lease time.Duration
	// Timeout is the time after which the context of a handler ends. A handler that does not return then keeps its
	// place among the Concurrency; OnFailure is called, and its entry goes to other workers. Zero means DefaultTimeout.
	Timeout time.Duration
	// Grace is how long handlers may continue after the worker was stopped. Zero means DefaultGrace.
	Grace time.Duration
	// MaxAttempts and MaxAge are the limits after which an entry is dead. Zero means DefaultMaxAttempts and
	// DefaultMaxAge. With their pauses, 20 attempts take one to two hours, and 400 take about 48 hours. A run that was
	// left unfinished is no attempt: see MaxUnfinished.
	MaxAttempts int
	MaxAge      time.Duration
	// Poll is how often an idle worker looks for entries without being woken. Zero means DefaultPoll.
	Poll time.Duration

	// KnownStore reports whether a store has the app installed. Entries of unknown stores are retried, because an
	// installation may be in progress, and are dead in the end. Entries of events that end an installation are dropped
	// instead. Privacy requests are handled for every store, because data is kept longer than an app is
	// installed. If nil, all stores are known.
	KnownStore func(ctx context.Context, store value.ID) (bool, error)
	// Probe asks the API whether the app is installed in a store: see ProbeBy. It must be set if the registry handles
	// app/uninstalled, store/redact, app/suspended or app/resumed. While the app is installed, a late app/uninstalled
	// or store/redact never reaches its handler. For app/suspended and app/resumed, the handler of the present state is
	// called, in whichever order they arrived.
	//
	// One refused probe is no proof. The entry of app/uninstalled or store/redact waits until probes have confirmed for
	// half a minute that the app is gone; see client.ActErase.
	//
	// After app/uninstalled was handled, Probe is called again, and if the app is still gone, the pending entries of
	// the store are dropped (see [Stores]). Entries that fail because the app is not installed, or that would become
	// dead, are dropped too if probes confirm it. Privacy requests are never dropped.
	Probe func(ctx context.Context, store value.ID) (Installation, error)
	// Judge decides from the results of Probe whether the app is installed. Share it with the other parts of the app
	// that use a client.Judge. If nil, the worker has its own.
	Judge *access.Judge

	// OnStarted is called at the beginning of each run. Probe, KnownStore, the handler, OnFinished and OnFailure get
	// the values of the context that it returns, for example a trace. The handler's context also ends with it, so it
	// must be derived from ctx. If it returns nil, ctx is used. If it panics, the run has failed. It is also called for
	// an entry that becomes dead because its runs were left unfinished, and whose handler is not called again.
	// Lease.Trace is the trace of the delivery.
	OnStarted func(ctx context.Context, l Lease) context.Context
	// OnFinished is called after the end of a run is stored, once for each call of OnStarted. This includes runs whose
	// handler panicked, whose lease was lost, or that the draining worker ended. Its context does not end. If nil, it
	// is not called.
	OnFinished func(ctx context.Context, l Lease, r Result)
	// OnFailure is called once for every failure of a handler or of the inbox, and for entries that were dropped. It is
	// also called for a handler that has not returned although its context and its lease have ended. It is not called
	// for waits (Result.Waited), except at most once a minute for a system that is down (ErrUnavailable). It may be
	// called concurrently. Its context does not end. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// Logger logs failures if OnFailure is nil. Bodies are never logged. If nil, slog.Default() is used.
	Logger *slog.Logger
}

// Result is the result of a run of a worker.
type Result struct {
	// Err is nil if the handler succeeded. It wraps ErrStale or ErrGone if the entry was dropped. If Err is set and
	// neither Dead nor Retry is, the entry was settled (by CommitTx, for example), its lease was lost, or the draining
	// worker gave it back.
	Err error
	// Again is true if the entry arrived once more during the run and will be run again.
	Again bool
	// Dead is true if the entry is not tried again.
	Dead bool
	// Retry is the time until the next run.
	Retry time.Duration
	// Waited is true if Err asks for a wait (see RetryAfter), if another system is down (see client.Unavailable), or if
	// it is not yet known whether the app is gone. The run does not count as an attempt.
	Waited bool
	// Dropped is the number of pending entries that the run dropped because the app is not installed in their store. If
	// the entry was app/uninstalled, these are the entries of the store; otherwise it is the entry itself.
	Dropped int
	// Purged is the number of dead entries that were deleted because store/redact or customers/redact was handled.
	Purged int
	// Took is how long the handler ran.
	Took time.Duration

	outage bool // another system is down
}

// Check returns an error that describes an invalid configuration, or nil.
func (w *Worker) Check() error {
	var wrong callback.Check
	wrong.Refuse(w.Inbox == nil, "no inbox")
	wrong.Refuse(w.Concurrency < 0, "Concurrency is %d: must be 0 or more", w.Concurrency)
	wrong.Refuse(w.Lease < 0, "Lease is %v: must be 0 or more", w.Lease)
	wrong.Refuse(w.Timeout < 0, "Timeout is %v: must be 0 or more", w.Timeout)
	wrong.Refuse(w.Grace < 0, "Grace is %v: must be 0 or more", w.Grace)
	wrong.Refuse(w.MaxAttempts < 0, "MaxAttempts is %d: must be 0 or more", w.MaxAttempts)
	wrong.Refuse(w.PerStore < 0, "PerStore is %v: must be 0 or more", w.PerStore)
	wrong.Refuse(w.MaxAge < 0, "MaxAge is %v: must be 0 or more", w.MaxAge)
	wrong.Refuse(w.Poll < 0, "Poll is %v: must be 0 or more", w.Poll)
	wrong.Refuse(w.Registry != nil && w.Probe == nil && w.Registry.asks(),
		"Probe is nil: must be set, because the registry handles app/uninstalled, store/redact, app/suspended or app/resumed, which arrive late and in any order")
	wrong = append(wrong, w.Registry.check())
	return wrong.Err("webhook: worker")
}

// Run works until ctx ends. Then it leases no more entries and lets handlers in progress continue for Grace. After that
// it ends their contexts, gives their entries back, and returns nil when they have returned. It returns an error at
// once if the configuration is wrong. If handlers are still running a second after Grace, it returns an error with
// their number.
func (w *Worker) Run(ctx context.Context) error {
	if err := w.Check(); err != nil {
		return err
	}
	detached, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	s := &shift{
		Worker: w,
		rows:   rowsByName(),
		term:   cmp.Or(w.Lease, DefaultLease),
		ctx:    detached,
		places: make(chan struct{}, cmp.Or(w.Concurrency, DefaultConcurrency)),
		wake:   make(chan struct{}, 1),
	}
	s.shares = newPlaces(cap(s.places), w.PerStore, s.term)
	s.shares.ahead.late = s.giveUp
	s.inspector = newInspector(w.Probe, w.Judge)
	s.taking = ctx
	s.take(ctx)
	return s.drain(stop)
}

// shift is a Worker that runs.
type shift struct {
	*Worker
	rows    map[Name]row
	term    time.Duration   // of a lease
	ctx     context.Context // of the handlers
	taking  context.Context // ends when the worker is stopped
	places  chan struct{}   // one for each handler in progress
	shares  *places         // which stores these are of
	wake    chan struct{}   // a place became free
	waiting *waiting        // of take; nil if no call waits for the inbox
	runs    sync.WaitGroup

	inspector *inspector // nil if there is no Probe
	seldom    callback.Seldom
	crowded   atomic.Int64 // until when no entry is to run alone, in nanoseconds
}

// take leases entries and begins their runs until ctx ends.
func (s *shift) take(ctx context.Context) {
	defer func() {
		if s.waiting != nil {
			s.waiting.end()
		}
		for _, l := range s.shares.end() {
			s.giveBack(l, 0)
		}
	}()
	failures := 0
	for ctx.Err() == nil {
		runtime.Gosched() // runs that end together free their places first, so that one lease serves all of them
		q, ahead := s.shares.query()
		if q.Limit == 0 {
			select {
			case <-s.wake:
			case <-ctx.Done():
			}
			continue
		}
		if q.Limit = process.call(q.Limit); q.Limit == 0 {
			pause(ctx, alonePoll)
			continue
		}
		q.Term = s.term
		leases, err := s.next(q)
		switch {
		case ctx.Err() != nil:
			for _, l := range leases {
				s.giveBack(l, 0)
			}
			return
		case err != nil:
			failures++
			if failures == 1 { // once for each outage
				s.fail(s.ctx, message{}, &Failure{Err: fmt.Errorf("lease entries of the inbox: %w", err)})
			}
			pause(ctx, backoff(failures, 50*time.Millisecond, 5*time.Second))
			continue
		}
		failures = 0
		s.start(leases, ahead)
		if len(leases) < q.Limit && !s.shares.more(q, leases) {
			s.idle(ctx)
		}
	}
}

// next leases entries, after process.call. Its context does not end with the worker, because a lease whose answer is
// lost would hold its lane until it ends.
func (s *shift) next(q LeaseQuery) (taken []*leased, err error) {
	defer func() { process.called(taken) }()
	ctx, cancel := context.WithTimeout(s.ctx, s.term/2)
	defer cancel()
	began := time.Now()
	leases, err := s.Inbox.Lease(ctx, q)
	for _, l := range leases {
		survived.began(l)
		taken = append(taken, &leased{Lease: l, asked: began})
	}
	return taken, err
}

// begin runs the handler for a lease that has a place.
func (s *shift) begin(l *leased) {
	s.runs.Go(func() { s.run(l) })
}

func (s *shift) run(l *leased) {
	began := time.Now()
	defer func() {
		s.free(l.StoreID, time.Since(began))
		process.leave(l)
	}()
	s.work(l)
}

// free passes a place to a lease that waits for it, or frees it, and wakes the loop, because the lane may have more
// entries.
func (s *shift) free(store value.ID, took time.Duration) {
	if next := s.shares.free(store, took); next != nil {
		s.begin(next)
	} else {
		<-s.places
	}
	s.stir()
}

func (s *shift) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// giveUp gives a lease back that has waited too long for a place.
func (s *shift) giveUp(l *leased) {
	s.shares.giveUp(l, func() {
		s.runs.Go(func() {
			s.giveBack(l, 0)
			s.stir()
		})
	})
}

// untold is how long after a run the inbox is queried if its Wait has not returned. Usually it returns. A query after
// each run would double the load of the inbox.
const untold = 20 * time.Millisecond

// idle waits until there may be entries for the free places, or until another place becomes free. It returns at once if
// the store of that place may have places again. Otherwise Wait of the inbox may report that its lane has more entries.
// That call continues unless it must be for other stores. Otherwise each entry of a store that holds all its places
// would end it.
func (s *shift) idle(ctx context.Context) {
	q, _ := s.shares.query()
	if s.waiting != nil && !slices.Equal(s.waiting.without, q.Without) {
		s.waiting.end()
		s.waiting = nil
	}
	if s.waiting == nil {
		s.waiting = s.wait(ctx, q)
	}
	var soon <-chan time.Time
	for {
		select {
		case <-s.waiting.done:
			s.waiting.end()
			s.waiting = nil
			return
		case <-s.wake:
			if q, _ := s.shares.query(); !slices.Equal(s.waiting.without, q.Without) {
				return
			}
			if soon == nil {
				soon = time.After(untold)
			}
		case <-soon:
			return
		case <-ctx.Done():
			return
		}
	}
}

// waiting is a call of Inbox.Wait in progress.
type waiting struct {
	without []value.ID
	stop    context.CancelFunc
	done    chan struct{}
}

func (s *shift) wait(ctx context.Context, q LeaseQuery) *waiting {
	ctx, stop := context.WithCancel(ctx)
	w := &waiting{q.Without, stop, make(chan struct{})}
	go func() {
		defer close(w.done)
		poll := cmp.Or(s.Poll, DefaultPoll)
		// An engine that cannot wait fails at once; the pause keeps the loop from spinning.
		if err := s.Inbox.Wait(ctx, q, poll); err != nil && ctx.Err() == nil {
			pause(ctx, poll)
		}
	}()
	return w
}

func (w *waiting) end() {
	w.stop()
	<-w.done
}

// giveBack releases an entry whose run has not begun.
func (s *shift) giveBack(l *leased, rest time.Duration) {
	s.release(l.Lease, rest)
	process.leave(l)
}

func (s *shift) release(l Lease, rest time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), time.Second)
	defer cancel()
	if err := s.Inbox.Fail(ctx, l, Failed{Cause: ErrDraining.Error(), Released: true, Delay: rest}); err == nil {
		survived.counts(l) // otherwise the lease ends at the end of its term
	}
}

// drain waits for the runs in progress.
func (s *shift) drain(stop context.CancelCauseFunc) error {
	done := make(chan struct{})
	go func() {
		s.runs.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(cmp.Or(s.Grace, DefaultGrace)):
		stop(ErrDraining)
	}
	select {
	case <-done:
		return nil
	case <-time.After(time.Second):
		return fmt.Errorf("webhook: worker: %d handlers did not stop when their context ended", len(s.places))
	}
}

func (s *shift) fail(ctx context.Context, m message, f *Failure) {
	f.StoreID, f.Event = m.store, m.event
	reporter{s.OnFailure, s.Logger}.tell(context.WithoutCancel(ctx), f)
}

// backoff draws the pause before the next attempt after n failures.
func backoff(n int, shortest, longest time.Duration) time.Duration {
	top := longest
	if n < 32 && shortest<<(n-1) < longest {
		top = shortest << (n - 1)
	}
	return shortest + rand.N(top-shortest+1)
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
