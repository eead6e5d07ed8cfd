package shipping

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Twenty minutes with a dead upstream and a warm cache: nothing that the platform counts.
func TestOutageWithWarmCache(t *testing.T) { synctest.Test(t, testOutageWithWarmCache) }

func testOutageWithWarmCache(t *testing.T) {
	const keys = 40
	s := &script{}
	p := newProbe(s.do, nil)
	s.set([]Rate{ship(t, "standard")}, nil, 0)
	bodies := make([][]byte, keys)
	for i := range bodies {
		bodies[i] = with(t, "items.0.grams", 100+i)
		p.want(t, bodies[i], 200, SourceCalled)
	}
	time.Sleep(FreshTime)
	calls := s.calls.Load()
	s.deaf = true
	s.set(nil, errDown, time.Minute) // dead: not even an error
	start, asked := time.Now(), 0
	var wg sync.WaitGroup
	for time.Since(start) < 20*time.Minute {
		for _, body := range bodies {
			wg.Go(func() {
				arrived := time.Now()
				if w := post(p, body); w.Code != 200 || time.Since(arrived) >= 4*time.Second {
					t.Errorf("got %d after %v", w.Code, time.Since(arrived))
				}
			})
			asked++
		}
		time.Sleep(15 * time.Second)
	}
	wg.Wait()
	health := p.Health()
	if health.Failures != 0 || health.State != HealthStateHealthy || len(p.states) != 0 {
		t.Errorf("counted %+v, told %v", health, p.states)
	}
	tried := s.calls.Load() - calls
	t.Logf("%d requests in 20 minutes, %d calls of the dead function, 0 failures", asked, tried)
	if tried*2 > int64(asked) {
		t.Errorf("%d calls for %d requests: the breaker did not open", tried, asked)
	}
	s.set([]Rate{ship(t, "standard")}, nil, 0)
	time.Sleep(2 * time.Minute)
	for _, body := range bodies {
		post(p, body)
	}
	time.Sleep(upstreamRest)
	p.want(t, with(t, "items.0.grams", 99), 200, SourceCalled)
}

func TestBreakerOfTheFunction(t *testing.T) { synctest.Test(t, testBreakerOfTheFunction) }

func testBreakerOfTheFunction(t *testing.T) {
	n := 0
	cold := func() []byte { n++; return with(t, "items.0.grams", n) }
	for _, policy := range []Policy{PolicyFail, PolicyRefuse} {
		s := &script{}
		p := newProbe(s.do, func(h *Handler) { h.Outage = policy })
		// Refusals are no failures, however many.
		s.set(nil, ErrNoCoverage, 0)
		for range 30 {
			p.want(t, cold(), 422, SourceNobody)
		}
		s.set(nil, errDown, 0)
		for range upstreamRequests {
			p.want(t, cold(), 503, SourceNobody)
		}
		calls := s.calls.Load()
		status := 503
		if policy == PolicyRefuse {
			status = 422
		}
		p.want(t, cold(), status, SourceNobody)
		if a := p.last(); !errors.Is(a.Err, ErrUpstream) || s.calls.Load() != calls {
			t.Errorf("told %+v, %d calls more", a, s.calls.Load()-calls)
		}
		synctest.Wait()
		opened := 0
		for _, f := range p.failures() {
			if errors.Is(f, ErrUpstream) {
				opened++
			}
		}
		if opened != 1 {
			t.Errorf("told %d times that the function is not called", opened)
		}
		s.set([]Rate{ship(t, "standard")}, nil, 0)
		time.Sleep(upstreamRest + 1)
		for range upstreamProbes + 1 {
			p.want(t, cold(), 200, SourceCalled)
		}
	}
}

// The mirror of the platform's circuit, at the bounds of the contract.
func TestHealth(t *testing.T) { synctest.Test(t, testHealth) }

func testHealth(t *testing.T) {
	for _, v := range []struct {
		name             string
		requests, failed int
		want             HealthState
	}{
		{"499 requests, all failed", 499, 499, HealthStateAtRisk},
		{"500 requests, 249 failed", 500, 249, HealthStateAtRisk},
		{"500 requests, 250 failed", 500, 250, HealthStateOpen},
		{"501 requests, 250 failed", 501, 250, HealthStateAtRisk},
		{"249 requests, all failed", 249, 249, HealthStateHealthy},
		{"250 requests, 74 failed", 250, 74, HealthStateHealthy},
		{"250 requests, 75 failed", 250, 75, HealthStateAtRisk},
	} {
		m := &mirror{}
		for i := range v.requests { // those that succeed come first
			m.record(time.Now(), i >= v.requests-v.failed)
		}
		if h, _ := m.look(time.Now()); h.State != v.want || h.Requests != v.requests || h.Failures != v.failed {
			t.Errorf("%s: got %+v", v.name, h)
		}
	}
	m := &mirror{}
	fill := func(n int, failed bool) (h Health) {
		for range n {
			h, _ = m.record(time.Now(), failed)
		}
		return h
	}
	// What is older than 30 minutes does not count.
	fill(400, true)
	time.Sleep(healthWindow + healthBucket)
	if h := fill(499, false); h.State != HealthStateHealthy || h.Requests != 499 || h.Failures != 0 {
		t.Errorf("got %+v", h)
	}
	time.Sleep(healthWindow + healthBucket)
	fill(300, false)
	if h := fill(200, true); h.State != HealthStateAtRisk {
		t.Errorf("got %+v", h)
	}
	if h := fill(99, true); h.State != HealthStateAtRisk || h.Requests != 599 || h.Failures != 299 {
		t.Errorf("got %+v", h)
	}
	if h := fill(1, true); h.State != HealthStateOpen || !h.Since.Equal(time.Now()) {
		t.Errorf("got %+v", h)
	}
	// What is at risk is so until less than a quarter failed.
	falling := &mirror{}
	for i := range 301 {
		want := HealthStateAtRisk
		if i < warnRequests-1 || i == 300 {
			want = HealthStateHealthy
		}
		if h, _ := falling.record(time.Now(), i < 75); h.State != want {
			t.Fatalf("after %d requests, the first 75 of which failed: got %+v, want %s", i+1, h, want)
		}
	}
	// A request that succeeds opens nothing, whatever the others did; the next failure does.
	late := &mirror{}
	for i := range healthRequests {
		late.record(time.Now(), i < healthRequests-1)
	}
	if h, _ := late.look(time.Now()); h.State != HealthStateAtRisk || h.Requests != 500 || h.Failures != 499 {
		t.Errorf("got %+v", h)
	}
	if h, _ := late.record(time.Now(), true); h.State != HealthStateOpen {
		t.Errorf("got %+v", h)
	}
	// Five minutes without requests, then at least ten are looked at.
	time.Sleep(healthRest - 1)
	if h, changed := m.look(time.Now()); h.State != HealthStateOpen || changed {
		t.Errorf("got %+v", h)
	}
	time.Sleep(time.Nanosecond)
	if h, changed := m.look(time.Now()); h.State != HealthStateProbing || !changed || h.Requests != 0 {
		t.Errorf("got %+v", h)
	}
	fill(5, true)
	if h := fill(4, false); h.State != HealthStateProbing || h.Requests != 9 || h.Failures != 5 {
		t.Errorf("got %+v", h)
	}
	if h := fill(1, false); h.State != HealthStateOpen {
		t.Errorf("got %+v", h)
	}
	time.Sleep(healthRest)
	fill(4, true)
	if h := fill(6, false); h.State != HealthStateHealthy || h.Requests != 0 {
		t.Errorf("got %+v, want to begin anew", h)
	}
	// The warning ends with the window.
	fill(150, false)
	if h := fill(100, true); h.State != HealthStateAtRisk {
		t.Errorf("got %+v", h)
	}
	time.Sleep(healthWindow + healthBucket)
	if h, changed := m.look(time.Now()); h.State != HealthStateHealthy || !changed {
		t.Errorf("got %+v", h)
	}
	// A clock that goes back harms nobody.
	if h, _ := m.record(time.Now().Add(-time.Hour), false); h.Requests != 1 {
		t.Errorf("got %+v", h)
	}
}

// Refusals count for nothing, or as requests that did not fail; a warning is told once.
func TestHandlerTellsOfHealth(t *testing.T) { synctest.Test(t, testHandlerTellsOfHealth) }

func testHandlerTellsOfHealth(t *testing.T) {
	for _, count := range []bool{false, true} {
		s := &script{}
		p := newProbe(s.do, func(h *Handler) { h.RefusalsCount = count })
		body := document(t, "rate_request")
		s.set(nil, ErrNoCoverage, 0)
		for range 200 {
			post(p, body)
		}
		if h := p.Health(); h.Requests != map[bool]int{true: 200}[count] || h.Failures != 0 {
			t.Errorf("refusals count %v: got %+v", count, h)
		}
		if count {
			continue
		}
		s.set(nil, errDown, 0)
		time.Sleep(RefusalTime)
		for range 500 {
			post(p, body)
		}
		if len(p.states) != 2 || p.states[0].State != HealthStateAtRisk || p.states[0].Requests != warnRequests || p.states[1].State != HealthStateOpen {
			t.Errorf("told %+v", p.states)
		}
		time.Sleep(healthRest)
		if h := p.Health(); h.State != HealthStateProbing || len(p.states) != 3 || p.states[2].State.String() != "probing" {
			t.Errorf("got %+v, told %+v", h, p.states)
		}
	}
}

// Requests that find no place do not count against the function.
func TestBusyIsNoFailureOfTheFunction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{deaf: true}
		s.set([]Rate{ship(t, "standard")}, nil, time.Second)
		p := newProbe(s.do, func(h *Handler) { h.MaxRuns = 1 })
		var wg sync.WaitGroup
		for n := range 5 * upstreamRequests {
			wg.Go(func() { post(p, of(1, "7", n)) })
		}
		wg.Wait()
		if calls := s.calls.Load(); calls != 1 {
			t.Errorf("%d calls, want one at a time", calls)
		}
		s.set([]Rate{ship(t, "standard")}, nil, 0)
		for n := range 5 { // more than a breaker that is half open allows
			p.want(t, of(1, "7", 1000+n), 200, SourceCalled)
		}
	})
}

// A call whose client disconnects is still shared with the requests that come then, and its outcome counts when it is
// late, as that of any other.
func TestCallsOfClientsThatDisconnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{deaf: true}
		s.set(nil, nil, time.Hour)
		p := newProbe(s.do, nil)
		for n := range upstreamRequests {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			serve(p, httptest.NewRequestWithContext(ctx, http.MethodPost, "/rates", bytes.NewReader(of(1, "7", n))))
		}
		var wg sync.WaitGroup
		wg.Go(func() { post(p, of(1, "7", 0)) })
		synctest.Wait()
		if calls := s.calls.Load(); calls != upstreamRequests {
			t.Errorf("%d calls, want %d: a request with a key in progress joins it", calls, upstreamRequests)
		}
		time.Sleep(DefaultBudget - margin)
		wg.Wait()
		synctest.Wait()
		late := 0
		for _, f := range p.failures() {
			if errors.Is(f, ErrLate) {
				late++
			}
		}
		if late != upstreamRequests {
			t.Errorf("%d calls are reported as late, want %d", late, upstreamRequests)
		}
		began := time.Now()
		p.want(t, of(1, "7", 1000), 503, SourceNobody)
		if a := p.last(); !errors.Is(a.Err, ErrUpstream) || time.Since(began) > 0 {
			t.Errorf("got %v after %v, want that the function is not called", a.Err, time.Since(began))
		}
		time.Sleep(time.Hour)
	})
}
