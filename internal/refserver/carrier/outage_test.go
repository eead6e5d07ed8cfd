package carrier_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// fresh asks for rates n times, each time for something else.
func (p *post) fresh(n int) carrier.Quote {
	p.Helper()
	var q carrier.Quote
	for range n {
		c := parcel()
		c.Items[0].ID = int64(1000 + len(p.desk.Calls()))
		q = p.quote(c)
	}
	return q
}

func (p *post) wantCircuit(want carrier.State) {
	p.Helper()
	if h := p.desk.Health(p.store.ID, 77); h.Circuit != want {
		p.Errorf("the circuit is %+v, want %s", h, want)
	}
}

// TestOutage goes through a whole outage on the clock of the server.
func TestOutage(t *testing.T) {
	p := open(t)
	p.contingency()
	p.quote(parcel()) // is reused below
	p.fresh(249)
	p.answers(503)
	p.fresh(249)
	p.wantCircuit(carrier.Closed)
	if q := p.fresh(1); q.Calls[0].Source != carrier.Asked || q.Options[0].Source != carrier.Fallback {
		t.Errorf("the request that opens: %+v", q)
	}
	p.wantCircuit(carrier.Open)
	opened, asked := p.clock.Now(), p.asked()
	if asked != 500 {
		t.Errorf("%d requests, want 500", asked)
	}

	q := p.fresh(20)
	if c := q.Calls[0]; p.asked() != asked || c.Source != carrier.Skipped || c.Counts != "" || c.Status != 0 || !c.Fallback || c.Reason != "the circuit is open" {
		t.Errorf("open: %+v", c)
	}
	if len(q.Options) != 1 || q.Options[0].Name != "Flat" {
		t.Errorf("open: options %+v", q.Options)
	}
	if q := p.quote(parcel()); q.Calls[0].Source != carrier.Cached || len(q.Options) != 1 || q.Options[0].Source != carrier.Cached {
		t.Errorf("an answer is reused while the circuit is open: %+v", q)
	}

	p.clock.Advance(5*time.Minute - 1)
	if p.fresh(3); p.asked() != asked {
		t.Error("the carrier is asked too early")
	}
	p.clock.Advance(1)
	p.fresh(9)
	p.wantCircuit(carrier.Probing)
	p.fresh(1)
	p.wantCircuit(carrier.Open)
	if p.fresh(5); p.asked() != asked+10 {
		t.Errorf("%d requests after five minutes, want 10", p.asked()-asked)
	}
	if h := p.desk.Health(p.store.ID, 77); !h.Since.Equal(opened.Add(5*time.Minute)) || !h.NextCheck.Equal(opened.Add(10*time.Minute)) || h.Healthy {
		t.Errorf("health %+v", h)
	}

	p.clock.Advance(5 * time.Minute)
	p.answers(200)
	if q := p.fresh(10); q.Options[0].Source != carrier.Asked {
		t.Errorf("back: %+v", q.Options)
	}
	p.wantCircuit(carrier.Closed)
	if h := p.desk.Health(p.store.ID, 77); h.Requests != 0 || !h.Healthy {
		t.Errorf("health %+v", h)
	}
}

// TestLateAnswersOpen counts answers that take five seconds like those that fail.
func TestLateAnswersOpen(t *testing.T) {
	p := open(t)
	p.takes = 5 * time.Second
	p.fresh(500)
	p.wantCircuit(carrier.Open)
}

// TestRefusalsDoNotOpen is why partners should use 4xx for business errors.
func TestRefusalsDoNotOpen(t *testing.T) {
	p := open(t)
	p.answers(422)
	p.fresh(600)
	p.wantCircuit(carrier.Closed)
	if h := p.desk.Health(p.store.ID, 77); h.Requests != 0 || h.Healthy {
		t.Errorf("health %+v", h)
	}
}

// TestReuseIsNoRequest repeats what the cache answers.
func TestReuseIsNoRequest(t *testing.T) {
	p := open(t)
	for range 600 {
		p.quote(parcel())
	}
	if h := p.desk.Health(p.store.ID, 77); h.Requests != 1 || p.asked() != 1 {
		t.Errorf("%+v, %d requests", h, p.asked())
	}
}

// TestCircuitsAreApart has one per carrier.
func TestCircuitsAreApart(t *testing.T) {
	p := open(t)
	l := p.World().Limits()
	l.CircuitRequests = 5
	p.World().SetLimits(l)
	p.answers(500)
	p.fresh(5)
	p.wantCircuit(carrier.Open)
	p.update(func(tx *world.Tx) error {
		c := p.carrier
		c.ID = 78
		return tx.Carriers.Put(c.ID, c)
	})
	q := p.fresh(1)
	if len(q.Calls) != 2 || q.Calls[0].Source != carrier.Skipped || q.Calls[1].Source != carrier.Asked {
		t.Errorf("calls %+v", q.Calls)
	}
}

// TestAtTheSameTime has many customers, and numbers every call once.
func TestAtTheSameTime(t *testing.T) {
	p := open(t)
	p.warehouse()
	var buying sync.WaitGroup
	for i := range 64 {
		buying.Go(func() {
			c := parcel()
			c.To.Name = fmt.Sprint(i % 8)
			if _, err := p.desk.Quote(t.Context(), p.store.ID, c); err != nil {
				t.Error(err)
			}
		})
	}
	buying.Wait()
	calls := p.desk.Calls()
	for i, c := range calls {
		if c.N != i+1 || !c.Healthy {
			t.Fatalf("call %d: %+v", i, c)
		}
	}
	if h := p.desk.Health(p.store.ID, 77); len(calls) != 64 || h.Requests != p.asked() {
		t.Errorf("%d calls, %d requests, %+v", len(calls), p.asked(), h)
	}
}
