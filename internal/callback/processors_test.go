package callback

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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
		if len(began) != 1 || began[0] != 0 || len(refused) != 2 || refused[0] != MostQueued || refused[1] != MostQueued {
			t.Errorf("%v began and others waited %v, want the first, and two after %v; arrived %v ago", began, refused, MostQueued, time.Since(arrived))
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
