package inboxshards

import (
	"context"
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
	if s := in.borrowed[l.Key]; s != nil {
		return s
	}
	return best(in.shards, l.StoreID)
}

// borrow notes that a lease is of the former shard of its store.
func (in *Inbox) borrow(s *shard, l webhook.Lease) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.borrowed[l.Key] = s
}

// ended forgets which shard a lease was of.
func (in *Inbox) ended(l webhook.Lease) {
	if in.change == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.borrowed, l.Key)
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
