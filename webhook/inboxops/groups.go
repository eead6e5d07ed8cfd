package inboxops

import (
	"cmp"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// group identifies a group on the page, over all stores.
type group struct {
	State     webhook.EntryState
	Event     webhook.Name
	Cause     string
	Protected bool
}

// groupSum is the number of entries of a group.
type groupSum struct {
	group
	count  int
	stores int
	oldest time.Time
	past   trend
}

// storeSum is the number of entries of a store.
type storeSum struct {
	id                            client.ID
	due, leased, waiting, dead, n int
	oldest                        time.Time // of the pending entries
}

// sumUp adds groups up by group, problems first, and by store.
func sumUp(all []webhook.EntryGroup) (groups []groupSum, stores map[client.ID]storeSum) {
	sums := map[group]groupSum{}
	stores = map[client.ID]storeSum{}
	for _, g := range all {
		id := group{g.State, g.Event, g.Cause, g.Protected}
		sum := sums[id]
		sum.group, sum.count, sum.stores = id, sum.count+g.Count, sum.stores+1
		sum.oldest = earlier(sum.oldest, g.Oldest)
		sums[id] = sum
		store := stores[g.StoreID]
		store.id = g.StoreID
		store.add(g)
		stores[g.StoreID] = store
	}
	for _, sum := range sums {
		groups = append(groups, sum)
	}
	slices.SortFunc(groups, func(a, b groupSum) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.count, a.count), cmp.Compare(a.Event, b.Event),
			cmp.Compare(a.Cause, b.Cause))
	})
	return groups, stores
}

// arrange makes the groups and stores of the page. Only sample calls it.
func (s *watch) arrange(f *figures, all []webhook.EntryGroup) {
	groups, stores := sumUp(all)
	now := make(map[group]int)
	for _, sum := range groups[:min(len(groups), mostTracked)] {
		now[sum.group] = sum.count
	}
	s.past = tail(append(s.past, counts{now, f.counted}))
	f.more = max(0, len(groups)-mostShown)
	f.groups, f.stores, f.allStore = groups[:len(groups)-f.more], nil, stores
	for i, sum := range f.groups {
		var past []int
		for _, then := range s.past {
			past = append(past, then.of[sum.group])
		}
		f.groups[i].past = newTrend(past, number, f.counted.Sub(s.past[0].at))
	}
	for _, store := range stores {
		f.stores = append(f.stores, store)
	}
	slices.SortFunc(f.stores, func(a, b storeSum) int {
		return cmp.Or(cmp.Compare(b.dead, a.dead), cmp.Compare(b.due+b.waiting+b.leased, a.due+a.waiting+a.leased),
			cmp.Compare(a.id, b.id))
	})
	f.stores = f.stores[:min(len(f.stores), mostShown)]
}

func (s *storeSum) add(g webhook.EntryGroup) {
	s.n += g.Count
	switch g.State {
	case webhook.EntryDead:
		s.dead += g.Count
		return
	case webhook.EntryDone:
		return
	case webhook.EntryDue:
		s.due += g.Count
	case webhook.EntryLeased:
		s.leased += g.Count
	default:
		s.waiting += g.Count
	}
	s.oldest = earlier(s.oldest, g.Oldest)
}

// rank is lower for groups that need attention.
func (g group) rank() int {
	switch {
	case g.State == webhook.EntryDead && g.Protected:
		return 0
	case g.State == webhook.EntryDead:
		return 1
	case g.State != webhook.EntryDone && g.Cause != "":
		return 2
	case g.State != webhook.EntryDone:
		return 3
	}
	return 4
}

func earlier(known, t time.Time) time.Time {
	if known.IsZero() || t.Before(known) {
		return t
	}
	return known
}

func tail[T any](all []T) []T { return all[max(0, len(all)-mostSamples):] }
