package shipping

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// With a stalled upstream all of 64 quotes at once are answered before 4 s, whether the function
// listens to its context or not, and whether the keys are equal or not.
func TestStalledUpstreamIsAnsweredInTime(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		for _, keys := range []int{1, 64} {
			t.Run(fmt.Sprintf("deaf=%v,keys=%d", deaf, keys), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { testStalled(t, deaf, keys) })
			})
		}
	}
}

func testStalled(t *testing.T, deaf bool, keys int) {
	s := &script{deaf: deaf}
	s.set(nil, errDown, time.Hour)
	p := newProbe(s.do, nil)
	var wg sync.WaitGroup
	for i := range 64 {
		body := with(t, "items.0.grams", 100+i%keys)
		wg.Go(func() {
			start := time.Now()
			w := post(p, body)
			if took := time.Since(start); w.Code != 503 || took >= 4*time.Second || took < 3*time.Second {
				t.Errorf("got %d after %v", w.Code, took)
			}
		})
	}
	wg.Wait()
	synctest.Wait()
	if got := int(s.calls.Load()); got != keys {
		t.Errorf("%d calls, want %d", got, keys)
	}
	time.Sleep(time.Hour) // let functions that do not listen end
}

// A call that comes late is kept for the next request, and its place is taken until it ends.
func TestLateRatesAreKept(t *testing.T) { synctest.Test(t, testLateRatesAreKept) }

func testLateRatesAreKept(t *testing.T) {
	body := document(t, "rate_request")
	s := &script{deaf: true}
	s.set([]Rate{ship(t, "standard")}, nil, 6*time.Second)
	p := newProbe(s.do, func(h *Handler) { h.MaxRuns = 1 })
	p.want(t, body, 503, SourceNobody)
	synctest.Wait()
	if a := p.last(); !errors.Is(a.Err, ErrLate) || a.Took != DefaultBudget-margin {
		t.Errorf("told %+v", a)
	}
	p.want(t, with(t, "items.0.grams", 1), 429, SourceNobody)
	if a := p.last(); !errors.Is(a.Err, ErrBusy) || !strings.HasSuffix(a.Err.Error(), "MaxRuns is 1") || a.Took != 5*time.Millisecond {
		t.Errorf("told %+v", a)
	}
	time.Sleep(3 * time.Second)
	p.want(t, body, 200, SourceCached)
	if f := p.failures(); len(f) != 2 || !errors.Is(f[0], ErrLate) || !errors.Is(f[1], ErrBusy) {
		t.Errorf("reported %v", f)
	}
}

// A call that comes late does not take the place of one that began after it.
func TestLateRatesAreOlder(t *testing.T) { synctest.Test(t, testLateRatesAreOlder) }

func testLateRatesAreOlder(t *testing.T) {
	body := document(t, "rate_request")
	s := &script{deaf: true}
	s.set([]Rate{ship(t, "old")}, nil, 10*time.Second)
	p := newProbe(s.do, nil)
	p.want(t, body, 503, SourceNobody)
	synctest.Wait()
	s.set([]Rate{ship(t, "new")}, nil, 0)
	p.want(t, body, 200, SourceCalled)
	time.Sleep(10 * time.Second)
	if w := post(p, body); !strings.Contains(w.Body.String(), `"new"`) || p.last().Source != SourceCached {
		t.Errorf("got %s from %s, want what the later call said", w.Body, p.last().Source)
	}
}

func TestContextEndsAfterTheBudget(t *testing.T) { synctest.Test(t, testContextEndsAfterTheBudget) }

func testContextEndsAfterTheBudget(t *testing.T) {
	var left time.Duration
	p := newProbe(func(ctx context.Context, _ Quote) ([]Rate, error) {
		deadline, ok := ctx.Deadline()
		if left = time.Until(deadline); !ok {
			t.Error("no deadline")
		}
		<-ctx.Done()
		return nil, fmt.Errorf("upstream: %w", ctx.Err())
	}, func(h *Handler) { h.Budget = time.Second })
	p.want(t, document(t, "rate_request"), 503, SourceNobody)
	time.Sleep(DefaultLinger)
	synctest.Wait()
	if f := p.failures(); left != 900*time.Millisecond+DefaultLinger || len(f) != 1 || !errors.Is(f[0], ErrLate) || p.last().Took != 900*time.Millisecond {
		t.Errorf("%v left, reported %v", left, f)
	}
}

// A caller that leaves is reported with its cause.
func TestCallerThatLeavesIsReportedWithItsCause(t *testing.T) {
	synctest.Test(t, testCallerThatLeavesIsReportedWithItsCause)
}

func testCallerThatLeavesIsReportedWithItsCause(t *testing.T) {
	left := errors.New("the caller left")
	s := &script{deaf: true}
	s.set(nil, errDown, time.Second)
	p := newProbe(s.do, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer time.AfterFunc(100*time.Millisecond, func() { cancel(left) }).Stop()
	p.ServeHTTP(discard{}, request(ctx, document(t, "rate_request")))
	if err := p.last().Err; !errors.Is(err, context.Canceled) || !errors.Is(err, left) {
		t.Errorf("told %v, want the end of the context and its cause", err)
	}
	time.Sleep(2 * time.Second)
}

// A panic and an error that come after the answer are reported, and nothing else comes of them.
func TestFailuresAfterTheAnswerAreReported(t *testing.T) {
	synctest.Test(t, testFailuresAfterTheAnswerAreReported)
}

func testFailuresAfterTheAnswerAreReported(t *testing.T) {
	p := newProbe(func(context.Context, Quote) ([]Rate, error) {
		time.Sleep(5 * time.Second)
		panic(errDown)
	}, nil)
	p.want(t, document(t, "rate_request"), 503, SourceNobody)
	time.Sleep(2 * time.Second)
	if f := p.failures(); len(f) != 2 || !errors.Is(f[0], ErrLate) || !errors.Is(f[1], errDown) || len(f[1].Stack) == 0 {
		t.Errorf("reported %v", f)
	}
}
