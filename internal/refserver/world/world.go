package world

import (
	"crypto/rand"
	"io"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Options say how a World begins. The zero value is a world on the machine's
// clock with the contract's limits.
type Options struct {
	// Clock is the world's clock; nil is clock.Real.
	Clock clock.Clock
	// Limits are the numbers of the contract; nil is Contract().
	Limits *Limits
	// Seed makes ids, ULIDs and UUIDs repeat from run to run; they always do for
	// the same seed and the same calls.
	Seed uint64
	// Secrets is where tokens and client secrets come from; nil is crypto/rand.
	Secrets io.Reader
}

// World is the state of the server. It is safe for concurrent use.
type World struct {
	clock   clock.Clock
	secrets io.Reader

	mu     sync.RWMutex
	limits Limits
	state  state
	sink   func([]Event)

	searches searches
}

// state is everything a snapshot keeps. It is a value: nothing in it is changed
// in place.
type state struct {
	apps     table.Table[int64, App]
	stores   table.Table[int64, Store]
	installs table.Table[string, Install]
	data     table.Table[int64, *Tables]

	lastID    int64
	lastEvent int64
	lastTime  time.Time
	random    mathrand.PCG
}

// firstID keeps generated ids clear of the small numbers people write by hand.
const firstID = 1000000

// New returns an empty world.
func New(o Options) *World {
	w := &World{clock: o.Clock, secrets: o.Secrets, limits: Contract()}
	if w.clock == nil {
		w.clock = clock.Real{}
	}
	if w.secrets == nil {
		w.secrets = rand.Reader
	}
	if o.Limits != nil {
		w.limits = *o.Limits
	}
	w.state.lastID = firstID
	w.state.random = *mathrand.NewPCG(o.Seed, 0)
	return w
}

// Clock is the clock the world goes by.
func (w *World) Clock() clock.Clock { return w.clock }

// Limits are the limits in force.
func (w *World) Limits() Limits {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.limits
}

// SetLimits puts other limits in force, for a test that cannot create 100000
// products to see the next one refused.
func (w *World) SetLimits(l Limits) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limits = l
}

// OnCommit sets the receiver of the events of each committed transaction, in the order of the commits. It is called
// with the world locked, so it must not block and must not call the world.
func (w *World) OnCommit(sink func([]Event)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sink = sink
}

// read returns the state as it is now; it can be used without a lock.
func (w *World) read() state {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.state
}

// change runs f on a copy of the state and keeps the copy if f does not fail.
func (w *World) change(f func(s *state) ([]Event, error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	next := w.state
	events, err := f(&next)
	if err != nil {
		return err
	}
	w.state = next
	if w.sink != nil && len(events) > 0 {
		w.sink(events)
	}
	return nil
}
