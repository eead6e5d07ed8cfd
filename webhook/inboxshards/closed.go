package inboxshards

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// closedShard is the engine of a shard that is not open yet. All its calls fail with the last error of Shard.Open.
type closedShard struct {
	ends chan struct{} // closed when the shard is open

	mu   sync.Mutex
	last error
}

func (c *closedShard) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = err
}

func (c *closedShard) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil {
		return fmt.Errorf("not open yet: %w", webhook.ErrUnavailable)
	}
	return fmt.Errorf("not open yet: %w", c.last)
}

// Wait returns when the shard is open.
func (c *closedShard) Wait(ctx context.Context, _ webhook.LeaseQuery, d time.Duration) error {
	over := time.NewTimer(d)
	defer over.Stop()
	select {
	case <-c.ends:
	case <-over.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

func (c *closedShard) Accept(context.Context, ...webhook.Entry) ([]webhook.Outcome, error) {
	return nil, c.err()
}

func (c *closedShard) Lease(context.Context, webhook.LeaseQuery) ([]webhook.Lease, error) {
	return nil, c.err()
}

func (c *closedShard) Extend(context.Context, webhook.Lease, time.Duration) error { return c.err() }

func (c *closedShard) Commit(context.Context, webhook.Lease) (bool, error) { return false, c.err() }

func (c *closedShard) Fail(context.Context, webhook.Lease, webhook.Failed) error { return c.err() }

func (c *closedShard) Stats(context.Context) (s webhook.Stats, err error) { return s, c.err() }

func (c *closedShard) Dead(context.Context, string, int) ([]webhook.DeadLetter, error) {
	return nil, c.err()
}

func (c *closedShard) Replay(context.Context, ...string) (int, error) { return 0, c.err() }

func (c *closedShard) Purge(context.Context, ...string) (int, error) { return 0, c.err() }

func (c *closedShard) PurgeStore(context.Context, value.ID, func(webhook.DeadLetter) bool) (int, error) {
	return 0, c.err()
}

func (c *closedShard) DropStore(context.Context, value.ID, string, time.Time) (int, error) {
	return 0, c.err()
}

func (c *closedShard) Mark(context.Context, string) (t time.Time, err error) { return t, c.err() }

func (c *closedShard) SetMark(context.Context, string, time.Time) error { return c.err() }

func (c *closedShard) RaiseToken(context.Context, uint64) error { return c.err() }

func (c *closedShard) Browse(context.Context, webhook.BrowseQuery) (p webhook.BrowsePage, err error) {
	return p, c.err()
}

func (c *closedShard) Lookup(context.Context, string, bool) (e webhook.StoredEntry, err error) {
	return e, c.err()
}

func (c *closedShard) Groups(context.Context, webhook.EntryFilter) (g webhook.EntryGroups, err error) {
	return g, c.err()
}

func (c *closedShard) ReplayListed(context.Context, ...webhook.StoredEntry) (int, error) {
	return 0, c.err()
}

func (c *closedShard) PurgeListed(context.Context, ...webhook.StoredEntry) (int, error) {
	return 0, c.err()
}
