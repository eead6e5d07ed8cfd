package inboxshards

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/lru"
	"github.com/commerceplatform/commerce-go/webhook"
)

// ErrMoving is an error of Accept: the store of the entry is being moved to another shard, which takes a few seconds.
// A webhook.Handler answers 503, and the platform delivers again.
var ErrMoving = errors.New("the store is being moved to another shard")

// Change is a change of the shards of an app, such as from two to four. See the documentation of the package.
type Change struct {
	// Name identifies the change, such as "2026-11 four shards". The progress of each store is stored under it, so it
	// must be the same in all processes, and never be used again.
	Name string
	// From are the names of the shards before the change, each in Shards or Leaving.
	From []string
	// Leaving are the shards that are left after the change. They have no stores when it is complete.
	Leaving []Shard
}

const (
	phaseTime  = time.Second // for which a phase of a store that can still change is remembered
	mostPhases = 100_000     // stores whose phase is remembered
)

// phase is how far the move of a store is.
type phase int

// A store begins at its former shard. While it is closing, Accept refuses its entries, until no process believes any
// more that they belong to the former shard. While it is draining, new entries are stored in the new shard and wait
// there, and those of the former shard are run. After it has moved, entries that are still in the former shard are
// added to the new one when they are due, where they merge with those of the same key. At the end of Move, stores
// without a phase of their own, such as stores that were installed meanwhile, have the phase of the rest.
const (
	atFormer phase = iota
	closing
	draining
	moved
)

const rest = "rest"

var phaseNames = map[phase]string{atFormer: "", closing: "closing", draining: "draining", moved: "moved"}

// change is a Change with its state in this process.
type change struct {
	name string
	in   *Inbox
	from []*shard

	mu     sync.Mutex
	phases lru.Map[value.ID, seen]
}

// seen is a phase that was read.
type seen struct {
	phase phase
	at    time.Time
}

func newChange(c Change, in *Inbox, wrong *callback.Check) *change {
	ch := &change{name: c.Name, in: in}
	wrong.Refuse(c.Name == "", "Change.Name is empty: must be a name that was not used before")
	wrong.Refuse(len(c.From) == 0, "Change.From is empty: must be the names of the shards before the change")
	for _, name := range c.From {
		at := slices.IndexFunc(in.all(), func(s *shard) bool { return s.Name == name })
		wrong.Refuse(at < 0, "Change.From has %q: must be in Shards or Leaving", name)
		if at >= 0 {
			ch.from = append(ch.from, in.all()[at])
		}
	}
	for _, s := range in.leaving {
		wrong.Refuse(!slices.Contains(c.From, s.Name), "Change.Leaving has %q: must be in From", s.Name)
	}
	return ch
}

// former returns the shard of a store before the change.
func (c *change) former(store value.ID) *shard { return best(c.from, store) }

// owner returns the shard in which entries of a store are stored now.
func (c *change) owner(ctx context.Context, store value.ID, to *shard) (*shard, error) {
	former := c.former(store)
	if former == to {
		return to, nil
	}
	switch p, err := c.phase(ctx, store, to); {
	case err != nil:
		return nil, to.named(err)
	case p == atFormer:
		return former, nil
	case p == closing:
		return nil, fmt.Errorf("store %d: %w", store, ErrMoving)
	}
	return to, nil
}

// phase returns how far a store is. A phase that is not moved may have ended for at most phaseTime.
func (c *change) phase(ctx context.Context, store value.ID, to *shard) (phase, error) {
	c.mu.Lock()
	known, ok := c.phases.Get(store)
	c.mu.Unlock()
	if ok && (known.phase == moved || time.Since(known.at) < phaseTime) {
		return known.phase, nil
	}
	return c.read(ctx, store, to)
}

// read reads the phase of a store from its new shard.
func (c *change) read(ctx context.Context, store value.ID, to *shard) (phase, error) {
	asked := time.Now()
	got, err := c.marked(ctx, store.String(), to)
	if err == nil && got == atFormer {
		got, err = c.marked(ctx, rest, to)
	}
	if err != nil {
		return atFormer, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.phases.Put(store, seen{got, asked})
	for oldest := range c.phases.All() {
		if c.phases.Len() <= mostPhases {
			break
		}
		c.phases.Remove(oldest)
	}
	return got, nil
}

// marked reads the phase that a store, or the rest, has reached.
func (c *change) marked(ctx context.Context, whose string, to *shard) (phase, error) {
	for p := moved; p > atFormer; p-- {
		if mark, err := to.engine().Mark(ctx, c.mark(whose, p)); err != nil || !mark.IsZero() {
			return p, err
		}
	}
	return atFormer, nil
}

// mark is the name of the mark of a phase.
func (c *change) mark(whose string, p phase) string {
	return fmt.Sprintf("move %q %s:%s", c.name, phaseNames[p], whose)
}

// enter stores that a store, or the rest, has reached a phase.
func (c *change) enter(ctx context.Context, whose string, to *shard, p phase) error {
	return to.named(to.engine().SetMark(ctx, c.mark(whose, p), time.Now()))
}

// known reports whether an entry need not be stored in the new shard, because it is a fact that the former shard of the
// store has.
func (in *Inbox) known(ctx context.Context, s *shard, e webhook.Entry) (webhook.Outcome, bool, error) {
	if in.change == nil || e.Kind != webhook.KindFact {
		return "", false, nil
	}
	former := in.change.former(e.StoreID)
	if former == s {
		return "", false, nil
	}
	stored, err := former.engine().Lookup(ctx, e.Key, false)
	switch {
	case errors.Is(err, webhook.ErrNoEntry):
		return "", false, nil
	case err != nil:
		return "", false, former.named(err)
	case stored.State == webhook.EntryDone || stored.State == webhook.EntryDead:
		return webhook.OutcomeKnown, true, nil
	}
	return webhook.OutcomeJoined, true, nil
}

// admit returns the leases that may be handed out. An entry in a shard that is not its store's is forwarded.
func (in *Inbox) admit(ctx context.Context, s *shard, leases []webhook.Lease) []webhook.Lease {
	return slices.DeleteFunc(leases, func(l webhook.Lease) bool {
		if in.change != nil {
			return !in.change.admits(ctx, s, l)
		}
		to := best(in.shards, l.StoreID)
		return to != s && !forward(ctx, s, to, l)
	})
}

// admits decides about one lease of a shard. Before a store has moved completely, only leases of its former shard are
// handed out. So two entries of a lane are not in progress in two shards. Other leases are kept.
func (c *change) admits(ctx context.Context, s *shard, l webhook.Lease) bool {
	to, former := best(c.in.shards, l.StoreID), c.former(l.StoreID)
	if to == former {
		return s == to || forward(ctx, s, to, l)
	}
	p, err := c.phase(ctx, l.StoreID, to)
	if err == nil && s == to && p != moved {
		p, err = c.read(ctx, l.StoreID, to)
	}
	switch {
	case err != nil, s == to && p != moved:
		s.keep(l)
		return false
	case s == to:
		return true
	case p == moved, l.Kind == webhook.KindFact && p != atFormer && c.has(ctx, to, l.Key): // p may be a phaseTime old
		return forward(ctx, s, to, l)
	}
	c.in.borrow(s, l)
	return true
}

// has reports whether a shard has an entry with a key.
func (c *change) has(ctx context.Context, s *shard, key string) bool {
	_, err := s.engine().Lookup(ctx, key, false)
	return err == nil
}

// forward stores the entry of a lease in the shard of its store, and deletes it where it was leased. It returns false,
// because the entry is not run where it is.
func forward(ctx context.Context, s, to *shard, l webhook.Lease) bool {
	end := webhook.Failed{Dropped: true, Cause: ErrMoving.Error()}
	due := l.Entry
	due.Settle = 0 // it has rested
	if _, err := to.accept(ctx, []webhook.Entry{due}); err != nil {
		end = webhook.Failed{Waits: true, Delay: phaseTime, Cause: err.Error()}
	}
	_ = s.engine().Fail(ctx, l, end) // if it fails, the entry is forwarded again after its term, and merged
	return false
}
