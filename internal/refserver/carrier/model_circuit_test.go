package carrier

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// few is the number of requests, 500 in the contract, from which a circuit may open
// here, so that sequences come to it.
const few = 50

// record is the model of a circuit: all that ended since it got its state, from which
// everything else is counted anew each time.
type record struct {
	state State
	since time.Time
	ended []counted
}

func (r *record) become(state State, now time.Time) { *r = record{state: state, since: now} }

// look lets an open circuit probe after 5 minutes, which the next request tries.
func (r *record) look(now time.Time) bool {
	if r.state == Open && now.Sub(r.since) >= 5*time.Minute {
		r.become(Probing, now)
	}
	return r.state != Open
}

// tally are the requests that count, and those of them that failed.
func (r *record) tally(now time.Time) (requests, failures int) {
	for _, e := range r.ended {
		if r.state == Probing || now.Sub(e.at) < 30*time.Minute {
			if requests++; e.failed {
				failures++
			}
		}
	}
	return requests, failures
}

func (r *record) end(v Verdict, now time.Time) {
	if v == Neutral {
		return
	}
	r.ended = append(r.ended, counted{now, v == Failure})
	requests, failures := r.tally(now)
	half := 2*failures >= requests
	switch {
	case r.state == Probing && requests >= 10 && !half:
		r.become(Closed, now)
	case r.state == Probing && requests >= 10, r.state == Closed && v == Failure && requests >= few && half:
		r.become(Open, now)
	}
}

// TestModelOfCircuit compares the circuit with "at least 500 requests in a rolling 30
// minutes and at least 50 percent failed", "new requests allowed after 5 minutes" and
// "at least 10 requests re-evaluated".
func TestModelOfCircuit(t *testing.T) {
	limits := world.Contract()
	limits.CircuitRequests = few
	opened, closed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		b := &bench{now: time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)}
		m := &record{state: Closed}
		type permission struct {
			pass  pass
			state State
			since time.Time
		}
		var late []permission // requests that are still under way
		verdicts := rapid.SampledFrom([]Verdict{Failure, Failure, Success, Neutral})
		end := func(p permission, v Verdict) {
			b.leave(limits, b.now, p.pass, v)
			if p.state != m.state || !p.since.Equal(m.since) {
				return // what began in another state says nothing about this one
			}
			before := m.state
			if m.end(v, b.now); m.state != before {
				t.Logf("it is %s", m.state)
				if m.state == Open {
					opened++
				} else {
					closed++
				}
			}
		}
		begin := func() (permission, bool) {
			by, ok := b.enter(limits, b.now)
			if may := m.look(b.now); may != ok {
				t.Fatalf("a request is sent: %v, the model says %v", ok, may)
			}
			return permission{by, m.state, m.since}, ok
		}
		t.Repeat(map[string]func(*rapid.T){
			"requests": func(t *rapid.T) {
				n := rapid.SampledFrom([]int{1, 4, 5, 6, 10, 24, 25, 26, 49, 50}).Draw(t, "n")
				v := verdicts.Draw(t, "verdict")
				t.Logf("%d requests end: %s", n, v)
				for range n {
					if p, ok := begin(); ok {
						end(p, v)
					}
				}
			},
			"begin": func(t *rapid.T) {
				if p, ok := begin(); ok {
					late = append(late, p)
					t.Logf("request %d begins", len(late))
				}
			},
			"end": func(t *rapid.T) {
				if len(late) == 0 {
					t.Skip("no request is under way: rapid draws another step")
				}
				v := verdicts.Draw(t, "verdict")
				t.Logf("of %d requests under way the first ends: %s", len(late), v)
				end(late[0], v)
				late = late[1:]
			},
			"time": func(t *rapid.T) {
				d := rapid.SampledFrom([]time.Duration{time.Second, time.Minute, 5*time.Minute - 1, 5 * time.Minute, 10 * time.Minute, 29 * time.Minute, 30*time.Minute - 1, 30 * time.Minute}).Draw(t, "pass")
				t.Logf("%v pass", d)
				b.wait(d)
			},
			"": func(t *rapid.T) {
				h := b.health(limits, b.now)
				requests, failures := m.tally(b.now)
				if h.Circuit != m.state || h.Requests != requests || h.Failures != failures || !h.Since.Equal(m.since) {
					t.Fatalf("%s with %d of %d failed since %v, the model is %s with %d of %d since %v", h.Circuit, h.Failures, h.Requests, h.Since, m.state, failures, requests, m.since)
				}
			},
		})
	})
	if opened == 0 || closed == 0 {
		t.Errorf("it opened %d times and closed %d times: want both", opened, closed)
	}
}
