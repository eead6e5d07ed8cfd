package inboxshards

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// total adds what a function returns for each shard, and joins the errors of shards.
func (in *Inbox) total(do func(s *shard) (int, error)) (int, error) {
	var n atomic.Int64
	add := func(_ int, s *shard) error {
		one, err := do(s)
		n.Add(int64(one))
		return err
	}
	err := each(in.all(), add)
	if err == nil && in.change != nil { // an entry may have moved between the calls
		err = each(in.shards, add)
	}
	return int(n.Load()), err
}

// Dead lists dead entries of all shards. It fails if a shard does not answer.
func (in *Inbox) Dead(ctx context.Context, after string, limit int) ([]webhook.DeadLetter, error) {
	shards := in.all()
	parts := make([][]webhook.DeadLetter, len(shards))
	err := each(shards, func(i int, s *shard) (err error) {
		parts[i], err = s.engine().Dead(ctx, after, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(parts...)
	slices.SortFunc(all, func(a, b webhook.DeadLetter) int { return cmp.Compare(a.Key, b.Key) })
	return all[:min(len(all), max(limit, 0))], nil
}

// Replay makes dead entries pending in the shards that have them.
func (in *Inbox) Replay(ctx context.Context, keys ...string) (int, error) {
	return in.total(func(s *shard) (int, error) { return s.engine().Replay(ctx, keys...) })
}

// Purge deletes dead entries in the shards that have them.
func (in *Inbox) Purge(ctx context.Context, keys ...string) (int, error) {
	return in.total(func(s *shard) (int, error) { return s.engine().Purge(ctx, keys...) })
}

// PurgeStore deletes the dead entries of a store.
func (in *Inbox) PurgeStore(
	ctx context.Context, store value.ID, match func(webhook.DeadLetter) bool,
) (n int, err error) {
	for _, s := range in.having(store) {
		some, err := s.engine().PurgeStore(ctx, store, match)
		if n += some; err != nil {
			return n, s.named(err)
		}
	}
	return n, nil
}

// DropStore deletes the pending entries of a store.
func (in *Inbox) DropStore(ctx context.Context, store value.ID, prefix string, before time.Time) (n int, err error) {
	for _, s := range in.having(store) {
		some, err := s.engine().DropStore(ctx, store, prefix, before)
		if n += some; err != nil {
			return n, s.named(err)
		}
	}
	return n, nil
}

// having returns the shards that may have entries of a store.
func (in *Inbox) having(store value.ID) []*shard {
	to := best(in.shards, store)
	if in.change == nil || in.change.former(store) == to {
		return []*shard{to}
	}
	return []*shard{in.change.former(store), to}
}
