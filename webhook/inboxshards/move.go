package inboxshards

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	closedFor   = 5 * time.Second // longer than phaseTime and the time of an Accept in progress
	movedAtOnce = 64              // stores
	drainPoll   = 200 * time.Millisecond
	movedPage   = 100       // entries
	aboveClock  = time.Hour // by which tokens may be above the clock of an engine
)

// Moved is the progress of Move.
type Moved struct {
	Stores int       // at their new shard, including stores that an earlier call has moved
	Stayed int       // whose shard does not change
	Store  client.ID // the last of them
}

// Move moves the stores of Options.Change to their new shards, and returns when all of them have moved. It is
// idempotent: after an error, or if the process was killed, call it again. All processes of the app must already have
// the Change, and workers must be running. App is webhook.Handler.App. Deliveries of a store are refused with 503 for
// about 5 seconds while it is moved. OnMoved is called after each batch of stores; it may be nil.
func (in *Inbox) Move(
	ctx context.Context, app string, stores iter.Seq2[client.ID, error], onMoved func(Moved),
) (sum Moved, err error) {
	if in.change == nil {
		return sum, errors.New("inboxshards: Move: no Change")
	}
	if onMoved == nil {
		onMoved = func(Moved) {}
	}
	var batch []client.ID
	move := func() error {
		if err := in.change.moveAll(ctx, app, batch); err != nil || len(batch) == 0 {
			return err
		}
		sum.Stores, sum.Store, batch = sum.Stores+len(batch), batch[len(batch)-1], nil
		onMoved(sum)
		return nil
	}
	for store, err := range stores {
		if err != nil {
			return sum, fmt.Errorf("inboxshards: Move: list stores: %w", err)
		}
		if in.change.former(store) == best(in.shards, store) {
			sum.Stayed++
			continue
		}
		if batch = append(batch, store); len(batch) == movedAtOnce {
			if err := move(); err != nil {
				return sum, err
			}
		}
	}
	return sum, move()
}

// moveAll moves some stores together, so that they wait together.
func (c *change) moveAll(ctx context.Context, app string, stores []client.ID) error {
	var rest []client.ID
	err := c.step(stores, func(store client.ID, to *shard) error {
		p, err := c.read(ctx, store, to)
		if err != nil || p == moved {
			return to.named(err)
		}
		rest = append(rest, store)
		return c.enter(ctx, store, to, closing) // a store that is draining already stays so
	})
	if err == nil && len(rest) > 0 {
		err = pause(ctx, closedFor)
	}
	if err == nil {
		err = c.step(rest, func(store client.ID, to *shard) error { return c.enter(ctx, store, to, draining) })
	}
	if err == nil {
		err = c.step(rest, func(store client.ID, to *shard) error { return c.drain(ctx, app, store, to) })
	}
	if err == nil {
		err = c.step(stores, func(store client.ID, to *shard) error { return c.take(ctx, app, store, to) })
	}
	return err
}

// step does a step of the move of each store.
func (c *change) step(stores []client.ID, do func(client.ID, *shard) error) error {
	for _, store := range stores {
		if err := do(store, best(c.in.shards, store)); err != nil {
			return fmt.Errorf("inboxshards: move store %d: %w", store, err)
		}
	}
	return nil
}

// drain waits until the former shard has no entry that is leased or due, or will be soon. Then the new shard runs the
// entries of the store, with greater tokens than the former one had.
func (c *change) drain(ctx context.Context, app string, store client.ID, to *shard) error {
	for {
		busy, at, err := c.busy(ctx, app, store)
		if err != nil {
			return err
		}
		if !busy {
			// Tokens of an engine are not above its clock in microseconds, except by a million for each of its starts.
			above := uint64(at.Add(aboveClock).UnixMicro())
			if err := to.Inbox.RaiseToken(ctx, above); err != nil {
				return to.named(err)
			}
			return c.enter(ctx, store, to, moved)
		}
		if err := pause(ctx, drainPoll); err != nil {
			return err
		}
	}
}

// busy reports whether the former shard runs entries of a store, or will within two phaseTimes. It also returns the
// time of the shard's clock.
func (c *change) busy(ctx context.Context, app string, store client.ID) (busy bool, at time.Time, err error) {
	former := c.former(store)
	q := webhook.BrowseQuery{Limit: movedPage, Filter: webhook.EntryFilter{
		State: webhook.EntryPending, Store: client.Set(store), KeyPrefix: webhook.Prefix(app, store)}}
	for {
		page, err := former.Inbox.Browse(ctx, q)
		if err != nil {
			return false, at, former.named(err)
		}
		for _, e := range page.Entries {
			if e.State != webhook.EntryWaiting || e.Due.Before(page.At.Add(2*phaseTime)) {
				return true, page.At, nil
			}
		}
		if q.After = page.Next; page.Next == "" {
			return false, page.At, nil
		}
	}
}

// take moves the dead entries of a store.
func (c *change) take(ctx context.Context, app string, store client.ID, to *shard) error {
	former, prefix := c.former(store), webhook.Prefix(app, store)
	for after := prefix; ; {
		dead, err := former.Inbox.Dead(ctx, after, movedPage)
		if err != nil {
			return former.named(err)
		}
		for _, d := range dead {
			if !strings.HasPrefix(d.Key, prefix) {
				return nil
			}
			d.Unhandled = d.Cause
			if d.Unhandled == "" {
				d.Unhandled = "dead before the store was moved"
			}
			if _, err := to.accept(ctx, []webhook.Entry{d.Entry}); err != nil {
				return err
			}
			if _, err := former.Inbox.Purge(ctx, d.Key); err != nil {
				return former.named(err)
			}
			after = d.Key
		}
		if len(dead) < movedPage {
			return nil
		}
	}
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
