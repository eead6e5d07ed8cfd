package inboxshards

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Stats counts the entries of all shards. If a shard does not answer, it returns the sum of the others and an error
// that names the shard.
func (in *Inbox) Stats(ctx context.Context) (sum webhook.Stats, err error) {
	shards := in.all()
	all := make([]webhook.Stats, len(shards))
	err = each(shards, func(i int, s *shard) (err error) {
		all[i], err = s.engine().Stats(ctx)
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
		sum.Lag = max(sum.Lag, s.Lag)
		sum.Oldest, sum.OldestProtected = max(sum.Oldest, s.Oldest), max(sum.OldestProtected, s.OldestProtected)
	}
	return sum, err
}

// Flow implements webhook.Flow, for the shards that do.
func (in *Inbox) Flow() (accepted, handled int64) {
	for _, s := range in.all() {
		if f, ok := s.engine().(webhook.Flow); ok {
			a, h := f.Flow()
			accepted, handled = accepted+a, handled+h
		}
	}
	return accepted, handled
}

// Answers returns nil if at least one shard answers: see webhook.InboxAnswers.
func (in *Inbox) Answers(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	shards := in.all()
	answers := make(chan error, len(shards))
	for _, s := range shards {
		go func() {
			_, err := s.engine().Mark(ctx, identity)
			answers <- s.named(err)
		}()
	}
	var down []error
	for range shards {
		err := <-answers
		if err == nil {
			return nil
		}
		down = append(down, err)
	}
	return errors.Join(down...)
}

// Mark returns a mark of a Sweep, which is in the shard of its store.
func (in *Inbox) Mark(ctx context.Context, name string) (time.Time, error) {
	s, store := in.markOf(name)
	mark, err := s.engine().Mark(ctx, name)
	if err != nil || !mark.IsZero() || in.change == nil {
		return mark, s.named(err)
	}
	former := in.change.former(store)
	mark, err = former.engine().Mark(ctx, name)
	return mark, former.named(err)
}

// SetMark stores a mark of a Sweep in the shard of its store.
func (in *Inbox) SetMark(ctx context.Context, name string, t time.Time) error {
	s, _ := in.markOf(name)
	return s.named(s.engine().SetMark(ctx, name, t))
}

// RaiseToken makes each later token of each shard greater than above.
func (in *Inbox) RaiseToken(ctx context.Context, above uint64) error {
	return each(in.all(), func(_ int, s *shard) error { return s.raise(ctx, above) })
}

// raised is the name of a mark: the greatest number to which the tokens of a shard were raised, in microseconds.
const raised = "tokens raised to"

// raise raises the tokens of a shard, and stores to what, because they may be above its clock from then on.
func (s *shard) raise(ctx context.Context, above uint64) error {
	was, err := s.engine().Mark(ctx, raised)
	if at := time.UnixMicro(int64(min(above, mostRaised))); err == nil && at.After(was) {
		err = s.engine().SetMark(ctx, raised, at)
	}
	if err == nil {
		err = s.engine().RaiseToken(ctx, above)
	}
	return err
}

// storesOf returns the numbers in a key or a mark that may be its store: see webhook.Prefix. There can be several,
// because the name of an app or the id of a record can have colons too.
func storesOf(key string) (stores []value.ID) {
	parts := strings.Split(key, ":")
	for i := 1; i < len(parts)-1; i++ {
		if id, err := strconv.ParseInt(parts[i], 10, 64); err == nil {
			stores = append(stores, value.ID(id))
		}
	}
	return stores
}

// markOf returns the shard of a mark. The store is the last number in the name of a mark of a Sweep.
func (in *Inbox) markOf(name string) (s *shard, store value.ID) {
	if stores := storesOf(name); len(stores) > 0 {
		store = stores[len(stores)-1]
	}
	return best(in.shards, store), store
}
