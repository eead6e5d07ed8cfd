package rules

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Timeout is how long an app may take to answer. One sentence about locations says a second; all else says this.
const Timeout = 800 * time.Millisecond

// Settings select a reading where the contract has two, and the merchant's choices. The zero value is the contract as
// it is read here.
type Settings struct {
	// Keep is the other reading of filtered_options: the options of an answer are kept, and all others hidden.
	Keep bool
	// FewestPlaces is the merchant's setting to ship from as few places as possible: a location that has everything
	// comes first, whatever an app answers.
	FewestPlaces bool
	// Timeout is how long an app may take; 0 is the constant.
	Timeout time.Duration
	// Delay is added to what each answer takes.
	Delay time.Duration
}

// Platform asks apps about purchases. It is safe for concurrent use. Its memory is not part of a snapshot of the world,
// but the addresses of the apps are.
type Platform struct {
	world *world.World
	call  delivery.Caller
	runs  work.Log[Run]

	mu       sync.Mutex
	settings Settings
}

// New returns a platform over the world.
func New(w *world.World, call delivery.Caller) *Platform { return &Platform{world: w, call: call} }

// Set changes the settings from the next question on.
func (p *Platform) Set(s Settings) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settings = s
}

// Settings are those in force.
func (p *Platform) Settings() Settings {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settings
}

// Outcome is what an answer means.
type Outcome string

// The outcomes.
const (
	Applied Outcome = "applied" // the rule counts
	NoRule  Outcome = "none"    // the checkout continues as without the app
)

// Run is a call to an app about a purchase, with the outcome.
type Run struct {
	// N counts the runs of the platform from 1.
	N      int
	At     time.Time
	Store  int64
	App    int64
	Cart   int64
	Domain world.RuleDomain
	URL    string
	// Request is what was sent.
	Request []byte
	// Status is 0 if there was no answer.
	Status   int
	Answer   []byte
	Late     bool
	Duration time.Duration
	// DecidedBy is the clock that decides Late: "virtual" or "real".
	DecidedBy string
	Wire      delivery.Wire
	// Command is that of the answer, whether it counts or not.
	Command string
	Outcome Outcome
	// Reason says why there is no rule; empty if the app has none, or its rule counts.
	Reason string
	// Unmatched has the options of the answer that the checkout does not have, as they were written.
	Unmatched []string
	// Unread are the paths of the members of the answer that nothing reads.
	Unread []string
}

// Runs returns the records, the oldest first. Of very many the oldest are forgotten.
func (p *Platform) Runs() []Run { return p.runs.All() }

// RunsIn returns a part of them, by their numbers.
func (p *Platform) RunsIn(part work.Part) []Run {
	return p.runs.Part(part, func(r Run) int64 { return int64(r.N) })
}

// Log is the log of the runs.
func (p *Platform) Log() *work.Log[Run] { return &p.runs }

// verdict is a run with what its answer says.
type verdict struct {
	Run
	detail members
	named  []optionKey // by an answer about options
	order  []string    // of an answer about locations
}

// ask asks the apps about a domain, one after the other. It fails if there is no such cart or ctx ends, not because of
// what an app answers. Judge looks at an answer to the domain: it returns why that is no rule, and notes what is
// unmatched.
func (p *Platform) ask(
	ctx context.Context, store, cart int64, domain world.RuleDomain, judge func(*verdict) error,
) ([]verdict, error) {
	view, err := p.view(store, cart)
	if err != nil {
		return nil, err
	}
	var runs []Run
	err = p.world.View(0, store, func(tx *world.Tx) error {
		body, err := request(tx, view, domain)
		if err != nil {
			return err
		}
		for _, c := range tx.RuleCallbacks.Where("domain", string(domain)) {
			if tx.Installed(c.AppID) {
				runs = append(runs, Run{Store: store, App: c.AppID, Cart: cart, Domain: domain, URL: c.URL, Request: body})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	slices.SortFunc(runs, func(a, b Run) int { return cmp.Compare(a.App, b.App) })
	var out []verdict
	for _, r := range runs {
		v, err := p.send(ctx, r)
		if err != nil {
			return nil, err
		}
		v.settle(judge)
		v.Run = p.runs.Add(v.Run, func(r *Run, n int) { r.N = n })
		out = append(out, v)
	}
	return out, nil
}

// view is a cart, or an abandoned checkout, as its customer sees it.
func (p *Platform) view(store, cart int64) (shop.View, error) {
	v, err := shop.New(p.world, store, p.call, shop.Options{}).View(cart)
	if err != nil {
		err = fmt.Errorf("rules: %w", err)
	}
	return v, err
}

// send asks an app. It fails if ctx ended before there was an answer.
func (p *Platform) send(ctx context.Context, r Run) (verdict, error) {
	s := p.Settings()
	if s.Timeout == 0 {
		s.Timeout = Timeout
	}
	r.At = p.world.Clock().Now()
	reply := p.call(ctx, delivery.Call{
		URL: r.URL, Body: r.Request, Timeout: s.Timeout, Delay: s.Delay,
		Header: http.Header{"Content-Type": {"application/json"}, "User-Agent": {"Commerce-Platform-Rules"}},
	})
	if err := ctx.Err(); err != nil && reply.Err != nil {
		return verdict{}, err
	}
	r.Status, r.Answer, r.Late = reply.Status, reply.Body, reply.Late
	r.Duration, r.DecidedBy, r.Wire = reply.Duration, reply.DecidedBy, reply.Wire
	if reply.Err != nil {
		r.Reason = reply.Err.Error()
	}
	return verdict{Run: r}, nil
}
