package inboxshards

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Stats counts the entries of all shards. If a shard does not answer, it returns the sum of the others and an error
// that names the shard.
func (in *Inbox) Stats(ctx context.Context) (sum webhook.Stats, err error) {
	shards := in.all()
	all := make([]webhook.Stats, len(shards))
	err = each(shards, func(i int, s *shard) (err error) {
		all[i], err = s.Inbox.Stats(ctx)
		return err
	})
	for _, s := range all {
		sum.Pending += s.Pending
		sum.Due += s.Due
		sum.Leased += s.Leased
		sum.Done += s.Done
		sum.Dead += s.Dead
		sum.Trimmed += s.Trimmed
		sum.LogSize += s.LogSize
		sum.Oldest, sum.OldestProtected = max(sum.Oldest, s.Oldest), max(sum.OldestProtected, s.OldestProtected)
	}
	return sum, err
}

// Mark returns a mark of a Sweep, which is in the shard of its store.
func (in *Inbox) Mark(ctx context.Context, name string) (time.Time, error) {
	store, _ := storeOf(name)
	s := best(in.shards, store)
	mark, err := s.Inbox.Mark(ctx, name)
	if err != nil || !mark.IsZero() || in.change == nil {
		return mark, s.named(err)
	}
	former := in.change.former(store)
	mark, err = former.Inbox.Mark(ctx, name)
	return mark, former.named(err)
}

// SetMark stores a mark of a Sweep in the shard of its store.
func (in *Inbox) SetMark(ctx context.Context, name string, t time.Time) error {
	store, _ := storeOf(name)
	s := best(in.shards, store)
	return s.named(s.Inbox.SetMark(ctx, name, t))
}

// RaiseToken makes each later token of each shard greater than above.
func (in *Inbox) RaiseToken(ctx context.Context, above uint64) error {
	return each(in.all(), func(_ int, s *shard) error { return s.raise(ctx, above) })
}

// raised is the name of a mark: the greatest number to which the tokens of a shard were raised, in microseconds.
const raised = "tokens raised to"

// raise raises the tokens of a shard, and stores to what, because they may be above its clock from then on.
func (s *shard) raise(ctx context.Context, above uint64) error {
	was, err := s.Inbox.Mark(ctx, raised)
	if at := time.UnixMicro(int64(min(above, mostRaised))); err == nil && at.After(was) {
		err = s.Inbox.SetMark(ctx, raised, at)
	}
	if err == nil {
		err = s.Inbox.RaiseToken(ctx, above)
	}
	return err
}

// storeOf returns the store in a key or a mark that webhook.Registry or webhook.Sweep has made: see webhook.Prefix.
func storeOf(key string) (store client.ID, ok bool) {
	for i, part := range strings.SplitN(key, ":", 3) {
		if i == 1 {
			id, err := strconv.ParseInt(part, 10, 64)
			return client.ID(id), err == nil
		}
	}
	return 0, false
}
