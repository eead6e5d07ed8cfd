package client

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// pail is the model of a limiter: how many requests may start at once, which grows by
// its size in 20 seconds, and is below 0 while some wait.
type pail struct {
	size    int
	free    float64
	at      time.Time
	longest time.Duration // wait
}

func (p *pail) now() {
	now := time.Now()
	p.free = min(float64(p.size), p.free+now.Sub(p.at).Seconds()*float64(p.size)/20)
	p.at = now
}

// take is how long a request has to wait, and whether it does.
func (p *pail) take() (wait time.Duration, waits bool) {
	p.now()
	if p.free--; p.free < 0 {
		wait = time.Duration(-p.free * 20 / float64(p.size) * float64(time.Second))
	}
	if wait > p.longest {
		p.free++
		return wait, false
	}
	return wait, true
}

// hear takes over what an answer says: another size makes another bucket, in which
// there is room for the others that are under way, and a smaller remainder is believed.
func (p *pail) hear(limit, remaining, others int) {
	p.now()
	switch {
	case limit != p.size:
		p.size, p.free = limit, float64(max(0, remaining-others))
	case math.Floor(p.free) > float64(remaining):
		p.free -= math.Floor(p.free) - float64(remaining)
	}
}

// TestModelOfLimiter compares when requests may start with the model.
func TestModelOfLimiter(t *testing.T) {
	steps := rapid.Custom(func(t *rapid.T) step {
		return step{
			What: rapid.SampledFrom([]string{"request", "request", "request", "40", "400", "none"}).Draw(t, "what"),
			Long: rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "long"),
			N:    rapid.SampledFrom([]int{0, 1, 2, 10, 39, 40, 60}).Draw(t, "n"),
			Pass: rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 499 * time.Millisecond, 500 * time.Millisecond, 7 * time.Second, 20 * time.Second, time.Hour}).Draw(t, "pass"),
		}
	})
	waited, refused := 0, 0
	inBubbles(t, steps, func(log func(string, ...any), steps []step) error {
		const longest = 400 * time.Millisecond // below what the smaller bucket needs for one request
		l, m := newLimiter(), &pail{size: 40, free: 40, at: time.Now(), longest: longest}
		near := func(a, b time.Duration) bool { return (a - b).Abs() <= time.Microsecond }
		underWay := 0
		for _, s := range steps {
			log("%v", s)
			time.Sleep(s.Pass)
			if limit := map[string]int{"40": 40, "400": 400}[s.What]; limit > 0 {
				l.follow(Rate{Limit: limit, Remaining: min(s.N, limit)})
				m.hear(limit, min(s.N, limit), max(0, underWay-1))
				continue
			}
			if s.What == "none" {
				l.follow(Rate{})
				continue
			}
			for i := range s.N {
				wait, waits := m.take()
				before := time.Now()
				err := l.wait(context.Background(), longest)
				took := time.Since(before)
				var late *waitError
				switch {
				case waits && (err != nil || !near(took, wait)):
					return fmt.Errorf("request %d started after %v, %v; the model says %v", i+1, took, err, wait)
				case !waits && (!errors.As(err, &late) || !near(late.wait, wait) || took != 0):
					return fmt.Errorf("request %d ended after %v with %v; the model refuses it for %v", i+1, took, err, wait)
				case !waits:
					refused++
				case wait > 0:
					waited++
				}
				if err == nil && underWay < s.Long {
					underWay++
				} else if err == nil {
					l.end()
				}
			}
		}
		return nil
	})
	if waited == 0 || refused == 0 {
		t.Errorf("%d requests waited, %d were refused; want some of each", waited, refused)
	}
}
