package shipping

import (
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// The rules of the platform's circuit breaker. It stops sending requests to a callback that failed in at least half
// of at least 500 requests in the last 30 minutes. After 5 minutes it evaluates at least 10 new requests.
const (
	healthWindow   = 30 * time.Minute
	healthRequests = 500
	healthRest     = 5 * time.Minute
	healthProbes   = 10

	warnRequests = 250

	healthBucket  = 10 * time.Second
	healthBuckets = int(healthWindow / healthBucket)
)

// HealthState is a state of the platform's circuit breaker, as estimated by this process.
type HealthState int

// The states.
const (
	// HealthStateHealthy means that the platform sends requests.
	HealthStateHealthy HealthState = iota
	// HealthStateAtRisk is the early warning: at least 30 percent of at least 250 requests in the last 30 minutes
	// failed. It ends when less than 25 percent failed.
	HealthStateAtRisk
	// HealthStateOpen means that at least half of at least 500 requests failed. The platform sends no requests for 5
	// minutes, and customers see the merchant's fallback.
	HealthStateOpen
	// HealthStateProbing means that the 5 minutes have passed, and the next 10 requests decide.
	HealthStateProbing
)

// String returns the name of the state in lower case.
func (s HealthState) String() string {
	switch s {
	case HealthStateAtRisk:
		return "at risk"
	case HealthStateOpen:
		return "open"
	case HealthStateProbing:
		return "probing"
	}
	return "healthy"
}

// Health is an estimate of the platform's view of a carrier. It covers only the answers of this process. Answers of
// other replicas and answers lost on the network are not included.
type Health struct {
	StoreID   client.ID   // the store of the carrier
	CarrierID client.Code // empty if requests do not name it
	State     HealthState
	// Requests and Failures are the counted requests of the last 30 minutes, or of the evaluation while State is
	// HealthStateProbing. Failures are answers with status 5xx and answers after 5 seconds. Refusals (4xx) are in
	// neither, or in Requests if Handler.RefusalsCount is set.
	Requests, Failures int
	// Since is the time at which the state began; zero if it never changed.
	Since time.Time
}

// mirror simulates the platform's circuit breaker.
type mirror struct {
	mu      sync.Mutex
	state   HealthState
	since   time.Time
	buckets [healthBuckets + 1]tally // one more than the window, for the bucket in progress
	at      int64                    // number of the current bucket
	sum     tally
	probes  tally
	start   time.Time // of the first bucket, by the monotonic clock, because a wall clock can be set
}

type tally struct{ requests, failures uint32 }

func (t tally) failed(percent uint32) bool { return 100*t.failures >= percent*t.requests }

// record counts an answer and reports whether the state changed.
func (m *mirror) record(now time.Time, failed bool) (Health, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.move(now)
	before := m.state
	one := tally{requests: 1}
	if failed {
		one.failures = 1
	}
	switch m.state {
	case HealthStateOpen: // the platform sent it before its breaker opened
	case HealthStateProbing:
		m.probes.add(one)
		m.evaluate(now)
	default:
		m.buckets[m.index(0)].add(one)
		m.sum.add(one)
		m.judge(now, failed)
	}
	return m.snapshot(), m.state != before
}

// evaluate ends the probing after enough requests.
func (m *mirror) evaluate(now time.Time) {
	switch {
	case m.probes.requests < healthProbes:
	case m.probes.failed(50):
		m.enter(HealthStateOpen, now)
	default:
		m.buckets, m.sum = [healthBuckets + 1]tally{}, tally{}
		m.enter(HealthStateHealthy, now)
	}
}

// judge sets the state while requests arrive. Only a failure opens the circuit.
func (m *mirror) judge(now time.Time, failed bool) {
	switch {
	case failed && m.sum.requests >= healthRequests && m.sum.failed(50):
		m.enter(HealthStateOpen, now)
	case m.sum.requests >= warnRequests && m.sum.failed(30):
		m.enter(HealthStateAtRisk, now)
	case m.sum.requests < warnRequests || !m.sum.failed(25):
		m.enter(HealthStateHealthy, now)
	}
}

func (m *mirror) enter(s HealthState, now time.Time) {
	if m.state != s {
		m.state, m.since = s, now
	}
}

// look returns the health, and whether the passage of time changed the state.
func (m *mirror) look(now time.Time) (Health, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.state
	m.move(now)
	return m.snapshot(), m.state != before
}

func (m *mirror) snapshot() Health {
	counts := m.sum
	if m.state == HealthStateProbing {
		counts = m.probes
	}
	return Health{State: m.state, Requests: int(counts.requests), Failures: int(counts.failures), Since: m.since}
}

// move removes buckets that are older than the window, and ends an open circuit after its time.
func (m *mirror) move(now time.Time) {
	if m.start.IsZero() {
		m.start = now
	}
	current := int64(now.Sub(m.start) / healthBucket)
	for n := min(current-m.at, int64(len(m.buckets))); n > 0; n-- {
		oldest := m.index(n)
		m.sum.sub(m.buckets[oldest])
		m.buckets[oldest] = tally{}
	}
	m.at = max(m.at, current)
	switch {
	case m.state == HealthStateOpen && now.Sub(m.since) >= healthRest:
		m.probes = tally{}
		m.enter(HealthStateProbing, now)
	case m.state == HealthStateAtRisk:
		m.judge(now, false)
	}
}

// index returns the position in the ring of the bucket that is ahead buckets after the current one.
func (m *mirror) index(ahead int64) int { return int((m.at + ahead) % int64(len(m.buckets))) }

// named returns the health with the ids of the carrier.
func (c *circuit) named(h Health) Health {
	h.StoreID, h.CarrierID = c.store, c.carrier
	return h
}

// worse reports whether the health is worse than another one.
func (h Health) worse(other Health) bool {
	rank := func(s HealthState) int {
		return [...]int{HealthStateHealthy: 0, HealthStateAtRisk: 1, HealthStateProbing: 2, HealthStateOpen: 3}[s]
	}
	if a, b := rank(h.State), rank(other.State); a != b {
		return a > b
	}
	return h.Failures > other.Failures
}

func (t *tally) add(o tally) { t.requests, t.failures = t.requests+o.requests, t.failures+o.failures }
func (t *tally) sub(o tally) { t.requests, t.failures = t.requests-o.requests, t.failures-o.failures }
