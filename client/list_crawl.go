package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Crawl is a query for all records of a list, by since_id. It reads them in ascending order of id, in pages whose
// cursors resume the crawl in another process. It does not use numbered pages, so records that are created or deleted
// meanwhile do not make it repeat or skip others. A record that is created meanwhile may be included or not.
//
// One query for orders returns at most 10,000 of them. Therefore a crawl of more orders is split by time of creation.
// The orders come in ascending windows of creation, and in ascending order of id in each window. The crawl fails if
// more than 10,000 orders were created within one second.
//
// A Crawl is a value and safe for concurrent use.
type Crawl[T any] struct{ core *crawling }

// Crawl selects all records of the list. The page and the cursor of the list are ignored. Its pages have the size
// Paging.PerPage, or MaxPerPage if that is zero. It requires a list with a since_id parameter; for another list, the
// first use fails with ErrValidation. Members that the crawl itself requires are added to Paging.Fields.
//
//go:noinline
func (l List[T]) Crawl() Crawl[T] { return Crawl[T]{coreOf(l).crawl()} }

// All yields the records.
//
//go:noinline
func (c Crawl[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return recordsOf[*T](c.core.pages(ctx))
}

// Pages yields the records in pages. Their cursors resume the crawl after them, also in another process; see After.
// Total is the number of remaining records, including the page, and for orders only those of the window. Number is
// always 1. A page without items may be followed by others.
//
//go:noinline
func (c Crawl[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	return pagesOf[T](c.core.pages(ctx))
}

// After returns the crawl after the page that returned the cursor. An order at the border of two windows may be
// returned twice. The filter must be the one that the cursor is from. Otherwise, and for an empty cursor or one of
// release 0.1.0, the first use fails with ErrValidation.
//
//go:noinline
func (c Crawl[T]) After(cursor string) Crawl[T] { return Crawl[T]{c.core.resumed(cursor)} }

// crawling is a Crawl without the type of its records.
type crawling struct {
	list *listing
	todo []span
	err  error
}

func (l *listing) crawl() *crawling {
	all := *l
	all.Query, all.resumed = maps.Clone(l.Query), nil
	if all.Query == nil {
		all.Query = make(url.Values)
	}
	all.Query.Del("page")
	if fields := all.Query.Get("fields"); fields != "" && l.MostResults > 0 {
		all.Query.Set("fields", strings.Join(with(strings.Split(fields, ","), "id", "created_at"), ","))
	}
	from, fromErr := parseEdge(all.Query.Get("created_at_min"))
	to, toErr := parseEdge(all.Query.Get("created_at_max"))
	return &crawling{list: &all, todo: []span{{from, to, sinceOf(all.Query)}}, err: errors.Join(fromErr, toErr)}
}

//go:noinline
func (c *crawling) pages(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) {
		if c.err != nil {
			yield(nil, fmt.Errorf("GET %s: %w", c.list.Path, c.err))
			return
		}
		run := &crawlRun{crawling: *c, edge: make(map[ID]bool), yield: yield}
		run.todo = slices.Clone(c.todo)
		for len(run.todo) > 0 && !run.stopped {
			w := run.todo[0]
			run.todo = run.todo[1:]
			if left, right, split := run.read(ctx, w); split {
				run.todo = slices.Insert(run.todo, 0, left, right)
			}
		}
	}
}

// with returns names and the missing ones of more.
func with(names []string, more ...string) []string {
	names = slices.Clone(names)
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// span is the rest of a window of creation: the records with an id greater than after. A zero time leaves that end of
// the window open.
type span struct {
	min, max time.Time
	after    ID
}

// firstRecord is before any record. The middle of a window without a beginning is computed from it.
var firstRecord = time.Unix(0, 0).UTC()

// halves splits the window at a whole second; ok is false for a window of one second. Both halves contain the second of
// the split, so it does not matter how the platform rounds.
func (w span) halves(now time.Time) (left, right span, ok bool) {
	from, to := w.min, w.max
	if to.IsZero() {
		to = now.Add(24 * time.Hour) // clocks differ
	}
	if from.IsZero() {
		from = firstRecord
	}
	middle := from.Add(to.Sub(from) / 2).Truncate(time.Second)
	if !middle.After(from) || !middle.Before(to) {
		return span{}, span{}, false
	}
	return span{w.min, middle, w.after}, span{middle, w.max, w.after}, true
}

// crawlRun is one run of a crawl.
type crawlRun struct {
	crawling
	edge    map[ID]bool // records at the end of the previous window, which may be returned again
	yield   func(*listPage, error) bool
	stopped bool
}

// read yields the records of a window, or splits the window if it has too many.
func (c *crawlRun) read(ctx context.Context, w span) (left, right span, split bool) {
	edge := make(map[ID]bool)
	first := c.list.MostResults > 0
	for page, err := range c.window(w).sincePages(ctx, w.after) {
		if first && (page != nil && c.overflows(page) || page == nil && c.capped(ctx, err)) {
			if left, right, split = w.halves(time.Now()); split {
				return left, right, true
			}
			err = fmt.Errorf("GET %s: more than %d %s were created at %s: %w", c.list.Path, c.list.MostResults, strings.TrimPrefix(c.list.Path, "/"), w.min.Format(time.RFC3339), errors.Join(ErrValidation, err))
			page = nil
		}
		first = false
		if page != nil {
			page = c.trimmed(page, w, edge)
		}
		if page != nil || err != nil {
			c.stopped = !c.yield(page, err) || page == nil
		}
		if c.stopped {
			return span{}, span{}, false
		}
	}
	c.edge = edge
	return span{}, span{}, false
}

// overflows reports whether the first page of a window has a total above the maximum of one query. The total is ignored
// unless the page is full.
func (c *crawlRun) overflows(page *listPage) bool {
	size, err := strconv.Atoi(c.list.largest().Get("per_page"))
	return err == nil && page.total > c.list.MostResults && page.got >= size
}

// trimmed returns a page without the records that were returned before, and with the cursor of the crawl.
func (c *crawlRun) trimmed(page *listPage, w span, edge map[ID]bool) *listPage {
	own, repeated := *page, false
	for i := range page.items.Len() {
		item := page.items.Index(i)
		id := c.list.id(item.Addr().Interface())
		if !w.max.IsZero() && !creationOf(item).Before(w.max.Add(-time.Second)) {
			edge[id] = true
		}
		w.after = max(w.after, id)
		repeated = repeated || c.edge[id]
	}
	w.after = max(w.after, page.unread)
	rest := c.todo
	if page.more {
		rest = slices.Insert(slices.Clone(c.todo), 0, w)
	}
	if own.cursor = c.writeCursor(rest); repeated {
		own.items = c.list.filtered(page.items, func(id ID) bool { return !c.edge[id] })
	}
	return &own
}

// filtered returns a slice of the records whose ids are chosen.
func (l *listing) filtered(items reflect.Value, chosen func(ID) bool) reflect.Value {
	kept := reflect.MakeSlice(l.records, 0, items.Len())
	for i := range items.Len() {
		if item := items.Index(i); chosen(l.id(item.Addr().Interface())) {
			kept = reflect.Append(kept, item)
		}
	}
	return kept
}

// creationOf returns the creation time of a record; zero if it has none.
func creationOf(record reflect.Value) time.Time {
	created, ok := field(record, "CreatedAt")
	if !ok {
		return time.Time{}
	}
	at, _ := created.Interface().(Time)
	return at.Time
}

// window returns the list of the records of a window of creation.
func (c *crawling) window(w span) *listing {
	if c.list.MostResults == 0 {
		return c.list // the list is not split
	}
	l := *c.list
	q := &query{values: maps.Clone(l.Query)}
	q.values.Del("created_at_min")
	q.values.Del("created_at_max")
	l.Query = q.time("created_at_min", w.min).time("created_at_max", w.max).values
	return &l
}

// capped reports whether err is the platform's rejection of a query with more than 10,000 results. The contract does
// not show that error. Therefore a rejection counts as one if the platform accepts the same query for a second without
// records.
func (c *crawlRun) capped(ctx context.Context, err error) bool {
	if !isRefusal(err, http.StatusBadRequest) && !isRefusal(err, http.StatusUnprocessableEntity) {
		return false
	}
	_, err = c.window(span{min: firstRecord, max: firstRecord.Add(time.Second)}).page(ctx)
	return err == nil
}
