package inboxops

import (
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// trend is the past of a number.
type trend struct {
	Points []int  // the newest last
	Peak   string // the greatest of them, and the time that they cover; "" for fewer than two
}

func newTrend(points []int, say func(int) string, window time.Duration) trend {
	t := trend{Points: points}
	if len(points) < 2 {
		return t
	}
	most := 0
	for _, n := range points {
		most = max(most, n)
	}
	t.Peak = "peak " + say(most) + " in " + age(window)
	return t
}

// window is the time that the samples cover.
func (f figures) window() time.Duration {
	if len(f.samples) == 0 {
		return 0
	}
	return f.samples[len(f.samples)-1].at.Sub(f.samples[0].at)
}

func (f figures) trend(of func(s webhook.Stats) int, say func(int) string) trend {
	var points []int
	for _, s := range f.samples {
		points = append(points, of(s.Stats))
	}
	return newTrend(points, say, f.window())
}

// rate is the growth of a counter in a minute.
type rate struct {
	now   int // over the last minute
	trend trend
}

// rate returns the growth of a counter of this process. One that was reset counts from 0.
func (f figures) rate(of func(s sample) int64) (r rate) {
	var points []int
	for i := 1; i < len(f.samples); i++ {
		points = append(points, growth(f.samples[i-1], f.samples[i], of))
	}
	if last := len(f.samples) - 1; last > 0 {
		first := last - 1
		for first > 0 && f.samples[last].at.Sub(f.samples[first-1].at) <= time.Minute {
			first--
		}
		r.now = growth(f.samples[first], f.samples[last], of)
	}
	r.trend = newTrend(points, perMinute, f.window())
	return r
}

// growth is the growth of a counter between two samples, in a minute.
func growth(from, to sample, of func(s sample) int64) int {
	n, took := of(to)-of(from), to.at.Sub(from.at)
	if n < 0 {
		n = of(to)
	}
	if took <= 0 {
		return 0
	}
	return int(float64(n)*float64(time.Minute)/float64(took) + .5)
}

func perMinute(n int) string { return number(n) + "/min" }
