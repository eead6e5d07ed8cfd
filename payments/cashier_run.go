package payments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/rounds"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

const (
	pageSize  = 500              // entries in one read
	mostDue   = 2000             // entries of a kind that are due at a time, which bounds the memory
	mostRetry = 10 * time.Minute // maximum time between tries that fail repeatedly
	mostRest  = 5 * time.Second  // maximum time between two passes over the ledger
	places    = 16               // stores processed concurrently, of which each has its place for a limited time
	placeTime = 5 * time.Second  // time without progress after which a store loses its place and is reported
	mostLate  = 128              // stores whose functions may continue without a place
	callTime  = time.Minute      // timeout of repeated calls of Charge, Repay and Void
)

// lane identifies operations that are completed sequentially: those of a store, because they share its rate limit. A
// cancellation whose store is not known yet has its own.
type lane struct {
	store client.ID
	key   string // of a cancellation without a store; otherwise empty
}

func (e Entry) lane() lane {
	if e.StoreID == 0 {
		return lane{key: e.Key}
	}
	return lane{store: e.StoreID}
}

// Run completes interrupted operations until ctx ends. It repeats Charge, Repay and Void whose outcome is unknown,
// and reports money that has moved. Call it in each replica. An operation is completed by one replica at a time. A
// store whose functions hang does not delay other stores.
//
// When ctx ends, Run starts nothing new, waits for operations in progress, at most about 20 seconds, and returns nil.
// If the configuration is invalid, it returns an error at once. Run processes an operation after it has seen it
// unchanged for Lease, or for Retry if its money has moved. A second Run waits for the first.
func (c *Cashier) Run(ctx context.Context) error {
	if err := c.Check(); err != nil {
		return err
	}
	rest := min(c.lease()/3, mostRest)
	c.round.Run(ctx, rounds.Plan[lane, struct{}]{
		Places: places,
		Every:  rest/2 + rand.N(rest), // so that replicas do not read at the same time
		Limit:  placeTime,
		Late:   mostLate,
		List:   c.lanes,
		Visit:  func(ctx context.Context, s *rounds.Store[lane, struct{}]) error { return c.visit(ctx, s.Key) },
		Failed: func(ctx context.Context, l lane, err error) {
			c.fail(ctx, Entry{About: About{StoreID: l.store}}, fmt.Errorf("payments: cashier: %w", err))
		},
	})
	return nil
}

// Visits returns the results of Run in this process, for each store that has open operations.
func (c *Cashier) Visits() map[client.ID]client.Visited {
	all := c.round.All()
	maps.DeleteFunc(all, func(l lane, _ rounds.Status) bool { return l.store == 0 })
	visits := make(map[client.ID]client.Visited, len(all))
	for l, s := range all {
		visits[l.store] = client.Visited(s)
	}
	return visits
}

// lanes reads all open entries once, and then yields their lanes.
func (c *Cashier) lanes(ctx context.Context) iter.Seq2[lane, error] {
	return func(yield func(lane, error) bool) {
		all, failed := c.scan(ctx)
		for l := range all {
			if !yield(l, nil) {
				return
			}
		}
		if failed != nil && ctx.Err() == nil {
			yield(lane{}, failed)
		}
	}
}

// scan reads all open entries once, and notes the entries to complete, which have not changed for long enough. It
// returns the lanes of all. If the ledger fails, the entries that were read are completed.
func (c *Cashier) scan(ctx context.Context) (lanes map[lane]bool, failed error) {
	lanes = map[lane]bool{}
	seen, unread, due := map[string]sighting{}, map[string]bool{}, map[lane][]Entry{}
	n := map[Call]int{} // so that cancellations do not displace the payments that they wait for
	for e, err := range c.open(ctx) {
		if bad, ok := errors.AsType[*UnreadableError](err); ok {
			if unread[bad.Key] = true; !c.unread[bad.Key] { // reported once, until it can be read
				c.fail(ctx, Entry{}, fmt.Errorf("payments: cashier: %w", bad))
			}
			continue
		}
		if err != nil {
			failed = err
			break
		}
		l, s := e.lane(), c.seen[e.Key]
		lanes[l] = true
		if s.unchanged(e) >= c.quiet(e) && n[e.Call] < mostDue && !c.rests(e) {
			n[e.Call]++
			due[l] = append(due[l], e)
		}
		seen[e.Key] = s
	}
	if failed == nil {
		c.seen, c.unread = seen, unread
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = due
	return lanes, failed
}

// visit completes the operations of a lane that are due, until one fails. Operations with the fewest
// tries are the first. The others wait for the next pass. An operation that waits for its turn is no failure.
func (c *Cashier) visit(ctx context.Context, l lane) error {
	c.mu.Lock()
	entries := c.due[l]
	delete(c.due, l)
	c.mu.Unlock()
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Tries, b.Tries) })
	err := rounds.ErrUndecided // nothing was due
	for _, e := range entries {
		if ctx.Err() != nil {
			return rounds.ErrUndecided
		}
		err = c.complete(ctx, e)
		if err != nil && !errors.Is(err, errLost) && !errors.Is(err, errTurn) {
			c.fail(ctx, e, err)
			return err
		}
		err = nil
		rounds.Moved(ctx)
	}
	return err
}

// quiet returns how long an entry must be unchanged before its next try.
func (c *Cashier) quiet(e Entry) time.Duration {
	first := c.lease()
	if e.State == StateMoved {
		first = c.retry()
	}
	for range min(e.Tries-1, 8) {
		first = min(2*first, max(first, mostRetry))
	}
	return first
}

// complete takes over an operation for its next step. It continues when Run ends, but not if the lane is late.
func (c *Cashier) complete(visit context.Context, e Entry) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(visit), callTime)
	defer cancel()
	defer context.AfterFunc(visit, func() {
		if errors.Is(context.Cause(visit), rounds.ErrLate) {
			cancel()
		}
	})()
	h := &hold{c: c, owner: newOwner(), entry: e}
	if c.waits(ctx, h.owner, e) {
		return nil
	}
	if err := h.write(ctx, func(e *Entry) { e.Tries++ }); err != nil {
		return err
	}
	err := rounds.Guard(func() error { return c.proceed(ctx, h) })
	if _, ok := errors.AsType[*rounds.Panic](err); ok { // otherwise it is stored already
		return h.failed(ctx, err)
	}
	return err
}

// proceed continues an operation at its present step.
func (c *Cashier) proceed(ctx context.Context, h *hold) error {
	switch e := h.current(); {
	case e.State == StateMoved:
		return c.report(ctx, h, c.retry()/3)
	case e.Call == CallProcess:
		return continued(ctx, h, c.charge)
	case e.Call == CallRefund && c.Repay != nil:
		return continued(ctx, h, c.repay)
	case e.Call == CallCancel && c.Void != nil:
		return c.cancel(ctx, h)
	default:
		return h.failed(ctx, fmt.Errorf("payments: the Cashier has no function for the operation %q in state %q: set Repay for refunds and Void for cancellations", e.Call, e.State))
	}
}

// continued calls act with the stored request.
func continued[R any](ctx context.Context, h *hold, act func(context.Context, *hold, R) error) error {
	var r R
	if err := wire.UnmarshalExact(h.current().Request, &r); err != nil {
		return h.failed(ctx, fmt.Errorf("payments: read the stored request: %w", err))
	}
	return act(ctx, h, r)
}

// Unreported yields the operations whose money has moved but that are not reported yet, for reports and alerts. It
// changes nothing. An entry that cannot be read is yielded as an *UnreadableError. Any other error is yielded last.
func (c *Cashier) Unreported(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for e, err := range c.open(ctx) {
			if (err != nil || e.State == StateMoved) && !yield(e, err) {
				return
			}
		}
	}
}

// open yields the open entries, page by page.
func (c *Cashier) open(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for after := ""; ; {
			page, err := c.ledger().Open(ctx, after, pageSize)
			bad := unreadable(err)
			if err != nil && len(bad) == 0 {
				yield(Entry{}, fmt.Errorf("read the ledger: %w", err))
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
				after = max(after, e.Key)
			}
			for _, e := range bad {
				if !yield(Entry{Key: e.Key}, e) {
					return
				}
				after = max(after, e.Key)
			}
			if len(page)+len(bad) < pageSize {
				return
			}
		}
	}
}
