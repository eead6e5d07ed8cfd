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

// SyncOverlap is how far before its mark UpdatedSince reads. The overlap allows for changes that the platform shows
// late, and for clocks that differ.
const SyncOverlap = 5 * time.Minute

// Sync is a query for the records that changed since a mark.
//
//	sync := v202503.Products(c).List(client.ProductFilter{}).UpdatedSince(mark)
//	for product, err := range sync.All(ctx) {
//		…
//	}
//	mark = sync.Mark()
//
// Each record that changed since the mark is returned at least once, and often repeatedly, because the windows overlap
// by SyncOverlap. Overwrite the stored record with it. A zero mark reads all records. Deleted records are not returned;
// webhooks report them. Members that depend on other records, such as the price of a kit, may change without a new
// time. Changes are also missed while the Date and the clock of this machine are both more than SyncOverlap ahead of
// the times that the platform stores. Therefore compare all records from time to time, as Copy.Reconcile does.
//
// A run that is interrupted begins again at the old mark. To read many records, use List.Crawl first, because it
// continues where it stopped. The Date of its first page is the mark for the first sync. Copy does both.
//
// A Sync must not be used by several goroutines at the same time.
type Sync[T any] struct{ core *syncing }

// UpdatedSince selects the records that changed since a mark. The list must support updated_at_min. For more than
// 10,000 changed orders use OrderService.UpdatedSince. A list without since_id is read by numbered pages, so a record
// that is deleted meanwhile may hide another one.
//
//go:noinline
func (l List[T]) UpdatedSince(mark time.Time) *Sync[T] {
	return &Sync[T]{coreOf(l).updatedSince(mark)}
}

// All yields the records.
//
//go:noinline
func (s *Sync[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return recordsOf[*T](s.core.watched(ctx))
}

// Mark returns the mark for the next run. After All has ended it is the platform's time at the first response, and
// before that, or after an error other than ErrUnreadableItem, the old mark. Store the mark together with the records.
// An unreadable record must be treated before that, because the next run reads it only if it changes again.
//
// The platform's time is the Date of the first response, but it must be confirmed. It is confirmed by this machine's
// clock, by the latest change among the records of the first page, or by the old mark. A later Date is reduced to the
// latest confirmed time. So the mark is correct as long as one of the two clocks is. A slow clock causes repeated
// records but never lost ones.
//
//   - If this machine's clock is more than SyncOverlap slow, compared with the changes or the old mark, a Date up to an
//     hour after those is accepted.
//   - A Date more than an hour later than any confirmed time is reported to Config.OnDrift, with the path "Date", and
//     to Config.Logger.
//   - Changes with a time later than the Date are ignored. A Date before the old mark leaves the mark unchanged.
//   - If the response has no Date, the time of its latest change is used that is not later than this machine's clock.
//   - All fails if the old mark is more than an hour later than both clocks, because changes may have been missed.
func (s *Sync[T]) Mark() time.Time { return s.core.mark }

// syncing is a Sync without the type of its records.
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

// watched yields the pages, and sets the mark after all of them were read.
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
		good = good && (err == nil || OnlyUnreadable(err))
		if !yield(page, err) {
			return
		}
	}
	if clock.mistaken() {
		yield(nil, fmt.Errorf("the mark %s is later than the platform's clock, so changes may be missing: use an earlier mark: %w", s.mark.Format(time.RFC3339), ErrValidation))
		return
	}
	if reached := clock.reached(); good && reached.After(s.mark) {
		s.mark = reached
	}
	if clock.doubtful() {
		s.codec.doubt(ctx, clock.date, clock.proof)
	}
}

// doubt reports a Date that was not accepted.
func (c *codec) doubt(ctx context.Context, date, proof time.Time) {
	c.config.Logger.LogAttrs(ctx, slog.LevelWarn, "client: the Date header of a response is later than the confirmed time, and is not used",
		slog.Time("date", date), slog.Time("confirmed", proof))
	if c.config.OnDrift != nil {
		c.config.OnDrift(ctx, Drift{Path: "Date", Want: "a time not later than the confirmed time " + proof.UTC().Format(time.RFC3339), Got: date.Format(time.RFC3339)})
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

// sinceOf returns the since_id of a filter; 0 if unset.
func sinceOf(values url.Values) ID {
	id, err := ParseID(values.Get("since_id"))
	if err != nil {
		return 0
	}
	return id
}
