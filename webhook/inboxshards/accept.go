package inboxshards

import (
	"context"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Accept stores entries in the shards of their stores. All entries of one shard are stored or none. If it returns an
// error, entries of other shards may be stored; accepting them again merges them.
func (in *Inbox) Accept(ctx context.Context, entries ...webhook.Entry) ([]webhook.Outcome, error) {
	if len(entries) == 0 {
		return nil, ctx.Err()
	}
	if len(entries) == 1 && in.change == nil {
		return best(in.shards, entries[0].StoreID).accept(ctx, entries)
	}
	if in.change != nil { // an entry must not reach the former shard after its store has left it
		within, cancel := context.WithTimeout(ctx, acceptFor)
		defer cancel()
		ctx = within
	}
	batches, err := in.batches(ctx, entries)
	if err != nil {
		return nil, err
	}
	if len(batches) == 1 && in.change == nil {
		return batches[0].accept(ctx, entries)
	}
	all := make([]webhook.Outcome, len(entries))
	for _, b := range batches {
		if err := in.store(ctx, b, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// batch is the part of the entries that one shard stores.
type batch struct {
	*shard
	at      []int
	entries []webhook.Entry
}

// batches divides entries by shard.
func (in *Inbox) batches(ctx context.Context, entries []webhook.Entry) (all []*batch, err error) {
	for i, e := range entries {
		s, err := in.owner(ctx, e.StoreID)
		if err != nil {
			return nil, err
		}
		at := 0
		for at < len(all) && all[at].shard != s {
			at++
		}
		if at == len(all) {
			all = append(all, &batch{shard: s})
		}
		all[at].at, all[at].entries = append(all[at].at, i), append(all[at].entries, e)
	}
	return all, nil
}

// store stores a batch, except for facts that the former shard of their store knows.
func (in *Inbox) store(ctx context.Context, b *batch, outcomes []webhook.Outcome) error {
	fresh := &batch{shard: b.shard}
	for i, e := range b.entries {
		outcome, known, err := in.known(ctx, b.shard, e)
		switch {
		case err != nil:
			return err
		case known:
			outcomes[b.at[i]] = outcome
		default:
			fresh.at, fresh.entries = append(fresh.at, b.at[i]), append(fresh.entries, e)
		}
	}
	if len(fresh.entries) == 0 {
		return nil
	}
	stored, err := fresh.accept(ctx, fresh.entries)
	for i, outcome := range stored {
		outcomes[fresh.at[i]] = outcome
	}
	return err
}

func (s *shard) accept(ctx context.Context, entries []webhook.Entry) (outcomes []webhook.Outcome, err error) {
	err = s.call(func() (err error) {
		outcomes, err = s.engine().Accept(ctx, entries...)
		return err
	})
	return outcomes, err
}
