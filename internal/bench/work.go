package bench

import (
	"math"
	"sync"
	"testing"
	"time"
)

// Work runs both by turns, each of their functions in a goroutine of its own, and reports the time of processors that a
// call takes (us/op, floor-us/op), the garbage collector's part included, and the median of their ratio (to-floor). It is
// for work in which goroutines hand over to each other: how long that takes depends on what else the machine does, and
// what it costs on whether a processor is idle, which the runtime then wakes to look for work.
func Work(b *testing.B, ours, floor []func()) {
	const turn = 20 * time.Millisecond
	b.Helper()
	n := repeats(floor[0], turn)
	each := func(all []func()) time.Duration {
		began := ProcessorTime()
		var done sync.WaitGroup
		for _, f := range all {
			done.Go(func() {
				for range n {
					f()
				}
			})
		}
		done.Wait()
		return max(ProcessorTime()-began, 1) / time.Duration(len(all))
	}
	each(ours)
	var mine, floors []time.Duration
	var ratios []float64
	for b.Loop() {
		m, f := each(ours), each(floor)
		mine, floors = append(mine, m), append(floors, f)
		ratios = append(ratios, m.Seconds()/f.Seconds())
	}
	micros := func(all []time.Duration) float64 { return median(all).Seconds() * 1e6 / float64(n) }
	b.ReportMetric(micros(mine), "us/op")
	b.ReportMetric(micros(floors), "floor-us/op")
	b.ReportMetric(median(ratios), "to-floor")
	b.ReportMetric(0, "ns/op")
}

// Cost reports the time of processors that a call takes (us/op), the least of a few turns.
func Cost(b *testing.B, f func()) {
	const turn = 20 * time.Millisecond
	b.Helper()
	n := repeats(f, turn)
	least := time.Duration(math.MaxInt64)
	for b.Loop() {
		began := ProcessorTime()
		for range n {
			f()
		}
		least = min(least, ProcessorTime()-began)
	}
	b.ReportMetric(least.Seconds()*1e6/float64(n), "us/op")
	b.ReportMetric(0, "ns/op")
}

// repeats is how often f is to be called to take so long.
func repeats(f func(), long time.Duration) int {
	for n := 1; ; n *= 2 {
		began := time.Now()
		for range n {
			f()
		}
		if took := time.Since(began); took > long/2 {
			return n
		}
	}
}
