package bench

import (
	"slices"
	"testing"
	"time"
)

// Throughput sends bursts to both by turns, and reports the requests per second that ours answered
// (req/s) and the floor (floor-req/s), and the medians of what ours answered for each request
// that the floor answered: in the same time (of-floor), and with the same time of
// processors (of-floor-per-core), in which that of the sender is contained.
func Throughput(b *testing.B, ours, floor Target) {
	const burst = 2000
	b.Helper()
	us, it := newSender(b, ours), newSender(b, floor)
	us.burst(burst / 4)
	it.burst(burst / 4)
	var mine, floors []time.Duration
	var walls, cores []float64
	for b.Loop() {
		m, f := us.burst(burst), it.burst(burst)
		mine, floors = append(mine, m.wall), append(floors, f.wall)
		walls = append(walls, f.wall.Seconds()/m.wall.Seconds())
		cores = append(cores, f.processor.Seconds()/max(m.processor.Seconds(), 1e-9))
	}
	b.ReportMetric(burst/median(mine).Seconds(), "req/s")
	b.ReportMetric(burst/median(floors).Seconds(), "floor-req/s")
	b.ReportMetric(median(walls), "of-floor")
	b.ReportMetric(median(cores), "of-floor-per-core")
	b.ReportMetric(0, "ns/op")
}

// Latency sends to both by turns at a rate per second, and reports the time within which 99 of 100 were
// answered: ours (p99-ms), the floor (floor-p99-ms), and the median of their ratio (p99-of-floor).
func Latency(b *testing.B, rate int, ours, floor Target) {
	b.Helper()
	us, it := newSender(b, ours), newSender(b, floor)
	us.paced(rate/4, rate)
	it.paced(rate/4, rate)
	var mine, floors []time.Duration
	var ratios []float64
	for b.Loop() {
		m, f := p99(us.paced(rate/2, rate)), p99(it.paced(rate/2, rate))
		mine, floors = append(mine, m), append(floors, f)
		ratios = append(ratios, m.Seconds()/f.Seconds())
	}
	b.ReportMetric(milliseconds(median(mine)), "p99-ms")
	b.ReportMetric(milliseconds(median(floors)), "floor-p99-ms")
	b.ReportMetric(median(ratios), "p99-of-floor")
	b.ReportMetric(0, "ns/op")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median[T ~int64 | ~float64](all []T) T {
	slices.Sort(all)
	return all[len(all)/2]
}

func p99(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)*99/100]
}
