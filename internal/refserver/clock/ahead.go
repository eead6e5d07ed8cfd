package clock

import (
	"sync"
	"time"
)

// Ahead is a clock that can be moved ahead of the machine's. A program for a person uses it, so that its webhooks are
// repeated in time, but nobody waits 48 hours for the last of them. The zero value is the machine's clock. It is safe
// for concurrent use.
type Ahead struct {
	mu sync.Mutex
	// The clock stood at stood when the machine's was at machine, which has a reading of its monotonic clock. Both are
	// zero until the clock is moved. A duration could not say how far it is ahead: it ends at 292 years.
	stood, machine time.Time
	calls          map[*due]struct{}
}

// due is a call that waits for the machine's clock, unless Step comes first.
type due struct {
	clock *Ahead
	at    time.Time
	f     func()
	timer *time.Timer
}

// Now is the machine's time and what it was moved ahead by.
func (c *Ahead) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// now is Now. The lock is held.
func (c *Ahead) now() time.Time {
	if c.machine.IsZero() {
		return time.Now()
	}
	return c.stood.Add(time.Since(c.machine))
}

// AfterFunc calls f on a goroutine of its own once d has passed, or on the one that calls Step.
func (c *Ahead) AfterFunc(d time.Duration, f func()) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &due{clock: c, at: c.now().Add(d), f: f}
	if c.calls == nil {
		c.calls = map[*due]struct{}{}
	}
	c.calls[t] = struct{}{}
	t.timer = time.AfterFunc(d, func() {
		if t.Stop() {
			f()
		}
	})
	return t
}

// Stop takes the call back. It reports whether the call had not begun.
func (t *due) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	return t.stop()
}

// stop is Stop. The lock is held.
func (t *due) stop() bool {
	_, waits := t.clock.calls[t]
	delete(t.clock.calls, t)
	t.timer.Stop()
	return waits
}

// Next is when the first of the calls that wait is due; ok is false if none waits.
func (c *Ahead) Next() (at time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.first()
	if t == nil {
		return time.Time{}, false
	}
	return t.at, true
}

// first is the next call, nil if none waits. The lock is held. There are few: a call waits for each delivery that
// failed.
func (c *Ahead) first() *due {
	var first *due
	for t := range c.calls {
		if first == nil || t.at.Before(first.at) {
			first = t
		}
	}
	return first
}

// Step moves the clock to the next call that is due until then and runs it. Without one it moves the clock to until, or
// leaves it where it is if that has passed, and reports false.
func (c *Ahead) Step(until time.Time) bool {
	c.mu.Lock()
	t := c.first()
	if t == nil || t.at.After(until) {
		c.move(until)
		c.mu.Unlock()
		return false
	}
	t.stop()
	c.move(t.at)
	c.mu.Unlock()
	t.f()
	return true
}

// move puts the clock at a time that has not passed, and the calls that wait nearer. The lock is held.
func (c *Ahead) move(to time.Time) {
	if !to.After(c.now()) {
		return
	}
	c.stood, c.machine = to.Round(0), time.Now()
	for t := range c.calls {
		t.timer.Reset(t.at.Sub(c.now()))
	}
}

// Pending is the number of calls that wait.
func (c *Ahead) Pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.calls)
}
