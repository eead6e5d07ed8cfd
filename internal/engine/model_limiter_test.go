package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// pail is the model of a limiter of a process that is alone: how many requests may start at once, which grows by its
// size in 20 seconds, and how many may be under way while it does not know the bucket.
type pail struct {
	size     int
	free     float64
	at       time.Time
	ample    time.Time // when more than one request could start for the last time
	spare    float64   // what it leaves for others after 4 seconds without that
	width    int       // 0 when half of the bucket has been answered for
	last     time.Time
	underWay int
	longest  time.Duration // wait
}

func (p *pail) now() {
	now := time.Now()
	p.free = min(float64(p.size), p.free+now.Sub(p.at).Seconds()*float64(p.size)/20)
	p.at = now
}

// wait is how long a request has to wait, and whether it does.
func (p *pail) wait() (wait time.Duration, waits bool) {
	p.now()
	wait = max(0, time.Duration((1+p.spare-p.free)*20/float64(p.size)*float64(time.Second)))
	if wait > p.longest {
		return wait, false
	}
	if p.width > 0 && p.underWay >= p.width { // which is no reason to fail
		begun := time.Duration(p.underWay) * 500 * time.Millisecond
		wait = max(wait, min(p.longest, begun-time.Since(p.last)))
	}
	return wait, true
}

// take is a request that starts.
func (p *pail) take() {
	p.now()
	if p.underWay == 0 && p.at.Sub(p.last) > 20*time.Second {
		p.width = 1
	}
	p.last = p.at
	if p.free--; p.free > 1 {
		p.ample, p.spare = p.at, 0
	} else if p.at.Sub(p.ample) > 4*time.Second {
		p.spare = 1
	}
	p.underWay++
}

// hear takes over the answer to the last request: another size makes another bucket, in which
// there is room for the others that are under way, and a smaller remainder is believed.
func (p *pail) hear(limit, remaining int) {
	if limit != p.size {
		p.size, p.free, p.spare = limit, float64(max(0, remaining-p.underWay+1)), 0
	}
	p.free -= max(0, math.Floor(p.free)-float64(remaining))
	if p.width > 0 {
		if p.width++; 2*p.width >= p.size {
			p.width = 0
		}
	}
}

// TestModelOfLimiter compares when requests may start with the model, for as long as the process is alone, and looks
// whether it shares the bucket as soon as responses show that others use it, and not before.
func TestModelOfLimiter(t *testing.T) {
	steps := rapid.Custom(func(t *rapid.T) step {
		return step{
			What: rapid.SampledFrom([]string{"silent", "told", "told", "told", "400", "40", "others"}).Draw(t, "what"),
			Long: rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "long"),
			N:    rapid.SampledFrom([]int{1, 2, 10, 39, 40, 60}).Draw(t, "n"),
			Pass: rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 499 * time.Millisecond, 500 * time.Millisecond, 7 * time.Second, 20 * time.Second, time.Hour}).Draw(t, "pass"),
		}
	})
	waited, refused, opened, met := 0, 0, 0, 0
	inBubbles(t, steps, func(log func(string, ...any), steps []step) error {
		const longest = 400 * time.Millisecond // below what the smaller bucket needs for one request
		l, m := newLimiter(), &pail{size: 40, free: 40, at: time.Now(), ample: time.Now(), longest: longest}
		near := func(a, b time.Duration) bool { return (a - b).Abs() <= time.Microsecond }
		for _, s := range steps {
			log("%v", s)
			time.Sleep(s.Pass)
			for i := range s.N {
				wait, waits := m.wait()
				before := time.Now()
				p, err := l.wait(context.Background(), longest, false)
				took := time.Since(before)
				var late *waitError
				switch {
				case waits && (err != nil || !near(took, wait) || p.waited != took):
					return fmt.Errorf("request %d started after %v, %v; the model says %v", i+1, took, err, wait)
				case !waits && (!errors.As(err, &late) || !near(late.wait, wait) || took != 0):
					return fmt.Errorf("request %d ended after %v with %v; the model refuses it for %v", i+1, took, err, wait)
				case !waits:
					refused++
					continue
				case wait > 0:
					waited++
				}
				if m.take(); m.width > 0 {
					opened++
				}
				left := int(m.free)
				switch s.What {
				case "others":
					gone := 2 + m.size/40 // one may be rounding, and so may be what drains in half a second
					if left < gone {
						break
					}
					if l.follow(p, Rate{Limit: m.size, Remaining: left - gone}); !l.share.on {
						return fmt.Errorf("request %d: it does not share a bucket in which others left %d of %d", i+1, left-gone, left)
					}
					met++
					return nil
				case "told":
					l.follow(p, Rate{Limit: m.size, Remaining: left})
					m.hear(m.size, left)
				case "silent":
					l.follow(p, Rate{})
					m.hear(m.size, left)
				default:
					limit := map[string]int{"40": 40, "400": 400}[s.What]
					l.follow(p, Rate{Limit: limit, Remaining: min(left, limit)})
					m.hear(limit, min(left, limit))
				}
				if l.share.on {
					return fmt.Errorf("request %d: it shares a bucket that nobody else uses", i+1)
				}
				if m.underWay > s.Long {
					l.end()
					m.underWay--
				}
			}
		}
		return nil
	})
	if waited == 0 || refused == 0 || opened == 0 || met == 0 {
		t.Errorf("%d requests waited, %d were refused, %d were among the first, and others were met %d times; want some of each", waited, refused, opened, met)
	}
}
