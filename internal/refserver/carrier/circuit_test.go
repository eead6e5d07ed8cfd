package carrier

import (
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// bench is a circuit with a clock.
type bench struct {
	*testing.T
	circuit
	now time.Time
}

func newBench(t *testing.T) *bench {
	return &bench{T: t, now: time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)}
}

// ask sends so many requests with the same end; those that may not be sent count for
// nothing.
func (b *bench) ask(n int, v Verdict) *bench {
	for range n {
		if by, ok := b.enter(world.Contract(), b.now); ok {
			b.leave(world.Contract(), b.now, by, v)
		}
	}
	return b
}

func (b *bench) wait(d time.Duration) *bench {
	b.now = b.now.Add(d)
	return b
}

func (b *bench) want(at State, requests, failures int) *bench {
	b.Helper()
	h := b.health(world.Contract(), b.now)
	if h.Circuit != at || h.Requests != requests || h.Failures != failures {
		b.Errorf("%s with %d of %d failed, want %s with %d of %d", h.Circuit, h.Failures, h.Requests, at, failures, requests)
	}
	return b
}

// TestThreshold is "at least 500 requests in a rolling 30 minutes and at least 50
// percent failed".
func TestThreshold(t *testing.T) {
	for name, play := range map[string]func(b *bench){
		"499 requests": func(b *bench) { b.ask(499, Failure).want(Closed, 499, 499) },
		"500 requests": func(b *bench) { b.ask(500, Failure).want(Open, 0, 0) },
		"250 of 500": func(b *bench) {
			b.ask(250, Success).ask(249, Failure).want(Closed, 499, 249).ask(1, Failure).want(Open, 0, 0)
		},
		"249 of 500":   func(b *bench) { b.ask(251, Success).ask(249, Failure).want(Closed, 500, 249) },
		"49.9 percent": func(b *bench) { b.ask(501, Success).ask(499, Failure).want(Closed, 1000, 499) },
		"50 percent": func(b *bench) {
			b.ask(500, Success).ask(499, Failure).want(Closed, 999, 499).ask(1, Failure).want(Open, 0, 0)
		},
		"a success opens nothing": func(b *bench) {
			b.ask(499, Failure).ask(1, Success).want(Closed, 500, 499).ask(1, Neutral).want(Closed, 500, 499).ask(1, Failure).want(Open, 0, 0)
		},
		"neutral is not counted": func(b *bench) { b.ask(600, Neutral).ask(499, Failure).ask(600, Neutral).want(Closed, 499, 499) },
		"all is well":            func(b *bench) { b.ask(5000, Success).want(Closed, 5000, 0) },
		"the oldest counts":      func(b *bench) { b.ask(499, Failure).wait(30*time.Minute-1).ask(1, Failure).want(Open, 0, 0) },
		"30 minutes are over":    func(b *bench) { b.ask(499, Failure).wait(30*time.Minute).ask(1, Failure).want(Closed, 1, 1) },
		"the window rolls": func(b *bench) {
			b.ask(300, Failure).wait(20*time.Minute).ask(199, Failure).wait(10*time.Minute).want(Closed, 199, 199).
				ask(300, Failure).want(Closed, 499, 499).ask(1, Failure).want(Open, 0, 0)
		},
		"old successes go": func(b *bench) {
			b.ask(600, Success).wait(15*time.Minute).ask(499, Failure).want(Closed, 1099, 499).wait(15*time.Minute).want(Closed, 499, 499).
				ask(1, Failure).want(Open, 0, 0)
		},
	} {
		t.Run(name, func(t *testing.T) { play(newBench(t)) })
	}
}

// TestReopening is "new requests allowed after 5 minutes; at least 10 requests
// re-evaluated; health checks every 5 minutes".
func TestReopening(t *testing.T) {
	for name, play := range map[string]func(b *bench){
		"too early": func(b *bench) { b.wait(5*time.Minute-1).ask(50, Success).want(Open, 0, 0) },
		"after 5":   func(b *bench) { b.wait(5*time.Minute).ask(1, Success).want(Probing, 1, 0) },
		"9 of 9":    func(b *bench) { b.wait(5*time.Minute).ask(9, Success).want(Probing, 9, 0) },
		"10 well":   func(b *bench) { b.wait(5*time.Minute).ask(10, Success).want(Closed, 0, 0) },
		"9 failed":  func(b *bench) { b.wait(5*time.Minute).ask(9, Failure).want(Probing, 9, 9) },
		"10 failed": func(b *bench) { b.wait(5*time.Minute).ask(10, Failure).want(Open, 0, 0) },
		"5 of 10":   func(b *bench) { b.wait(5*time.Minute).ask(5, Failure).ask(5, Success).want(Open, 0, 0) },
		"4 of 10":   func(b *bench) { b.wait(5*time.Minute).ask(4, Failure).ask(6, Success).want(Closed, 0, 0) },
		"neutral":   func(b *bench) { b.wait(5*time.Minute).ask(100, Neutral).ask(9, Failure).want(Probing, 9, 9) },
		"no hurry": func(b *bench) {
			b.wait(5*time.Minute).ask(9, Failure).wait(time.Hour).want(Probing, 9, 9).ask(1, Success).want(Open, 0, 0)
		},
		"fully closed": func(b *bench) {
			b.wait(5*time.Minute).ask(10, Success).ask(499, Failure).want(Closed, 499, 499).ask(1, Failure).want(Open, 0, 0)
		},
		"every 5 minutes": func(b *bench) {
			for range 5 {
				b.wait(5*time.Minute-1).ask(1, Success).want(Open, 0, 0).wait(1).ask(10, Failure).want(Open, 0, 0)
			}
			b.wait(5*time.Minute).ask(10, Success).want(Closed, 0, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t).ask(500, Failure).want(Open, 0, 0)
			h := b.health(world.Contract(), b.now)
			if !h.Since.Equal(b.now) || !h.NextCheck.Equal(b.now.Add(5*time.Minute)) {
				t.Errorf("health %+v", h)
			}
			play(b)
		})
	}
}

// TestStragglers says nothing about a state by answers to requests from before it.
func TestStragglers(t *testing.T) {
	b, l := newBench(t), world.Contract()
	early, _ := b.enter(l, b.now)
	b.ask(500, Failure).want(Open, 0, 0).leave(l, b.now, early, Failure)
	b.want(Open, 0, 0).wait(5 * time.Minute)
	probe, ok := b.enter(l, b.now)
	b.leave(l, b.now, early, Failure)
	b.want(Probing, 0, 0).ask(10, Success).want(Closed, 0, 0).leave(l, b.now, probe, Failure)
	if b.want(Closed, 0, 0); !ok {
		t.Error("no request after five minutes")
	}
}
