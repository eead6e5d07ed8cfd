package carrier

import (
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// kept is how many answers are reused at most.
const kept = 10000

// Rules select a reading where the contract has two, or none. The zero value is the contract.
type Rules struct {
	// RequireReference shows no rate without a reference, as a change of 2025 says.
	RequireReference bool
	// RefusalsSucceed makes an answer 4xx a success to the circuit, as the newer
	// documentation says; the contract calls it neutral.
	RefusalsSucceed bool
	// PlainCost sends additional_cost as a number; the sample has an object of amount and currency.
	PlainCost bool
	// NoCarrier leaves carrier out of the request, as the sample of 2023 does.
	NoCarrier bool
	// Delay is added to what each answer takes.
	Delay time.Duration
}

// Platform asks carriers. It is safe for concurrent use. Its memory is not part of a snapshot of the world.
type Platform struct {
	world *world.World
	call  delivery.Caller
	calls work.Log[Call]

	mu       sync.Mutex
	rules    Rules
	standing map[account]*standing
	answers  map[cacheKey]answer
}

// account is a carrier in its store.
type account struct{ store, carrier int64 }

// standing is what is known of a carrier.
type standing struct {
	circuit   circuit
	unhealthy bool
}

// cacheKey has the store, since the ids of carriers need not differ between stores.
type cacheKey struct {
	store int64
	key   string
}

// answer is one that may be reused.
type answer struct {
	status int
	body   []byte
	until  time.Time
}

// New returns a platform over the world.
func New(w *world.World, call delivery.Caller) *Platform {
	return &Platform{world: w, call: call, standing: map[account]*standing{}, answers: map[cacheKey]answer{}}
}

// SetRules changes the rules from the next quote on.
func (p *Platform) SetRules(r Rules) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = r
}

// Forget resets what is known of every carrier: circuits are closed, and no answer is used again.
func (p *Platform) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.standing)
	clear(p.answers)
}

// Rules are those in force.
func (p *Platform) Rules() Rules {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rules
}

// Health returns the state of a carrier. One that was never asked is healthy.
func (p *Platform) Health(store, carrier int64) Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.of(account{store, carrier})
	h := s.circuit.health(p.world.Limits(), p.world.Clock().Now())
	h.Healthy = !s.unhealthy
	return h
}

// of is what is known of a carrier. The lock is held.
func (p *Platform) of(a account) *standing {
	s := p.standing[a]
	if s == nil {
		s = new(standing)
		p.standing[a] = s
	}
	return s
}

// Call is the record of one carrier asked about one origin, or of why it was not.
type Call struct {
	// N counts the calls of the platform from 1.
	N        int
	At       time.Time
	Store    int64
	App      int64
	Carrier  int64
	Location string
	URL      string
	// Key is the MD5 that identical requests have, in hexadecimal.
	Key     string
	Source  Source
	Request []byte
	// Status is 0 if there was no answer. A reused answer has its own.
	Status   int
	Answer   []byte
	Late     bool
	Duration time.Duration
	// DecidedBy is the clock that decides Late: "virtual" or "real".
	DecidedBy string
	Wire      delivery.Wire
	// Counts is what the answer is to the circuit, empty if nothing was sent.
	Counts Verdict
	// Healthy is set for 2xx.
	Healthy bool
	// Fallback is set if contingencies are shown because of the call.
	Fallback bool
	Hidden   []Hidden
	// Unread are the paths of the members of an answer 2xx that nothing reads, such as "rates.address.zip".
	Unread []string
	// Reason says why the carrier is not healthy, or why the answer has no rates.
	Reason string
}

// Calls returns the records, the oldest first. Of very many the oldest are forgotten.
func (p *Platform) Calls() []Call { return p.calls.All() }

// CallsIn returns a part of them, by their numbers.
func (p *Platform) CallsIn(part work.Part) []Call {
	return p.calls.Part(part, func(c Call) int64 { return int64(c.N) })
}

// Log is the log of the calls.
func (p *Platform) Log() *work.Log[Call] { return &p.calls }

// record numbers a call and keeps it.
func (p *Platform) record(c Call) Call { return p.calls.Add(c, func(c *Call, n int) { c.N = n }) }

// reuse looks an answer up.
func (p *Platform) reuse(c Call, now time.Time) (answer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, ok := p.answers[cacheKey{c.Store, c.Key}]
	return a, ok && now.Before(a.until)
}

// keep makes an answer reusable for as long as its status says: 200 for 15 minutes, 422
// for one, others not at all.
func (p *Platform) keep(c Call, now time.Time) {
	l := p.world.Limits()
	last := map[int]time.Duration{http.StatusOK: l.RateReuse, http.StatusUnprocessableEntity: l.RefusalReuse}[c.Status]
	if last == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.answers) >= kept {
		for k, a := range p.answers {
			if !now.Before(a.until) || len(p.answers) >= kept {
				delete(p.answers, k)
			}
		}
	}
	p.answers[cacheKey{c.Store, c.Key}] = answer{c.Status, c.Answer, now.Add(last)}
}
