package carrier

import (
	"cmp"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// State is that of a circuit.
type State string

const (
	// Closed: the carrier is asked.
	Closed State = "closed"
	// Open: no requests are sent.
	Open State = "open"
	// Probing: new requests are let through until there are enough to judge by.
	Probing State = "probing"
)

// Verdict is what an answer is to the circuit.
type Verdict string

const (
	// Success is an answer 2xx.
	Success Verdict = "success"
	// Failure is an answer 5xx, one that is late, or none.
	Failure Verdict = "failure"
	// Neutral is any other answer. It is not counted.
	Neutral Verdict = "neutral"
)

// circuit keeps the count of one carrier. It is not safe for concurrent use.
//
//	closed   a failure, with at least 500 requests in the last 30 minutes
//	         of which at least 50 percent failed                           open
//	open     5 minutes                                                     probing
//	probing  10 requests of which fewer than 50 percent failed             closed
//	probing  10 requests of which at least 50 percent failed               open
type circuit struct {
	// current is the state, empty for Closed, and since is when it began.
	current State
	since   time.Time
	// window has the requests that count, the oldest first. While the circuit probes
	// they are those since it began.
	window []counted
	failed int
	// turn counts the changes of the state.
	turn int
}

type counted struct {
	at     time.Time
	failed bool
}

// pass is the permission to send a request. It is good for the state it was given in.
type pass struct{ turn int }

func (c *circuit) state() State { return cmp.Or(c.current, Closed) }

// change begins a state with nothing counted.
func (c *circuit) change(to State, now time.Time) {
	c.current, c.since, c.window, c.failed = to, now, nil, 0
	c.turn++
}

// enter reports whether a request may be sent.
func (c *circuit) enter(l world.Limits, now time.Time) (pass, bool) {
	if c.current == Open && now.Sub(c.since) >= l.CircuitPause {
		c.change(Probing, now)
	}
	return pass{c.turn}, c.current != Open
}

// leave counts what became of a request.
func (c *circuit) leave(l world.Limits, now time.Time, by pass, v Verdict) {
	if by.turn != c.turn || v == Neutral {
		return
	}
	c.forget(l, now)
	c.window = append(c.window, counted{now, v == Failure})
	if v == Failure {
		c.failed++
	}
	probing, bad := c.current == Probing, c.failed*100 >= l.CircuitFailures*len(c.window)
	switch {
	case probing && len(c.window) < l.CircuitProbes:
	case probing && !bad:
		c.change(Closed, now)
	case probing, v == Failure && len(c.window) >= l.CircuitRequests && bad:
		c.change(Open, now)
	}
}

// forget drops requests that are too old to count. The probes of a circuit do not age.
func (c *circuit) forget(l world.Limits, now time.Time) {
	if c.current == Probing {
		return
	}
	n := 0
	for n < len(c.window) && now.Sub(c.window[n].at) >= l.CircuitWindow {
		if c.window[n].failed {
			c.failed--
		}
		n++
	}
	c.window = c.window[n:]
}

// Health is how a carrier stands.
type Health struct {
	// Healthy is set if the last answer was 2xx, or nothing was asked yet.
	Healthy bool
	Circuit State
	// Requests of the last 30 minutes are counted, Failures among them; while the
	// circuit probes, those since it began to. An open circuit counts none.
	Requests, Failures int
	// Since is when the circuit got its state, zero for one that never opened.
	Since time.Time
	// NextCheck is when an open circuit lets requests through; otherwise it is zero.
	NextCheck time.Time
}

func (c *circuit) health(l world.Limits, now time.Time) Health {
	c.forget(l, now)
	h := Health{Circuit: c.state(), Requests: len(c.window), Failures: c.failed, Since: c.since}
	if c.current == Open {
		h.NextCheck = c.since.Add(l.CircuitPause)
	}
	return h
}
