package queue

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proof/peers/sender"
)

// runs records when the handler of each order began first.
type runs struct {
	first  int            // number of the first delivery; its order is one more
	starts []atomic.Int64 // nanoseconds since 1970; 0 is not yet
	begun  atomic.Int64   // how many are not 0
}

func newRuns(first, count int) *runs { return &runs{first: first, starts: make([]atomic.Int64, count)} }

// handle is the handler. It does nothing else.
func (r *runs) handle(_ context.Context, order int64) error {
	n := int(order) - 1 - r.first
	if n >= 0 && n < len(r.starts) && r.starts[n].CompareAndSwap(0, time.Now().UnixNano()) {
		r.begun.Add(1)
	}
	return nil
}

// wait waits until the handlers of so many have begun, or for so long, and returns how many have.
func (r *runs) wait(count int, most time.Duration) int {
	for end := time.Now().Add(most); int(r.begun.Load()) < count && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return int(r.begun.Load())
}

// last returns when the last handler began.
func (r *runs) last() (last int64) {
	for i := range r.starts {
		last = max(last, r.starts[i].Load())
	}
	return last
}

// delays returns the time from each answer to the start of its handler, which is 0 if the handler was faster.
func (r *runs) delays(tb testing.TB, sent *sender.Report) []time.Duration {
	tb.Helper()
	all := make([]time.Duration, sent.Sent())
	for i := range all {
		start := r.starts[i].Load()
		if start == 0 {
			tb.Fatalf("order %d has no run", r.first+i+1)
		}
		all[i] = time.Duration(max(start-sent.Answered[i], 0))
	}
	return all
}

// working has a worker of the queue run until the returned function is called, which waits for its end.
func working(tb testing.TB, q Queue, handle Handle) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	var worker sync.WaitGroup
	worker.Go(func() {
		if err := q.Work(ctx, handle); err != nil {
			tb.Error(err)
		}
	})
	return func() {
		cancel()
		worker.Wait()
	}
}

// percentile of the times, in milliseconds.
func percentile(all []time.Duration, percent int) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return float64(sorted[len(sorted)*percent/100].Microseconds()) / 1000
}
