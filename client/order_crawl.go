package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"slices"
	"time"
)

// OrderCrawl is a query for orders, also for more than the 10,000 of one query: it is
// split by time of creation. The orders come in ascending windows of
// creation, and in ascending order of id within each. Numbered pages are not used,
// so that no order comes twice or is lost while others are created; an order that
// is created meanwhile may come or not.
//
// It fails if more than 10,000 orders were created within one second. It is a value
// and safe for concurrent use.
type OrderCrawl struct {
	orders *OrderService
	filter OrderFilter
	todo   []span
	err    error
}

// Crawl selects all orders of a filter, whose Page and PerPage are not used.
func (s *OrderService) Crawl(f OrderFilter) OrderCrawl {
	f.Page, f.PerPage = 0, MaxPerPage
	if len(f.Fields) > 0 {
		f.Fields = with(f.Fields, "id", "created_at") // the crawl itself needs them
	}
	return OrderCrawl{orders: s, filter: f, todo: []span{{f.CreatedMin, f.CreatedMax, f.SinceID}}}
}

// All yields the orders.
func (c OrderCrawl) All(ctx context.Context) iter.Seq2[*Order, error] {
	return recordsOf[*Order](c.pages(ctx))
}

// Pages yields the orders in pages. Their cursors resume the crawl behind them, also in
// another process: see From. Total counts what was left of the window, the page
// included, and Number is always 1; a page without items may have others behind it.
func (c OrderCrawl) Pages(ctx context.Context) iter.Seq2[*Page[Order], error] {
	return pagesOf[Order](c.pages(ctx))
}

func (c OrderCrawl) pages(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) {
		if c.err != nil {
			yield(nil, fmt.Errorf("GET /orders: %w", c.err))
			return
		}
		run := &crawlRun{OrderCrawl: c, edge: make(map[ID]bool), yield: yield}
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

// with returns names together with those of more that are missing.
func with(names []string, more ...string) []string {
	names = slices.Clone(names)
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// span is what is left of a window of creation: the orders with an id greater than after.
// Zero times leave the window open.
type span struct {
	min, max time.Time
	after    ID
}

// firstOrder is before any order; it is where the search for a middle starts if
// the window has no beginning.
var firstOrder = time.Unix(0, 0).UTC()

// halves splits the window at a whole second; ok is false for a window of a second.
// Both halves contain the second of the split, whichever way the platform rounds.
func (w span) halves(now time.Time) (left, right span, ok bool) {
	from, to := w.min, w.max
	if to.IsZero() {
		to = now.Add(24 * time.Hour) // clocks differ
	}
	if from.IsZero() {
		from = firstOrder
	}
	middle := from.Add(to.Sub(from) / 2).Truncate(time.Second)
	if !middle.After(from) || !middle.Before(to) {
		return span{}, span{}, false
	}
	return span{w.min, middle, w.after}, span{middle, w.max, w.after}, true
}

// crawlRun is one run of a crawl.
type crawlRun struct {
	OrderCrawl
	edge    map[ID]bool // orders at the end of the window before, which may come again
	yield   func(*listPage, error) bool
	stopped bool
}

// read yields the orders of a window, or splits it if it holds too many.
func (c *crawlRun) read(ctx context.Context, w span) (left, right span, split bool) {
	edge := make(map[ID]bool)
	first := true
	for page, err := range c.list(w).core().sincePages(ctx, w.after) {
		if first && (page != nil && page.total > MaxOrders && page.got >= MaxPerPage || page == nil && c.capped(ctx, err)) {
			if left, right, split = w.halves(time.Now()); split {
				return left, right, true
			}
			err = fmt.Errorf("GET /orders: more than %d orders were created at %s: %w", MaxOrders, w.min.Format(time.RFC3339), errors.Join(ErrValidation, err))
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

// trimmed returns a page without the orders that came before, and with the cursor of the crawl.
func (c *crawlRun) trimmed(page *listPage, w span, edge map[ID]bool) *listPage {
	own, all := *page, page.items.Interface().([]Order)
	kept := make([]Order, 0, len(all))
	for i := range all {
		order := &all[i] // a large struct
		if !w.max.IsZero() && !order.CreatedAt.Before(w.max.Add(-time.Second)) {
			edge[order.ID] = true
		}
		w.after = max(w.after, order.ID)
		if !c.edge[order.ID] {
			kept = append(kept, *order)
		}
	}
	w.after = max(w.after, page.unread)
	rest := c.todo
	if page.more {
		rest = slices.Insert(slices.Clone(c.todo), 0, w)
	}
	own.items, own.cursor = reflect.ValueOf(kept), c.writeCursor(rest)
	return &own
}

func (c *crawlRun) list(w span) List[Order] {
	f := c.filter
	f.CreatedMin, f.CreatedMax = w.min, w.max
	return c.orders.List(f)
}

// capped reports whether err is the platform's refusal of a query with more than
// 10,000 results. The contract does not show that error, so a refusal counts as
// one if the same query is taken for a second without orders.
func (c *crawlRun) capped(ctx context.Context, err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	_, err = c.list(span{min: firstOrder, max: firstOrder.Add(time.Second)}).Page(ctx)
	return err == nil
}
