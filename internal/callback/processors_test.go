package callback

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Plans that wait for something else are begun at once, however many there are.
func TestProcessorsThatAreIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewProcessors()
		began := time.Now()
		for range 64 {
			if !p.Begin() {
				t.Fatal("a plan is not begun")
			}
		}
		for range 64 {
			p.End()
		}
		if time.Since(began) > 0 || p.running != 0 || p.queue.Len() > 0 {
			t.Errorf("after %v, %d plans are in progress and %d wait", time.Since(began), p.running, p.queue.Len())
		}
	})
}

// Where the processors are saturated, a plan begins in the place of one that has ended, in the order of arrival, or not
// at all.
func TestProcessorsThatAreBusy(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	synctest.Test(t, func(t *testing.T) {
		p := NewProcessors()
		for range 4 { // two for each processor
			p.Begin()
		}
		p.first <- struct{}{} // nobody finds a processor idle
		var mu sync.Mutex
		var began []int
		var refused []time.Duration
		arrived := time.Now()
		for i := range 3 {
			time.Sleep(time.Millisecond)
			go func() {
				at := time.Now()
				ok := p.Begin()
				mu.Lock()
				defer mu.Unlock()
				if ok {
					began = append(began, i)
				} else {
					refused = append(refused, time.Since(at))
				}
			}()
		}
		synctest.Wait()
		p.End()
		synctest.Wait()
		time.Sleep(time.Second)
		synctest.Wait()
		if len(began) != 1 || began[0] != 0 || len(refused) != 2 || refused[0] != MostQueued ||
			refused[1] != MostQueued {
			t.Errorf("%v began and others waited %v, want the first, and two after %v; arrived %v ago", began, refused,
				MostQueued, time.Since(arrived))
		}
		if p.running != 4 || p.queue.Len() > 0 {
			t.Errorf("%d plans are in progress and %d wait, want 4 and none", p.running, p.queue.Len())
		}
	})
}

// Plans that compute saturate the processors: others are not added to them.
func TestProcessorsThatCompute(t *testing.T) {
	p := NewProcessors()
	var stop atomic.Bool
	var computing, waiting sync.WaitGroup
	for range unqueued * runtime.GOMAXPROCS(0) {
		p.Begin()
		computing.Go(func() {
			for !stop.Load() {
			}
		})
	}
	const more = 32
	var began, refused atomic.Int32
	for range more {
		waiting.Go(func() {
			if !p.Begin() {
				stop.CompareAndSwap(false, began.Load()+refused.Add(1) == more)
				return
			}
			began.Add(1)
			for !stop.Load() && began.Load()+refused.Load() < more {
			}
			stop.Store(true)
		})
	}
	waiting.Wait()
	computing.Wait()
	if n := began.Load(); n > 8 {
		t.Errorf("%d of 32 plans were added to those that compute on all processors", n)
	}
}

// Functions that compute give back their processor, and those that got none their place.
func TestProcessorsAreGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := &Runs{Gate: NewGate(1000), Processors: NewProcessors()}
		call := func(do func()) error {
			_, err := Fly(t.Context(), runs, Work[int]{
				Party: Party{Store: client.ID(1)}, Due: time.Now().Add(time.Hour),
				Failed: func(context.Context, error, bool) {},
				Do:     func(context.Context) (int, error) { do(); return 0, nil },
			})
			return err
		}
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() { _ = call(func() { time.Sleep(time.Second) }) })
			all.Go(func() { _ = call(func() { panic("no") }) })
		}
		all.Wait()
		if runs.Running() != 0 || runs.Processors.running != 0 {
			t.Errorf("at the end: %d places and %d processors are taken", runs.Running(), runs.Processors.running)
		}
	})
	full := &Runs{Gate: NewGate(10), Processors: &Processors{first: make(chan struct{}, 1), running: 1 << 20}}
	full.Processors.first <- struct{}{} // another function waits for a turn and gets none
	_, err := Fly(t.Context(), full, Work[int]{
		Due: time.Now().Add(time.Hour), Failed: func(context.Context, error, bool) {},
		Do: func(context.Context) (int, error) { t.Error("the function was called"); return 0, nil },
	})
	if !errors.Is(err, ErrBusy) || full.Running() != 0 {
		t.Errorf("without a processor: got %v, and %d places are taken", err, full.Running())
	}
}
