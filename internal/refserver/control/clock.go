package control

import (
	"context"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
)

// movable is a clock that can be moved: clock.Virtual and clock.Ahead.
type movable interface {
	clock.Clock
	Step(until time.Time) bool
	Next() (time.Time, bool)
	Pending() int
}

func (c *call) movable() (movable, error) {
	m, ok := c.server.Clock().(movable)
	if !ok {
		return nil, &Error{
			Status: 409, Message: "the clock of this server is the machine's", Hint: "start the server with --control",
		}
	}
	return m, nil
}

func clockNow(c *call) (any, error) {
	out := map[string]any{
		"now": stamp(c.server.Clock().Now()), "next": nil, "waiting": 0, "movable": false, "stands_still": false,
	}
	if m, err := c.movable(); err == nil {
		at, _ := m.Next()
		_, still := m.(*clock.Virtual)
		out["next"], out["waiting"], out["movable"], out["stands_still"] = stamp(at), m.Pending(), true, still
	}
	return out, nil
}

type advanceJSON struct {
	By span `json:"by"`
}

func advance(c *call, in advanceJSON) (any, error) {
	if in.By <= 0 {
		return nil, wrong("by", in.By, "must be more than 0")
	}
	return c.move(func(now time.Time) time.Time { return now.Add(time.Duration(in.By)) })
}

type toJSON struct {
	At time.Time `json:"at"`
}

func advanceTo(c *call, in toJSON) (any, error) {
	if now := c.server.Clock().Now(); !in.At.After(now) {
		return nil, wrong("at", stamp(in.At), "must be after "+*stamp(now))
	}
	return c.move(func(time.Time) time.Time { return in.At })
}

func advanceNext(c *call) (any, error) {
	m, err := c.movable()
	if err != nil {
		return nil, err
	}
	at, ok := m.Next()
	if !ok {
		return nil, &Error{
			Status: 409, Message: "no event is scheduled", Hint: "\"refserver clock advance 1h\" or POST " + Prefix + "clock/advance moves the clock anyway",
		}
	}
	return c.move(func(time.Time) time.Time { return at })
}

// farthest is the time that clocks can be moved to: times after it have more than four digits for the year.
var farthest = time.Date(9000, time.January, 1, 0, 0, 0, 0, time.UTC)

// move moves the clock from one due call to the next, since each may be to a partner that hangs. If the time is over,
// the next move continues. One call at a time moves the clock.
func (c *call) move(to func(now time.Time) time.Time) (any, error) {
	m, err := c.movable()
	if err != nil {
		return nil, err
	}
	select {
	case c.moving <- struct{}{}:
		defer func() { <-c.moving }()
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
	// Calls in progress, such as the first attempt at a webhook, end before calls that wait for the clock begin. A
	// partner that hangs holds the clock for no longer than that.
	settled, cancel := context.WithTimeout(c.ctx, mostTime/3)
	defer cancel()
	_ = c.server.Settle(settled)
	until := to(m.Now())
	if until.After(farthest) || until.Before(m.Now().Add(-time.Hour)) { // the sum of a time and a duration may wrap
		return nil, wrong("time", stamp(until), "must be before "+*stamp(farthest))
	}
	ran, done := 0, false
	for began := time.Now(); !done && time.Since(began) < mostTime/3 && c.ctx.Err() == nil; {
		if done = !m.Step(until); !done {
			ran++
		}
	}
	return map[string]any{"now": stamp(m.Now()), "ran": ran, "done": done}, nil
}
