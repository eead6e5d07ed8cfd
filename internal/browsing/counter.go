package browsing

import (
	"cmp"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Bounds of a statement.
const (
	// Step is how many entries one call of Browse looks at, at most.
	Step = 2000
	// StepByCause is the same if the entries have to be read to know whether the filter selects them.
	StepByCause = 1000
	// Groups is how many entries a statement counts.
	Groups = 20_000
)

// Counter adds up groups of entries. Make it with [NewCounter].
type Counter struct {
	filter webhook.EntryFilter
	counts map[webhook.EntryGroup]tally
	others int
}

type tally struct {
	count  int
	oldest time.Time
}

// NewCounter returns a Counter of the groups whose cause a filter selects. The caller applies the rest of the filter.
func NewCounter(f webhook.EntryFilter) *Counter {
	return &Counter{filter: f, counts: make(map[webhook.EntryGroup]tally)}
}

// Add counts a group, whose cause is that of an entry.
func (c *Counter) Add(g webhook.EntryGroup) {
	g.Cause = webhook.CauseGroup(g.Cause)
	if cause, set := c.filter.Cause.Get(); set && webhook.CauseGroup(cause) != g.Cause {
		return
	}
	key := g
	key.Count, key.Oldest = 0, time.Time{}
	t, known := c.counts[key]
	if !known && len(c.counts) >= webhook.MostGroups {
		c.others += g.Count
		return
	}
	if !known || g.Oldest.Before(t.oldest) {
		t.oldest = g.Oldest
	}
	t.count += g.Count
	c.counts[key] = t
}

// Sum returns the groups, the largest first.
func (c *Counter) Sum(at time.Time) webhook.EntryGroups {
	all := webhook.EntryGroups{At: at, Others: c.others}
	for g, t := range c.counts {
		g.Count, g.Oldest = t.count, t.oldest
		all.Groups = append(all.Groups, g)
	}
	slices.SortFunc(all.Groups, func(a, b webhook.EntryGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.State, b.State), cmp.Compare(a.Event, b.Event),
			cmp.Compare(a.StoreID, b.StoreID), cmp.Compare(a.Cause, b.Cause))
	})
	return all
}
