package callback

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

var flightSeed = flag.Uint64("callback.seed", 0, "seed of TestProofFlights; 0 means another one each time")

// plannedCall is a call of a random schedule. Its times are unique, so that the model has no ties.
type plannedCall struct {
	key       int
	store     client.ID
	arrives   time.Duration
	patience  time.Duration // until the answer is due
	hangsUp   time.Duration // after its arrival; 0 if it does not
	takes     time.Duration // what a run for it takes
	ends      int           // how: see endings
	mayLinger time.Duration
	reports   time.Duration // what a report about the end of a run takes
}

// seenRun is a run of a function, as the function and the reports saw it.
type seenRun struct {
	call         plannedCall
	began, ended time.Duration
	decided      []error
	failed       []error
	wasLate      []bool // of failed
	kept         int
	left         bool            // a call could not wait for it
	late         []time.Duration // when it was late for calls
}

// landed returns when the calls were answered that waited: after the report.
func (r *seenRun) landed() time.Duration {
	silent := r.call.ends == endsWell && !r.left || r.call.ends == endsWithContext && len(r.late) > 0
	if silent {
		return r.ended
	}
	return r.ended + r.call.reports
}

// lateBefore reports whether it was late for a call before a time.
func (r *seenRun) lateBefore(at time.Duration) bool {
	return len(r.late) > 0 && slices.Min(r.late) < at
}

func (c plannedCall) hungUp() bool { return c.hangsUp > 0 && c.hangsUp < c.patience }

// leaves returns when a call waits no longer.
func (c plannedCall) leaves() time.Duration {
	if c.hungUp() {
		return c.arrives + c.hangsUp
	}
	return c.arrives + c.patience
}

// endings are how functions end.
const (
	endsWell = iota
	endsWithError
	endsWithPanic
	endsItsGoroutine
	endsWithContext
	endings
)

var errWrong = errors.New("wrong")

// TestProofFlights plays random schedules of calls that are equal, late, hang up and fail, and compares each answer and
// each report with a model.
func TestProofFlights(t *testing.T) {
	seed := *flightSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("repeat with -callback.seed %d", seed)
	for n := range tier.Size[uint64](300, 3000, 100_000) {
		synctest.Test(t, func(t *testing.T) {
			playFlights(t, rand.New(rand.NewPCG(seed, n)))
		})
		if t.Failed() {
			t.Fatalf("in schedule %d", n)
		}
	}
}

// schedule is a random schedule that is played, with what was seen.
type schedule struct {
	t       *testing.T
	random  *rand.Rand
	used    map[time.Duration]bool
	flights Flights[int, int]
	runs    *Runs
	began   time.Time

	mu      sync.Mutex
	flying  map[int]int // functions, by key
	most    int         // of them at once
	seen    []*seenRun
	answers []answered
}

// answered is the answer to a call.
type answered struct {
	call   plannedCall
	out    int // the arrival of the call that the run was for
	err    error
	at     time.Duration
	joined bool
	none   bool
}

func playFlights(t *testing.T, random *rand.Rand) {
	s := &schedule{
		t: t, random: random, used: map[time.Duration]bool{}, flights: Flights[int, int]{MostLate: random.IntN(3)},
		runs: &Runs{Gate: NewGate(1 << 20)}, began: time.Now(), flying: map[int]int{},
	}
	var all sync.WaitGroup
	for range 1 + random.IntN(12) {
		c := s.plan()
		all.Go(func() { s.call(c) })
	}
	all.Wait()
	time.Sleep(time.Minute)
	synctest.Wait()
	s.check()
}

func (s *schedule) now() time.Duration { return time.Since(s.began) }

func (s *schedule) noting(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// unique draws a time that no other is equal to.
func (s *schedule) unique(most time.Duration) time.Duration {
	for {
		d := time.Duration(s.random.Int64N(int64(most))) + 1
		if !s.used[d] {
			s.used[d] = true
			return d
		}
	}
}

// plan draws a call.
func (s *schedule) plan() plannedCall {
	c := plannedCall{
		key: s.random.IntN(3), store: client.ID(1 + s.random.IntN(2)), arrives: s.unique(time.Second),
		patience: 100*time.Millisecond + s.unique(time.Millisecond), takes: s.unique(300 * time.Millisecond),
		ends: s.random.IntN(endings), mayLinger: s.unique(200 * time.Millisecond),
		reports: s.unique(20 * time.Millisecond),
	}
	if s.random.IntN(4) == 0 {
		c.hangsUp = s.unique(90 * time.Millisecond)
	}
	return c
}

// call makes a call when it arrives, and notes its answer.
func (s *schedule) call(c plannedCall) {
	time.Sleep(c.arrives)
	request, hangUp := context.WithCancel(s.t.Context())
	defer hangUp()
	if c.hangsUp > 0 {
		time.AfterFunc(c.hangsUp, hangUp)
	}
	f, joined := s.flights.Join(c.key, nil)
	a := answered{call: c, joined: joined, none: f == nil}
	if f != nil {
		due := time.Now().Add(c.patience)
		if !joined {
			s.start(f, request, c, due)
		}
		ctx := WithDeadline(request, due)
		a.out, a.err = f.Wait(ctx)
		ctx.End()
	}
	a.at = s.now()
	s.noting(func() { s.answers = append(s.answers, a) })
}

// start starts a flight whose function and reports write down what they see.
func (s *schedule) start(f *Flight[int], request context.Context, c plannedCall, due time.Time) {
	run := &seenRun{call: c, began: s.now()}
	s.noting(func() { s.seen = append(s.seen, run) })
	err := f.Start(request, s.runs, Work[int]{
		Party: Party{Store: c.store}, Due: due, Linger: c.mayLinger,
		Do: func(ctx context.Context) (int, error) {
			s.noting(func() { s.flying[c.key]++; s.most = max(s.most, s.flying[c.key]) })
			defer s.noting(func() { s.flying[c.key]--; run.ended = s.now() })
			if by, ok := AnswerBy(ctx); !ok || !by.Equal(due) {
				s.t.Errorf("%+v: AnswerBy is %v", c, by)
			}
			if end, _ := ctx.Deadline(); !end.Equal(due.Add(c.mayLinger)) {
				s.t.Errorf("%+v: the context ends at %v, want %v after %v", c, end, c.mayLinger, due)
			}
			return c.do(ctx)
		},
		Failed: func(_ context.Context, err error, late bool) {
			s.noting(func() { run.failed = append(run.failed, err); run.wasLate = append(run.wasLate, late) })
			if err != ErrLate {
				time.Sleep(c.reports)
			}
		},
		Late: func(context.Context, int) {
			s.noting(func() { run.kept++ })
			time.Sleep(c.reports)
		},
		Decided: func(err error) { s.noting(func() { run.decided = append(run.decided, err) }) },
	})
	if err != nil {
		s.t.Errorf("%+v: %v", c, err)
	}
}

// do is the function for a call.
func (c plannedCall) do(ctx context.Context) (int, error) {
	if c.ends == endsWithContext {
		<-ctx.Done()
		return 0, fmt.Errorf("stopped: %w", ctx.Err())
	}
	time.Sleep(c.takes)
	switch c.ends {
	case endsWithError:
		return 0, errWrong
	case endsWithPanic:
		panic(io.EOF)
	case endsItsGoroutine:
		runtime.Goexit()
	}
	return int(c.arrives), nil
}

// check compares what was seen with the model.
func (s *schedule) check() {
	if n := s.runs.Running(); n != 0 || len(s.flights.lanes) != 0 {
		s.t.Errorf("at the end %d functions run and %d keys have flights", n, len(s.flights.lanes))
	}
	if s.most > 1+s.flights.MostLate {
		s.t.Errorf("%d functions of a key at once, want at most %d", s.most, 1+s.flights.MostLate)
	}
	for _, a := range s.answers { // find out who was late first
		if run := runOf(s.seen, a.call, a.joined); run != nil && !a.none && a.call.leaves() < run.ended {
			if run.left = true; !a.call.hungUp() {
				run.late = append(run.late, a.call.leaves())
			}
		}
	}
	for _, a := range s.answers {
		s.checkAnswer(a)
	}
	for _, run := range s.seen {
		checkRun(s.t, run, run.left, len(run.late) > 0)
	}
}

// checkAnswer checks an answer, after it is known which calls left each run.
func (s *schedule) checkAnswer(a answered) {
	t, run, gone := s.t, runOf(s.seen, a.call, a.joined), a.call.leaves()
	switch {
	case a.none:
		if a.at != a.call.arrives || s.flights.MostLate == 0 {
			t.Errorf("%+v: no flight, at %v", a.call, a.at)
		}
		return
	case run == nil:
		t.Errorf("%+v: no run", a.call)
		return
	case a.joined && (run.landed() < a.call.arrives || s.flights.MostLate > 0 && run.lateBefore(a.call.arrives)):
		t.Errorf("%+v joined %+v", a.call, run)
	}
	want := max(a.call.arrives, min(gone, run.landed()))
	switch out := int(run.call.arrives); {
	case gone < run.ended && a.call.hungUp():
		if a.at != gone || !errors.Is(a.err, context.Canceled) {
			t.Errorf("%+v hung up: got %v at %v", a.call, a.err, a.at)
		}
	case gone < run.ended:
		if a.at != gone || a.err != ErrLate {
			t.Errorf("%+v was late: got %v at %v, want %v", a.call, a.err, a.at, gone)
		}
	case a.at != want || a.out != out && run.call.ends == endsWell || !isEnding(a.err, run.call.ends):
		t.Errorf("%+v: got %d, %v at %v, want the outcome of %+v at %v", a.call, a.out, a.err, a.at, run, want)
	}
}

// runOf returns the run that a call had or joined: the newest of its key that began before it arrived.
func runOf(seen []*seenRun, c plannedCall, joined bool) (found *seenRun) {
	for _, run := range seen {
		if run.call.key == c.key && run.began <= c.arrives && (joined || run.call == c) &&
			(found == nil || run.began > found.began) {
			found = run
		}
	}
	return found
}

// isEnding reports whether an error is that of a function that ends in a way.
func isEnding(err error, ends int) bool {
	switch ends {
	case endsWell:
		return err == nil
	case endsWithError:
		return err == errWrong
	case endsWithPanic:
		return errors.Is(err, io.EOF) && Stack(err) != nil
	case endsItsGoroutine:
		return err == ErrExit
	}
	return errors.Is(err, ErrLate) && errors.Is(err, context.DeadlineExceeded)
}

// checkRun checks the reports about a run, of which a call left, or was late.
func checkRun(t *testing.T, run *seenRun, left, late bool) {
	var want []string
	if late {
		want = append(want, "late")
	}
	switch ends := run.call.ends; {
	case ends == endsWithContext && late: // that was reported
	case ends != endsWell:
		want = append(want, fmt.Sprint("ends ", left))
	}
	var got []string
	for i, err := range run.failed {
		switch {
		case err == ErrLate && !run.wasLate[i]:
			got = append(got, "late")
		case isEnding(err, run.call.ends), left && run.call.ends == endsWithContext &&
			errors.Is(err, context.DeadlineExceeded):
			got = append(got, fmt.Sprint("ends ", run.wasLate[i]))
		default:
			got = append(got, err.Error())
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v: reported %v, want %v", run, got, want)
	}
	if kept := run.call.ends == endsWell && left; (run.kept == 1) != kept || run.kept > 1 {
		t.Errorf("%+v: kept %d times, want %t", run, run.kept, kept)
	}
	if len(run.decided) != 1 || late != (run.decided[0] == ErrLate) || !late &&
		!isEnding(run.decided[0], run.call.ends) {
		t.Errorf("%+v: decided %v, late %t", run, run.decided, late)
	}
}
