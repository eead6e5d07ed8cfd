package shop

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Late says what an answer does that comes too late. The contract says both.
type Late int

const (
	// LateKeeps leaves the cart unchanged.
	LateKeeps Late = iota
	// LateRemoves removes what was taken off before.
	LateRemoves
)

// Timeout is how long an app may take to answer.
const Timeout = 800 * time.Millisecond

// Options say how a storefront behaves. The zero value is the contract.
type Options struct {
	Late Late
	// Timeout is how long an app may take; 0 is the contract's 800 ms.
	Timeout time.Duration
	// Delay is added to what each answer takes.
	Delay time.Duration
	// Seed decides on the order in which the commands of an answer are executed.
	Seed uint64
	// Signed sends the signature that is announced: the hexadecimal HMAC-SHA256 of
	// the body, keyed with the app's secret, in Header. Its form is assumed.
	Signed bool
	// Header carries the signature; empty is that of webhooks.
	Header string
	// Source is the address the carts come from; empty is one for documentation.
	Source string
	// LooseForms writes what the documentation shows in two forms in the rarer one:
	// installments as text, empty properties as [], no promotions as {}.
	LooseForms bool
	// Stragglers is how many carts are still sent to an app after the store has
	// uninstalled it.
	Stragglers int
	// Finish may refuse a purchase with a reason, such as that an app blocks it. It is called
	// before anything has changed, while the cart cannot; it may ask apps. Nil refuses none.
	Finish func(ctx context.Context, c Checkout) error
	// Payments takes payments; without it a purchase can name no provider.
	Payments *payment.Platform
	// Locks are shared by storefronts over the same carts; nil shares none.
	Locks *Locks
}

// Storefront is where the customers of one store are. It is safe for concurrent use;
// changes of one cart come one after the other.
type Storefront struct {
	world   *world.World
	store   int64
	call    delivery.Caller
	options Options
	runs    work.Log[Run]

	mu         sync.Mutex
	random     *rand.Rand
	stragglers map[int64]int // carts sent to an app that is gone
}

// New opens the storefront of a store.
func New(w *world.World, store int64, call delivery.Caller, o Options) *Storefront {
	if o.Timeout == 0 {
		o.Timeout = Timeout
	}
	if o.Locks == nil {
		o.Locks = new(Locks)
	}
	if o.Header == "" {
		o.Header = delivery.DefaultHeader
	}
	return &Storefront{
		world: w, store: store, call: call, options: o,
		random:     rand.New(rand.NewPCG(o.Seed, 0)),
		stragglers: map[int64]int{},
	}
}

// Runs returns what the apps were asked and answered, the oldest first.
func (s *Storefront) Runs() []Run { return s.runs.All() }

// RunsIn returns a part of them, by their numbers.
func (s *Storefront) RunsIn(part work.Part) []Run {
	return s.runs.Part(part, func(r Run) int64 { return int64(r.N) })
}

// Log is the log of the runs.
func (s *Storefront) Log() *work.Log[Run] { return &s.runs }

// lock keeps other changes of a cart out until the function it returns is called.
func (s *Storefront) lock(cart int64) (unlock func()) { return s.options.Locks.lock(cart) }

// record numbers a run and keeps it.
func (s *Storefront) record(r Run) { s.runs.Add(r, func(r *Run, n int) { r.N = n }) }

// shuffled is the order in which n commands are executed.
func (s *Storefront) shuffled(n int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.Perm(n)
}
