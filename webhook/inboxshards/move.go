package inboxshards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	closedFor   = 5 * time.Second // longer than phaseTime and acceptFor
	acceptFor   = 3 * time.Second // the longest time of an Accept during a change
	movedAtOnce = 64              // stores
	drainPoll   = 200 * time.Millisecond
	movedPage   = 100       // entries
	aboveClock  = time.Hour // by which tokens may be above the clock of an engine
	mostRaised  = 1 << 52   // microseconds, in the year 2112
)

// Moved is the progress of Move.
type Moved struct {
	Stores int      // at their new shard, including stores that an earlier call has moved
	Stayed int      // whose shard does not change
	Store  value.ID // the last of them
}

// Move moves the stores of Options.Change to their new shards, and returns when all of them have moved. It is
// idempotent: after an error, or if the process was killed, call it again. All processes of the app must already have
// the Change, and workers must be running. App is webhook.Handler.App. Stores of which a former shard has entries are
// moved too if they are not listed, such as store 0 and stores without an installation. Deliveries of a store are
// refused with 503 for about 5 seconds while it is moved. OnMoved is called after each batch of stores; it may be nil.
//
// If a shard is down, the other stores of the batch are moved before Move fails.
func (in *Inbox) Move(
	ctx context.Context, app string, stores iter.Seq2[value.ID, error], onMoved func(Moved),
) (sum Moved, err error) {
	if in.change == nil {
		return sum, errors.New("inboxshards: Move: no Change")
	}
	var batch []value.ID
	move := func() error {
		done, err := in.change.moveAll(ctx, app, batch)
		if batch = nil; len(done) > 0 {
			sum.Stores, sum.Store = sum.Stores+len(done), done[len(done)-1]
			if onMoved != nil {
				onMoved(sum)
			}
		}
		return err
	}
	moveEach := func(stores iter.Seq2[value.ID, error]) error {
		for store, err := range stores {
			if err != nil {
				return fmt.Errorf("inboxshards: Move: list stores: %w", err)
			}
			if in.change.former(store) == best(in.shards, store) {
				sum.Stayed++
			} else if batch = append(batch, store); len(batch) == movedAtOnce {
				if err := move(); err != nil {
					return err
				}
			}
		}
		return move()
	}
	if err := moveEach(stores); err != nil {
		return sum, err
	}
	if err := moveEach(in.change.unlisted(ctx)); err != nil {
		return sum, err
	}
	return sum, in.change.moveRest(ctx, func() error { return moveEach(in.change.unlisted(ctx)) })
}

// moveRest moves the stores without a phase, which have no entries unless they arrived since the stores were listed.
func (c *change) moveRest(ctx context.Context, moveUnlisted func() error) error {
	var open []*shard
	for _, to := range c.in.shards {
		p, err := c.marked(ctx, rest, to)
		if err == nil && p != moved {
			open, err = append(open, to), c.enter(ctx, rest, to, closing)
		}
		if err != nil {
			return fmt.Errorf("inboxshards: Move: %w", to.named(err))
		}
	}
	if len(open) == 0 {
		return nil
	}
	if err := pause(ctx, closedFor); err != nil {
		return err
	}
	if err := moveUnlisted(); err != nil {
		return err
	}
	for _, to := range open {
		if err := c.handRest(ctx, to); err != nil {
			return fmt.Errorf("inboxshards: Move: %w", err)
		}
	}
	return nil
}

// handRest makes a shard have the rest of its stores, with greater tokens than their former shards had.
func (c *change) handRest(ctx context.Context, to *shard) error {
	for _, former := range c.from {
		page, err := former.engine().Browse(ctx, webhook.BrowseQuery{Limit: 1})
		if err != nil {
			return former.named(err)
		}
		if former == to {
			continue
		}
		if err := raise(ctx, former, to, page.At); err != nil {
			return err
		}
	}
	return c.enter(ctx, rest, to, moved)
}

// unlisted lists stores that have not moved but have entries in their former shard.
func (c *change) unlisted(ctx context.Context) iter.Seq2[value.ID, error] {
	return func(yield func(value.ID, error) bool) {
		listed := make(map[value.ID]bool)
		for _, s := range c.from {
			for _, state := range []webhook.EntryState{webhook.EntryPending, webhook.EntryDead} {
				q := webhook.BrowseQuery{Limit: movedPage, Filter: webhook.EntryFilter{State: state}}
				for e, err := range browsed(ctx, s, q) {
					to := best(c.in.shards, e.StoreID)
					if err == nil && (listed[e.StoreID] || to == s || c.former(e.StoreID) != s) {
						continue
					}
					p := atFormer
					if err == nil {
						p, err = c.read(ctx, e.StoreID, to)
					}
					listed[e.StoreID] = true
					if (err != nil || p != moved) && !yield(e.StoreID, err) {
						return
					}
				}
			}
		}
	}
}

// browsed lists the entries of one shard.
func browsed(ctx context.Context, s *shard, q webhook.BrowseQuery) iter.Seq2[webhook.StoredEntry, error] {
	return func(yield func(webhook.StoredEntry, error) bool) {
		for {
			page, err := s.engine().Browse(ctx, q)
			if err != nil {
				yield(webhook.StoredEntry{}, s.named(err))
				return
			}
			for _, e := range page.Entries {
				if !yield(e, nil) {
					return
				}
			}
			if q.After = page.Next; page.Next == "" {
				return
			}
		}
	}
}

// moveAll moves some stores together, so that they wait together. It returns the stores that have moved, also after an
// error.
func (c *change) moveAll(ctx context.Context, app string, stores []value.ID) ([]value.ID, error) {
	var rest, done []value.ID
	_, wrong := c.step(stores, func(store value.ID, to *shard) error {
		p, err := c.read(ctx, store, to)
		switch {
		case err != nil:
			return to.named(err)
		case p == moved:
			done = append(done, store)
			return nil
		}
		err = c.enter(ctx, store.String(), to, closing) // a store that is draining already stays so
		if err == nil {
			rest = append(rest, store)
		}
		return err
	})
	if len(rest) > 0 {
		if err := pause(ctx, closedFor); err != nil {
			return nil, errors.Join(wrong, err)
		}
	}
	rest, closed := c.step(rest, func(store value.ID, to *shard) error {
		at, err := c.idle(ctx, app, store)
		if err == nil || errors.Is(err, errBusy) {
			err = raise(ctx, c.former(store), to, at) // leases of new entries may be kept until the store has moved
		}
		if err != nil {
			return err
		}
		return c.enter(ctx, store.String(), to, draining)
	})
	done, dead := c.step(done, func(store value.ID, to *shard) error { return c.take(ctx, app, store, to) })
	drained, busy := c.drain(ctx, app, rest)
	return append(done, drained...), errors.Join(wrong, closed, dead, busy)
}

// step does a step of the move of each store. It returns the stores for which it succeeded, and the first error.
func (c *change) step(stores []value.ID, do func(value.ID, *shard) error) (done []value.ID, first error) {
	for _, store := range stores {
		err := do(store, best(c.in.shards, store))
		if err == nil {
			done = append(done, store)
		} else if first == nil {
			first = fmt.Errorf("inboxshards: move store %d: %w", store, err)
		}
	}
	return done, first
}

// drain waits until the former shards have no entry of the stores that is leased or due, or will be soon. Each store
// then moves at once, whatever the others do. It returns the stores that have moved.
func (c *change) drain(ctx context.Context, app string, stores []value.ID) (done []value.ID, wrong error) {
	for len(stores) > 0 {
		var busy []value.ID
		some, err := c.step(stores, func(store value.ID, to *shard) error {
			err := c.hand(ctx, app, store, to)
			if errors.Is(err, errBusy) {
				busy = append(busy, store)
				return nil
			}
			if err == nil {
				err = c.take(ctx, app, store, to)
			}
			return err
		})
		wrong = errors.Join(wrong, err)
		some = slices.DeleteFunc(some, func(store value.ID) bool { return slices.Contains(busy, store) })
		done = append(done, some...)
		if stores = busy; len(busy) > 0 {
			if err := pause(ctx, drainPoll); err != nil {
				return done, errors.Join(wrong, err)
			}
		}
	}
	return done, wrong
}

// errBusy means that the former shard still runs entries of a store.
var errBusy = errors.New("the former shard runs entries of the store")

// hand makes the new shard run the entries of a store, with greater tokens than the former one had.
func (c *change) hand(ctx context.Context, app string, store value.ID, to *shard) error {
	at, err := c.idle(ctx, app, store)
	if err != nil {
		return err
	}
	if err := raise(ctx, c.former(store), to, at); err != nil {
		return err
	}
	if _, err := c.idle(ctx, app, store); err != nil { // the new shard may have answered late
		return err
	}
	return c.enter(ctx, store.String(), to, moved)
}

// raise makes the tokens of the new shard greater than all tokens of the former one until a time of its clock.
func raise(ctx context.Context, former, to *shard, at time.Time) error {
	was, err := former.engine().Mark(ctx, raised)
	if err != nil {
		return former.named(err)
	}
	// Tokens of an engine are not above its clock in microseconds, or above the number to which they were raised,
	// except by a million for each of its starts.
	if was.After(at) {
		at = was
	}
	return to.named(to.raise(ctx, uint64(at.Add(aboveClock).UnixMicro())))
}

// idle returns errBusy if the former shard runs entries of a store, or will within two phaseTimes. It returns the time
// of the shard's clock.
func (c *change) idle(ctx context.Context, app string, store value.ID) (at time.Time, err error) {
	former, next := c.former(store), time.Time{}
	q := webhook.BrowseQuery{Limit: movedPage, Filter: webhook.EntryFilter{
		State: webhook.EntryPending, Store: value.Set(store), KeyPrefix: webhook.Prefix(app, store)}}
	for {
		page, err := former.engine().Browse(ctx, q)
		if err != nil {
			return at, former.named(err)
		}
		for _, e := range page.Entries {
			if e.State != webhook.EntryWaiting {
				return page.At, errBusy
			}
			if next.IsZero() || e.Due.Before(next) {
				next = e.Due
			}
		}
		if !next.IsZero() && next.Before(page.At.Add(2*phaseTime)) {
			return page.At, errBusy
		}
		if q.After = page.Next; page.Next == "" {
			return page.At, nil
		}
	}
}

// take moves the dead entries of a store.
func (c *change) take(ctx context.Context, app string, store value.ID, to *shard) error {
	former, prefix := c.former(store), webhook.Prefix(app, store)
	for after := prefix; ; {
		dead, err := former.engine().Dead(ctx, after, movedPage)
		if err != nil {
			return former.named(err)
		}
		for _, d := range dead {
			if !strings.HasPrefix(d.Key, prefix) {
				return nil
			}
			after = d.Key
			if d.StoreID != store { // of an app whose name is app, a colon and the number of this store
				continue
			}
			if err := takeOne(ctx, former, to, d); err != nil {
				return err
			}
		}
		if len(dead) < movedPage {
			return nil
		}
	}
}

// takeOne moves a dead entry. If it was purged or replayed since it was listed, it is not left in the new shard, unless
// another call of Move has moved it.
func takeOne(ctx context.Context, former, to *shard, d webhook.DeadLetter) error {
	d.Unhandled = cmp.Or(d.Cause, "dead before the store was moved")
	if _, err := to.accept(ctx, []webhook.Entry{d.Entry}); err != nil {
		return err
	}
	if n, err := former.engine().Purge(ctx, d.Key); err != nil || n > 0 {
		return former.named(err)
	}
	switch e, err := to.engine().Lookup(ctx, d.Key, false); {
	case errors.Is(err, webhook.ErrNoEntry), err == nil && e.Count > 1:
		return nil
	case err != nil:
		return to.named(err)
	}
	_, err := to.engine().Purge(ctx, d.Key)
	return to.named(err)
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
