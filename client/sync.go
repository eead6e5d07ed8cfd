package client

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"time"
)

// SyncOverlap is how far before its mark UpdatedSince reads: changes that the
// platform shows late, and clocks that differ, lose nothing.
const SyncOverlap = 5 * time.Minute

// Sync is a query for the records that changed since a mark.
//
//	sync := api.Products.List(client.ProductFilter{}).UpdatedSince(mark)
//	for product, err := range sync.All(ctx) {
//		…
//	}
//	mark = sync.Mark()
//
// A record comes at least once for all its changes since the mark, often more,
// because the windows overlap by SyncOverlap: write it over what you have. A zero
// mark reads everything. Records that were deleted do not come; webhooks tell of
// them. What is derived from other records, such as the price of a kit, may change
// without a new time; compare everything now and then.
//
// A run that is interrupted begins again at the old mark. What is too long for that
// is first read by List.Since or OrderService.Crawl, which go on where they stopped;
// the Date of a page that was read before them is the mark to sync from.
//
// A Sync is for one goroutine.
type Sync[T any] struct{ core *syncing }

// UpdatedSince selects the records that changed since a mark. The list must know
// updated_at_min; orders beyond 10,000 results need OrderService.UpdatedSince. A list
// without since_id is read by numbered pages, where a record that is deleted
// meanwhile may hide another.
func (l List[T]) UpdatedSince(mark time.Time) *Sync[T] {
	return &Sync[T]{l.core.updatedSince(mark)}
}

// UpdatedSince is List.UpdatedSince for orders, also for more than 10,000 changes.
// UpdatedMin of f is replaced.
func (s *OrderService) UpdatedSince(f OrderFilter, mark time.Time) *Sync[Order] {
	f.UpdatedMin = overlapped(mark)
	return &Sync[Order]{&syncing{s.Crawl(f).pages, mark}}
}

// All yields the records.
func (s *Sync[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return recordsOf[T](s.core.watched(ctx))
}

// Mark returns where to go on: the time of the platform at the first answer, once All
// came to its end without an error, and the old mark before. The clock of this machine
// does not matter. An answer without a Date has the time of its latest change. Store the
// mark together with the records.
func (s *Sync[T]) Mark() time.Time { return s.core.mark }

// syncing is what a Sync does, whatever the type of its records.
type syncing struct {
	pages func(context.Context) listPages
	mark  time.Time
}

func (l *Listing) updatedSince(mark time.Time) *syncing {
	changed := *l
	changed.values = updatedSince(l.values, mark)
	if !l.sinceID {
		return &syncing{changed.pages, mark}
	}
	return &syncing{func(ctx context.Context) listPages { return changed.sincePages(ctx, sinceOf(changed.values)) }, mark}
}

// watched yields the pages, and moves the mark when all of them were good.
//
//go:noinline
func (s *syncing) watched(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) { s.watch(ctx, yield) }
}

func (s *syncing) watch(ctx context.Context, yield func(*listPage, error) bool) {
	var began time.Time
	first, good := true, true
	for page, err := range s.pages(ctx) {
		if first && page != nil {
			first, began = false, page.reached()
		}
		good = good && err == nil
		if !yield(page, err) {
			return
		}
	}
	if good && began.After(s.mark) {
		s.mark = began
	}
}

func updatedSince(values url.Values, mark time.Time) url.Values {
	values = maps.Clone(values)
	if values == nil {
		values = make(url.Values)
	}
	q := &query{values: values}
	q.values.Del("updated_at_min")
	return q.time("updated_at_min", overlapped(mark)).values
}

func overlapped(mark time.Time) time.Time {
	if mark.IsZero() {
		return mark
	}
	return mark.Add(-SyncOverlap)
}

// sinceOf returns the since_id of a filter; 0 if it has none.
func sinceOf(values url.Values) ID {
	id, err := ParseID(values.Get("since_id"))
	if err != nil {
		return 0
	}
	return id
}
