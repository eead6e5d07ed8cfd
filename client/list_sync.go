package client

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
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
// is first read by List.Crawl, which goes on where it stopped;
// the Date of its first page is the mark to sync from. Copy does both.
//
// A Sync is for one goroutine.
type Sync[T any] struct{ core *syncing }

// UpdatedSince selects the records that changed since a mark. The list must know
// updated_at_min; orders beyond 10,000 results need OrderService.UpdatedSince. A list
// without since_id is read by numbered pages, where a record that is deleted
// meanwhile may hide another.
//
//go:noinline
func (l List[T]) UpdatedSince(mark time.Time) *Sync[T] {
	return &Sync[T]{l.core().updatedSince(mark)}
}

// All yields the records.
//
//go:noinline
func (s *Sync[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return recordsOf[*T](s.core.watched(ctx))
}

// Mark returns where to continue: the time of the platform at the first response, once All
// came to its end without an error, and the old mark before. Store the mark together with the records.
//
// The Date of the response is not trusted alone. A Date that is later than the clock of this machine counts as far as
// that clock confirms it, or the latest change among the records of the first page, or the old mark. So the mark is
// right as long as one of both clocks is, and one that is behind costs records that come again, but loses none. If
// this machine's clock is more than SyncOverlap behind the changes or the old mark, a Date up to an hour after those
// counts. A Date more than an hour later than everything that confirms it is reported to Config.OnDrift, with the path
// "Date", and to Config.Logger. The time of change of a record that is later than the Date does not count, and a Date
// before the old mark leaves that as it is. A response without a Date has the time of its latest change that is not
// later than this machine's clock. All fails if the old mark is more than an hour later than both clocks, because a
// change may have been missed since.
func (s *Sync[T]) Mark() time.Time { return s.core.mark }

// syncing is what a Sync does, whatever the type of its records.
type syncing struct {
	codec *codec
	pages func(context.Context) listPages
	mark  time.Time
}

func (l *listing) updatedSince(mark time.Time) *syncing {
	changed := *l
	changed.Query, changed.resumed = updatedSince(l.Query, mark), nil
	if !l.SinceID {
		return &syncing{l.codec, changed.pages, mark}
	}
	return &syncing{l.codec, func(ctx context.Context) listPages { return changed.sincePages(ctx, sinceOf(changed.Query)) }, mark}
}

// watched yields the pages, and moves the mark when all of them were good.
//
//go:noinline
func (s *syncing) watched(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) { s.watch(ctx, yield) }
}

func (s *syncing) watch(ctx context.Context, yield func(*listPage, error) bool) {
	clock := &syncClock{mark: s.mark, here: time.Now()}
	good := true
	for page, err := range s.pages(ctx) {
		if page != nil {
			clock.read(page)
		}
		good = good && err == nil
		if !yield(page, err) {
			return
		}
	}
	if clock.mistaken() {
		yield(nil, fmt.Errorf("the mark %s is later than the platform's clock: changes may be missing, so begin at an earlier mark: %w", s.mark.Format(time.RFC3339), ErrValidation))
		return
	}
	if reached := clock.reached(); good && reached.After(s.mark) {
		s.mark = reached
	}
	if clock.doubtful() {
		s.codec.doubt(ctx, clock.date, clock.proof)
	}
}

// doubt reports a Date that was not believed.
func (c *codec) doubt(ctx context.Context, date, proof time.Time) {
	c.config.Logger.LogAttrs(ctx, slog.LevelWarn, "the Date of a response is later than all that confirms it",
		slog.Time("date", date), slog.Time("confirmed", proof))
	if c.config.OnDrift != nil {
		c.config.OnDrift(ctx, Drift{Path: "Date", Want: "a time that is confirmed up to " + proof.UTC().Format(time.RFC3339), Got: date.Format(time.RFC3339)})
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
