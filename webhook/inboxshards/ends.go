package inboxshards

import (
	"context"
	"maps"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// of returns the shard of a lease.
func (in *Inbox) of(l webhook.Lease) *shard {
	if in.change == nil {
		return best(in.shards, l.StoreID)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if b, ok := in.borrowed[leaseID{l.Key, l.Token}]; ok {
		return b.shard
	}
	return best(in.shards, l.StoreID)
}

// leaseID distinguishes leases. Shards may give the same token, but not for the same key at the same time.
type leaseID struct {
	key   string
	token uint64
}

// borrowed is the shard of a lease that is not the one of its store.
type borrowed struct {
	*shard
	since time.Time
}

// longest is how long the end of a borrowed lease is waited for. A lease that is lost may never end.
const longest = 24 * time.Hour

// borrow notes that a lease is of the former shard of its store.
func (in *Inbox) borrow(s *shard, l webhook.Lease) {
	now := time.Now()
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.borrowed) >= in.sweepAt {
		maps.DeleteFunc(in.borrowed, func(_ leaseID, b borrowed) bool { return now.Sub(b.since) > longest })
		in.sweepAt = 1000 + 2*len(in.borrowed)
	}
	in.borrowed[leaseID{l.Key, l.Token}] = borrowed{s, now}
}

// ended forgets which shard a lease was of.
func (in *Inbox) ended(l webhook.Lease) {
	if in.change == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.borrowed, leaseID{l.Key, l.Token})
}

// Extend makes the lease end after d from now.
func (in *Inbox) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	return in.of(l).Inbox.Extend(ctx, l, d)
}

// Commit ends a lease whose entry was handled.
func (in *Inbox) Commit(ctx context.Context, l webhook.Lease) (again bool, err error) {
	again, err = in.of(l).Inbox.Commit(ctx, l)
	if err == nil {
		in.ended(l)
	}
	return again, err
}

// Fail ends a lease whose entry was not handled.
func (in *Inbox) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	err := in.of(l).Inbox.Fail(ctx, l, f)
	if err == nil {
		in.ended(l)
	}
	return err
}

// InboxOf returns the inbox of a lease, whose transactions webhook.CommitTx commits in. A handler begins its
// transaction in the database of the same inbox.
func (in *Inbox) InboxOf(l webhook.Lease) webhook.Inbox { return in.of(l).Inbox }
