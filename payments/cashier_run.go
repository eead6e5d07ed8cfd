package payments

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

const (
	pageSize  = 500              // entries in one read
	mostDue   = 2000             // entries of a kind completed in a pass, which bounds its memory
	mostRetry = 10 * time.Minute // maximum time between tries that fail repeatedly
	mostRest  = 5 * time.Second  // maximum time between two passes over the ledger
	perPass   = 16               // stores processed concurrently
	callTime  = time.Minute      // timeout of repeated calls of Charge, Repay and Void
)

// Run completes interrupted operations until ctx ends. It repeats Charge, Repay and Void whose outcome is unknown,
// and reports money that has moved. Call it in each replica. An operation is completed by one replica at a time.
//
// When ctx ends, Run starts nothing new, waits for operations in progress, at most about a minute, and returns nil.
// If the configuration is invalid, it returns an error at once. Run processes an operation after it has seen it
// unchanged for Lease, or for Retry if its money has moved.
func (c *Cashier) Run(ctx context.Context) error {
	if err := c.Check(); err != nil {
		return err
	}
	rest := min(c.lease()/3, mostRest)
	for ctx.Err() == nil {
		begun := time.Now()
		if err := c.pass(ctx); err != nil && ctx.Err() == nil {
			c.fail(ctx, Entry{}, fmt.Errorf("payments: cashier: %w", err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(max(rest/2+rand.N(rest), 2*time.Since(begun))): // so that replicas do not read at the same time
		}
	}
	return nil
}

// pass reads all open entries once, and completes entries that have not changed for long enough. Operations of a
// store are sequential, because they share its rate limit.
func (c *Cashier) pass(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := map[string]sighting{}
	due := map[int64][]Entry{} // by store
	var failed error
	n := map[Call]int{} // so that cancellations do not displace the payments that they wait for
	unread := map[string]bool{}
	for e, err := range c.open(ctx) {
		if bad, ok := errors.AsType[*UnreadableError](err); ok {
			if unread[bad.Key] = true; !c.unread[bad.Key] { // reported once, until it can be read
				c.fail(ctx, Entry{}, fmt.Errorf("payments: cashier: %w", bad))
			}
			continue
		}
		if err != nil {
			failed = err // entries that were already read are completed
			break
		}
		s := c.seen[e.Key]
		if s.unchanged(e) >= c.quiet(e) && n[e.Call] < mostDue {
			n[e.Call]++
			due[int64(e.StoreID)] = append(due[int64(e.StoreID)], e)
		}
		seen[e.Key] = s
	}
	if failed == nil {
		c.seen, c.unread = seen, unread
	}
	var all sync.WaitGroup
	places := make(chan struct{}, perPass)
	for _, entries := range due {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			c.completeAll(ctx, entries)
		})
	}
	all.Wait()
	return failed
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

// completeAll completes the operations of a store until one fails. The others wait for the next pass. An operation that
// waits for its turn is no failure.
func (c *Cashier) completeAll(ctx context.Context, entries []Entry) {
	for _, e := range entries {
		if ctx.Err() != nil {
			return
		}
		err := c.completeSafely(context.WithoutCancel(ctx), e)
		if err != nil && !errors.Is(err, errLost) && !errors.Is(err, errTurn) {
			c.fail(ctx, e, err)
			return
		}
	}
}

// completeSafely calls complete, and returns a panic of the app's functions as an error.
func (c *Cashier) completeSafely(ctx context.Context, e Entry) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return c.complete(ctx, e)
}

// complete takes over an operation and continues it.
func (c *Cashier) complete(ctx context.Context, e Entry) error {
	h := &hold{c: c, owner: newOwner(), entry: e}
	if c.waits(ctx, h.owner, e) {
		return nil
	}
	if err := h.write(ctx, func(e *Entry) { e.Tries++ }); err != nil {
		return err
	}
	e = h.current()
	switch {
	case e.State == StateMoved:
		return c.report(ctx, h, c.retry()/3)
	case e.Call == CallProcess:
		var r ProcessRequest
		if err := wire.UnmarshalExact(e.Request, &r); err != nil {
			return err
		}
		return c.charge(ctx, h, r)
	case e.Call == CallRefund && c.Repay != nil:
		var r RefundRequest
		if err := wire.UnmarshalExact(e.Request, &r); err != nil {
			return err
		}
		return c.repay(ctx, h, r)
	case e.Call == CallCancel && c.Void != nil:
		return c.cancel(ctx, h)
	}
	return fmt.Errorf("payments: cashier cannot complete a %q that is %s", e.Call, e.State)
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
