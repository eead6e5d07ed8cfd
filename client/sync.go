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

// UpdatedSince yields the records that changed since a mark, and returns the mark
// for the next time: store it when the iteration ended without error.
//
//	changed, next := api.Products.List(client.ProductFilter{}).UpdatedSince(ctx, mark)
//	for product, err := range changed {
//		…
//	}
//	mark = next
//
// A record comes at least once for all its changes since the mark, often more,
// because the windows overlap by SyncOverlap: write it over what you have. A zero
// mark reads everything. Records that were deleted do not come; webhooks tell of
// them. What is derived from other records, such as the price of a kit, may change
// without a new time; compare everything now and then.
//
// The next mark is this machine's time at the call. A clock that runs ahead of the
// platform's by more than SyncOverlap loses changes: keep a mark from the UpdatedAt
// of the records then. The list must know updated_at_min; orders beyond 10,000 results need
// OrderService.UpdatedSince.
func (l List[T]) UpdatedSince(ctx context.Context, mark time.Time) (changed iter.Seq2[*T, error], next time.Time) {
	l.values = updatedSince(l.values, mark)
	if l.id != nil {
		return l.Since(ctx, sinceOf(l.values)), time.Now()
	}
	return l.All(ctx), time.Now()
}

// UpdatedSince is List.UpdatedSince for orders, also for more than 10,000 changes.
// UpdatedMin of f is replaced.
func (s *OrderService) UpdatedSince(ctx context.Context, f OrderFilter, mark time.Time) (changed iter.Seq2[*Order, error], next time.Time) {
	f.UpdatedMin = overlapped(mark)
	return s.Crawl(ctx, f), time.Now()
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
