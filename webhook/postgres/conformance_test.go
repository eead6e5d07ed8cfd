package postgres

import (
	"context"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxtest"
)

func engine(t *testing.T) inboxtest.Engine { return engineAt(t, database.URL()) }

// seed is that of random choices: see choices.
var seed = flag.Uint64("seed", rand.Uint64(), "seed of random choices")

// choices returns the nth source of random choices of a test, and prints the seed, which -seed sets.
func choices(t testing.TB, n int) *rand.Rand {
	t.Helper()
	if n == 0 {
		t.Logf("-seed %d", *seed)
	}
	return rand.New(rand.NewPCG(*seed, uint64(n)))
}

func TestInbox(t *testing.T) {
	t.Parallel()
	inboxtest.Run(t, engine(t))
}

// Every rule holds when each call comes from another of three processes, so to speak.
func TestReplicas(t *testing.T) {
	t.Parallel()
	inboxtest.Run(t, threeProcesses(t))
}

// rules tests every rule of an inbox. In make test, which has TestInbox, it plays a few random schedules instead.
func rules(t *testing.T, e inboxtest.Engine) {
	t.Helper()
	if tier.Size(true, false, false) {
		inboxtest.Schedules(t, e, 6, *seed)
		return
	}
	inboxtest.Run(t, e)
}

func TestProofSchedules(t *testing.T) {
	t.Parallel()
	inboxtest.Schedules(t, threeProcesses(t), tier.Size(6, 60, 5000), *seed)
}

// threeProcesses is an engine whose calls go to three inboxes with one queue, at random.
func threeProcesses(t *testing.T) inboxtest.Engine {
	e := engine(t)
	alone := e.Open
	e.Open = func(t *testing.T) webhook.Inbox {
		first := alone(t).(*Inbox)
		return &replicas{Inbox: first, choices: choices(t, 0), all: [3]*Inbox{first, openOn(t, first.pool, first.options), openOn(t, first.pool, first.options)}}
	}
	e.Limited, e.Share, e.Reopen = nil, nil, nil // those of one process
	return e
}

// replicas is an inbox whose calls go to one of three handles at random.
type replicas struct {
	*Inbox
	all [3]*Inbox

	mu      sync.Mutex
	choices *rand.Rand
}

func (r *replicas) any() *Inbox {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[r.choices.IntN(len(r.all))]
}

// Flow is that of all processes.
func (r *replicas) Flow() (accepted, handled int64) {
	for _, in := range r.all {
		a, h := in.Flow()
		accepted, handled = accepted+a, handled+h
	}
	return accepted, handled
}

func (r *replicas) Accept(ctx context.Context, entries ...webhook.Entry) ([]webhook.Outcome, error) {
	return r.any().Accept(ctx, entries...)
}

func (r *replicas) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	return r.any().Lease(ctx, q)
}

func (r *replicas) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	return r.any().Extend(ctx, l, d)
}

func (r *replicas) Commit(ctx context.Context, l webhook.Lease) (bool, error) {
	return r.any().Commit(ctx, l)
}

func (r *replicas) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	return r.any().Fail(ctx, l, f)
}
