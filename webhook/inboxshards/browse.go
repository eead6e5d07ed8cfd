package inboxshards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/browsing"
	"github.com/commerceplatform/commerce-go/webhook"
)

// selected returns the shards that may have the entries of a filter.
func (in *Inbox) selected(f webhook.EntryFilter) []*shard {
	if store, set := f.Store.Get(); set && store != 0 {
		return in.having(store)
	}
	return in.all()
}

// Browse returns a page of entries of all shards. It fails if a shard does not answer, because an operator would miss
// its entries; a filter for a store reads only the shard of the store.
func (in *Inbox) Browse(ctx context.Context, q webhook.BrowseQuery) (page webhook.BrowsePage, err error) {
	shards := in.selected(q.Filter)
	pages := make([]webhook.BrowsePage, len(shards))
	err = each(shards, func(i int, s *shard) (err error) {
		pages[i], err = s.engine().Browse(ctx, q)
		return err
	})
	if err != nil {
		return page, err
	}
	page.At = pages[0].At
	for _, p := range pages {
		page.Entries = append(page.Entries, p.Entries...)
		page.Searched += p.Searched
		if p.Next != "" && (page.Next == "" || p.Next < page.Next) {
			page.Next = p.Next // no shard was read further than all of them
		}
	}
	slices.SortFunc(page.Entries, func(a, b webhook.StoredEntry) int { return cmp.Compare(a.Key, b.Key) })
	if page.Next != "" {
		page.Entries = slices.DeleteFunc(page.Entries, func(e webhook.StoredEntry) bool { return e.Key > page.Next })
	}
	if q.Limit > 0 && len(page.Entries) > q.Limit {
		page.Entries = page.Entries[:q.Limit]
		page.Next = page.Entries[q.Limit-1].Key
	}
	return page, nil
}

// Lookup returns the entry with a key.
func (in *Inbox) Lookup(ctx context.Context, key string, body bool) (webhook.StoredEntry, error) {
	var shards []*shard
	for _, store := range storesOf(key) {
		for _, s := range in.having(store) {
			if !slices.Contains(shards, s) {
				shards = append(shards, s)
			}
		}
	}
	if len(shards) == 0 {
		shards = in.all()
	}
	e, err := lookUp(ctx, shards, key, body)
	if in.change != nil && errors.Is(err, webhook.ErrNoEntry) { // it may have moved between the calls
		return lookUp(ctx, shards, key, body)
	}
	return e, err
}

func lookUp(ctx context.Context, shards []*shard, key string, body bool) (webhook.StoredEntry, error) {
	found := make([]*webhook.StoredEntry, len(shards))
	err := each(shards, func(i int, s *shard) error {
		e, err := s.engine().Lookup(ctx, key, body)
		if err == nil {
			found[i] = &e
		} else if errors.Is(err, webhook.ErrNoEntry) {
			err = nil
		}
		return err
	})
	for _, e := range slices.Backward(found) { // the former shard of a store comes first
		if e != nil {
			return *e, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("inboxshards: look up %q: %w", key, webhook.ErrNoEntry)
	}
	return webhook.StoredEntry{}, err
}

// Groups counts the entries of all shards. If a shard does not answer, it returns the groups of the others and an error
// that names the shard.
func (in *Inbox) Groups(ctx context.Context, f webhook.EntryFilter) (webhook.EntryGroups, error) {
	shards := in.selected(f)
	parts := make([]webhook.EntryGroups, len(shards))
	err := each(shards, func(i int, s *shard) (err error) {
		parts[i], err = s.engine().Groups(ctx, f)
		return err
	})
	sum, others := browsing.NewCounter(webhook.EntryFilter{}), 0
	var at time.Time
	for _, part := range parts {
		others += part.Others
		if at.IsZero() || !part.At.IsZero() && part.At.Before(at) {
			at = part.At
		}
		for _, g := range part.Groups {
			sum.Add(g)
		}
	}
	all := sum.Sum(at)
	all.Others += others
	return all, err
}

// ReplayListed makes dead entries pending if they have not changed since they were listed.
func (in *Inbox) ReplayListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	return in.total(func(s *shard) (int, error) { return s.engine().ReplayListed(ctx, listed...) })
}

// PurgeListed deletes dead entries if they have not changed since they were listed.
func (in *Inbox) PurgeListed(ctx context.Context, listed ...webhook.StoredEntry) (int, error) {
	return in.total(func(s *shard) (int, error) { return s.engine().PurgeListed(ctx, listed...) })
}
