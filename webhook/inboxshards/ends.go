package inboxshards

import (
	"context"
	"errors"
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
	if b, ok := in.borrowed[l.Key]; ok && b.token == l.Token {
		return b.shard
	}
	return best(in.shards, l.StoreID)
}

// borrowed is a lease of the former shard of its store.
type borrowed struct {
	shard *shard
	token uint64
}

// borrow notes that a lease is of the former shard of its store.
func (in *Inbox) borrow(s *shard, l webhook.Lease) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.borrowed[l.Key] = borrowed{s, l.Token}
}

// ended forgets which shard a lease was of, after an act that ends it.
func (in *Inbox) ended(l webhook.Lease, err error) {
	if in.change == nil || err != nil && !errors.Is(err, webhook.ErrLeaseLost) {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.borrowed[l.Key].token == l.Token {
		delete(in.borrowed, l.Key)
	}
}

// Extend makes the lease end after d from now.
func (in *Inbox) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	return in.of(l).engine().Extend(ctx, l, d)
}

// Commit ends a lease whose entry was handled.
func (in *Inbox) Commit(ctx context.Context, l webhook.Lease) (again bool, err error) {
	again, err = in.of(l).engine().Commit(ctx, l)
	in.ended(l, err)
	return again, err
}

// Fail ends a lease whose entry was not handled.
func (in *Inbox) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	err := in.of(l).engine().Fail(ctx, l, f)
	in.ended(l, err)
	return err
}

// InboxOf returns the inbox of a lease, whose transactions webhook.CommitTx commits in. A handler begins its
// transaction in the database of the same inbox.
func (in *Inbox) InboxOf(l webhook.Lease) webhook.Inbox { return in.of(l).engine() }
