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
	"time"

	"github.com/commerceplatform/commerce-go/client"
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

// Bounds of the time between two attempts. It doubles with each, and is drawn
// evenly from the shortest to what it doubled to, so that what failed together is not
// tried together.
const (
	ShortestBackoff = time.Second      // also the least that a failed entry rests
	LongestBackoff  = 15 * time.Minute // for an entry that failed often
)

// Why the context of a handler ended, by context.Cause. A lost lease gives ErrLeaseLost.
var (
	// ErrTimeout: the handler took longer than Worker.Timeout.
	ErrTimeout = errors.New("handler timed out")
	// ErrDraining: the worker was stopped and its grace is over. The entry is tried again,
	// by another worker at once, and the attempt does not count.
	ErrDraining = errors.New("worker is draining")
)

// ErrPermanent makes an entry dead at once when the error of its handler wraps it:
// another attempt would fail in the same way.
var ErrPermanent = errors.New("no further attempt")

// Worker takes entries out of an inbox and runs the handlers of a registry for them.
// Inbox and Registry must be set; any number of workers, in any number of processes,
// may share an inbox. The fields must not be changed once it runs, and it must not be
// copied.
//
// A handler that returns nil is done with its entry. One that returns an error, panics or times out is tried again,
// with growing pauses, until MaxAttempts or MaxAge are reached; then the entry is dead: see [DeadLetters]. An error
// that asks for a wait, such as one of the API's rate limit, is no attempt: see [RetryAfter]. One entry that always
// fails keeps back its own lane and nothing else. An entry whose event the registry does not handle is tried like one
// that fails, by other workers too: they may be of a release that handles it.
type Worker struct {
	Inbox    Inbox
	Registry *Registry

	// Concurrency is the number of handlers that run at a time. 0 means DefaultConcurrency. While runs take less than 5
	// ms on average, the worker leases as many entries more, and 8 at least, which wait for a place: for 100 ms or a
	// tenth of Lease at most, then it gives them back.
	Concurrency int
	// PerStore is the number of handlers of one store that run at a time, at most. The other places are for other
	// stores, so that slow handlers of one store do not hold up all. While others hold places, it is the same part of
	// the places that they leave, and 1 at least. 0 means Concurrency less an eighth, and less 1 at least: 14 of 16, 3
	// of 4, 1 of 1. Concurrency or more means that one store may take all places.
	PerStore int
	// Lease is how long an entry stays with a worker that does not answer for it any
	// more. It is extended while the handler runs. 0 means DefaultLease.
	Lease time.Duration
	// Timeout is when the context of a handler ends. A handler that goes on all the same keeps
	// its place among the Concurrency, and its entry goes to others; OnFailure is called. 0 means DefaultTimeout.
	Timeout time.Duration
	// Grace is how long handlers may go on when the worker is stopped. 0 means DefaultGrace.
	Grace time.Duration
	// MaxAttempts and MaxAge are when an entry is dead. 0 means DefaultMaxAttempts and DefaultMaxAge.
	// With the pauses between them 20 attempts take one hour to two; 400 take about 48 hours. Attempts count that
	// nobody settled too, so that an entry that ends its process does so MaxAttempts times at most.
	MaxAttempts int
	MaxAge      time.Duration
	// Poll is how often an idle worker looks without having been woken. 0 means DefaultPoll.
	Poll time.Duration

	// KnownStore reports whether a store has the app installed. Entries of others
	// are tried again, since an installation may be in progress, and die in the end; those that
	// say that the app is gone are dropped. Requests of data protection are
	// handled for every store: data is kept longer than an app. If nil, all stores
	// are known.
	KnownStore func(ctx context.Context, store client.ID) (bool, error)
	// Probe asks the API whether the app is installed in a store: see AccessOf. It must be set
	// if the registry handles app/uninstalled, store/redact, app/suspended or
	// app/resumed. A late app/uninstalled or store/redact never reaches its handler while the app is
	// installed, and of app/suspended and app/resumed the one is handled that
	// holds, in whichever order they came.
	//
	// When app/uninstalled was handled, Probe is asked again, and if the app is still gone, the pending entries of the
	// store are dropped (see [Stores]). Entries that fail because the app is not installed, and those that would die,
	// are dropped too if Probe says so for half a minute. Requests of data protection never are.
	Probe func(ctx context.Context, store client.ID) (Installation, error)

	// OnStarted is called at the beginning of each run. Probe, KnownStore, the handler, OnFinished and OnFailure get
	// the values of the context that it returns, a trace for example; the handler also gets its end, so it must be made
	// of ctx. Nil counts as ctx. If it panics, the run has failed. It is also called for an entry that dies because its
	// runs were left unfinished, and whose handler is not called again. Lease.Trace is the trace of the delivery.
	OnStarted func(ctx context.Context, l Lease) context.Context
	// OnFinished is called when the end of a run is written down, once for each call of OnStarted: also if the handler
	// panics, the lease is lost or the worker is drained. Its context does not end. If nil, it is not called.
	OnFinished func(ctx context.Context, l Lease, r Result)
	// OnFailure is called once for every failure, of the handlers and of the inbox, for entries that were dropped, and
	// for a handler that goes on when its context and its lease have ended. It is not called for waits (Result.Waited).
	// It may be called concurrently. Its context does not end. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// Logger gets failures if OnFailure is nil. No body reaches it. If nil, slog.Default() is used.
	Logger *slog.Logger
}

// Result is how a run of a worker ended.
type Result struct {
	// Err is nil if the handler succeeded, and wraps ErrStale or ErrGone if the entry was dropped. An entry with an
	// error and neither Dead nor Retry is settled, by CommitTx say, its lease was lost, or it was given back as the
	// worker drained.
	Err error
	// Again: the entry arrived once more during the run and will be run again.
	Again bool
	// Dead: the entry is not tried any more.
	Dead bool
	// Retry is how long the entry rests before the next run.
	Retry time.Duration
	// Waited: Err asks for a wait (see RetryAfter), or is not judged before it is known whether the app is gone. The
	// run does not count as an attempt.
	Waited bool
	// Dropped is the number of pending entries that the run dropped, because the app is not installed in their store:
	// those of the store, if the entry was app/uninstalled, or the entry itself.
	Dropped int
	// Purged is the number of dead entries that were deleted because store/redact or customers/redact was handled.
	Purged int
	// Took is how long the handler ran.
	Took time.Duration
}

// Check returns what is wrong with the configuration, or nil.
func (w *Worker) Check() error {
	var wrong callback.Check
	wrong.Refuse(w.Inbox == nil, "no inbox")
	wrong.Refuse(w.Concurrency < 0, "Concurrency is %d: want 0 or more", w.Concurrency)
	wrong.Refuse(w.Lease < 0, "Lease is %v: want 0 or more", w.Lease)
	wrong.Refuse(w.Timeout < 0, "Timeout is %v: want 0 or more", w.Timeout)
	wrong.Refuse(w.Grace < 0, "Grace is %v: want 0 or more", w.Grace)
	wrong.Refuse(w.MaxAttempts < 0, "MaxAttempts is %d: want 0 or more", w.MaxAttempts)
	wrong.Refuse(w.PerStore < 0, "PerStore is %v: must be 0 or more", w.PerStore)
	wrong.Refuse(w.MaxAge < 0, "MaxAge is %v: want 0 or more", w.MaxAge)
	wrong.Refuse(w.Poll < 0, "Poll is %v: want 0 or more", w.Poll)
	wrong.Refuse(w.Registry != nil && w.Probe == nil && w.Registry.asks(),
		"no Probe, and a handler of app/uninstalled, store/redact, app/suspended or app/resumed: these come late and in any order")
	wrong = append(wrong, w.Registry.check())
	return wrong.Err("webhook: worker")
}

// Run works until ctx ends. It takes no entry from then on, lets handlers in progress go on for
// Grace, then ends their contexts, gives their entries back and returns nil when
// they have returned. It returns an error at once if the configuration is wrong, and one
// that counts them if handlers are still running a second after Grace.
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
	s.probe = s.absences.watch(w.Probe)
	s.take(ctx)
	return s.drain(stop)
}

// shift is a Worker that runs.
type shift struct {
	*Worker
	rows    map[Name]row
	term    time.Duration   // of a lease
	ctx     context.Context // of the handlers
	places  chan struct{}   // one for each handler in progress
	shares  *places         // which stores these are of
	wake    chan struct{}   // a place became free
	waiting *waiting        // of take; nil: nobody waits for the inbox
	runs    sync.WaitGroup

	absences absences
	probe    func(ctx context.Context, store client.ID) (Installation, error) // nil: there is none
}

// take leases entries and begins their runs until ctx ends.
func (s *shift) take(ctx context.Context) {
	defer func() {
		if s.waiting != nil {
			s.waiting.end()
		}
		for _, l := range s.shares.end() {
			s.release(l.Lease)
		}
	}()
	failures := 0
	for ctx.Err() == nil {
		runtime.Gosched() // runs that end together give up their places first: one lease serves all of them
		q, ahead := s.shares.query()
		if q.Limit == 0 {
			select {
			case <-s.wake:
			case <-ctx.Done():
			}
			continue
		}
		began := time.Now()
		q.Term = s.term
		leases, err := s.next(q)
		switch {
		case ctx.Err() != nil:
			s.giveBack(leases)
			return
		case err != nil:
			failures++
			if failures == 1 { // once for each outage
				s.fail(s.ctx, message{}, &Failure{Err: fmt.Errorf("lease: %w", err)})
			}
			pause(ctx, backoff(failures, 50*time.Millisecond, 5*time.Second))
			continue
		}
		failures = 0
		for _, l := range leases {
			if one := (&leased{Lease: l, asked: began}); s.shares.take(one, ahead) {
				s.places <- struct{}{}
				s.begin(one)
			}
		}
		if len(leases) < q.Limit && !s.shares.more(q, leases) {
			s.idle(ctx)
		}
	}
}

// next leases entries. Its context does not end with the worker: a lease whose
// answer nobody waits for would keep its lane until it ends.
func (s *shift) next(q LeaseQuery) ([]Lease, error) {
	ctx, cancel := context.WithTimeout(s.ctx, s.term/2)
	defer cancel()
	return s.Inbox.Lease(ctx, q)
}

// begin runs the handler for a lease that has a place.
func (s *shift) begin(l *leased) {
	s.runs.Go(func() {
		began := time.Now()
		defer func() { s.free(l.StoreID, time.Since(began)) }()
		s.work(l.Lease, l.asked)
	})
}

// free gives a place to a lease that waits for it, or else gives it up, and wakes the loop: the lane may have more to
// do.
func (s *shift) free(store client.ID, took time.Duration) {
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

// giveUp gives a lease back that has waited for a place for too long.
func (s *shift) giveUp(l *leased) {
	s.shares.giveUp(l, func() {
		s.runs.Go(func() {
			s.release(l.Lease)
			s.stir()
		})
	})
}

// untold is how long after a run an inbox is asked that did not say that there is something to do. Most do: asked after
// each run, they would have twice as much to do.
const untold = 20 * time.Millisecond

// idle waits until there may be something to do for the places that are free, or another place becomes free: at once if
// its store may have places again, and else the inbox may say itself whether its lane has more to do. The wait for the
// inbox goes on unless it is for other stores than before: with each of its entries a store that holds as many places
// as it may would end it.
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
	without []client.ID
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

// giveBack returns what was leased while the worker was stopped.
func (s *shift) giveBack(leases []Lease) {
	for _, l := range leases {
		s.release(l)
	}
}

func (s *shift) release(l Lease) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), time.Second)
	defer cancel()
	// If this fails, the lease ends by itself.
	_ = s.Inbox.Fail(ctx, l, Failed{Cause: ErrDraining.Error(), Released: true})
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
