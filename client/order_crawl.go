package client

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"
)

// Crawl yields the orders that f selects, also more than the 10,000 of one query:
// it splits the query by time of creation. The orders come in ascending windows of
// creation, and in ascending order of id within each. Numbered pages are not used,
// so that no order comes twice or is lost while others are created; an order that
// is created meanwhile may come or not. Page and PerPage of f are not used.
//
// It fails if more than 10,000 orders were created within one second.
func (s *OrderService) Crawl(ctx context.Context, f OrderFilter) iter.Seq2[*Order, error] {
	f.Page, f.PerPage = 0, MaxPerPage
	if len(f.Fields) > 0 {
		f.Fields = with(f.Fields, "id", "created_at") // the crawl itself needs them
	}
	return func(yield func(*Order, error) bool) {
		c := &orderCrawl{orders: s, filter: f, edge: make(map[ID]bool), yield: yield}
		todo := []span{{f.CreatedMin, f.CreatedMax}}
		for len(todo) > 0 && !c.stopped {
			w := todo[0]
			todo = todo[1:]
			if left, right, split := c.read(ctx, w); split {
				todo = slices.Insert(todo, 0, left, right)
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

// span is a window of creation; zero times leave it open.
type span struct{ min, max time.Time }

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
	return span{w.min, middle}, span{middle, w.max}, true
}

// orderCrawl is one run of Crawl.
type orderCrawl struct {
	orders  *OrderService
	filter  OrderFilter
	edge    map[ID]bool // orders at the end of the window before, which may come again
	yield   func(*Order, error) bool
	stopped bool
}

// read yields the orders of a window, or splits it if it holds too many.
func (c *orderCrawl) read(ctx context.Context, w span) (left, right span, split bool) {
	edge := make(map[ID]bool)
	first := true
	for page, err := range c.list(w).sincePages(ctx, c.filter.SinceID) {
		if tooMany := page != nil && page.Total > MaxOrders || page == nil && c.capped(ctx, err); first && tooMany {
			if left, right, split = w.halves(time.Now()); split {
				return left, right, true
			}
			err = fmt.Errorf("GET /orders: more than %d orders were created at %s: %w", MaxOrders, w.min.Format(time.RFC3339), errors.Join(ErrValidation, err))
			page = nil
		}
		first = false
		if page != nil {
			c.page(page, w, edge)
		}
		if !c.stopped && err != nil {
			c.stopped = !c.yield(nil, err) || page == nil
		}
		if c.stopped {
			return span{}, span{}, false
		}
	}
	c.edge = edge
	return span{}, span{}, false
}

// page yields the orders of a page but those that came before.
func (c *orderCrawl) page(page *Page[Order], w span, edge map[ID]bool) {
	for i := range page.Items {
		order := &page.Items[i]
		if !w.max.IsZero() && !order.CreatedAt.Before(w.max.Add(-time.Second)) {
			edge[order.ID] = true
		}
		if c.edge[order.ID] {
			continue
		}
		if !c.yield(order, nil) {
			c.stopped = true
			return
		}
	}
}

func (c *orderCrawl) list(w span) List[Order] {
	f := c.filter
	f.CreatedMin, f.CreatedMax = w.min, w.max
	return c.orders.List(f)
}

// capped reports whether err is the platform's refusal of a query with more than
// 10,000 results. The contract does not show that error, so a refusal counts as
// one if the same query is taken for a second without orders.
func (c *orderCrawl) capped(ctx context.Context, err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	_, err = c.list(span{firstOrder, firstOrder.Add(time.Second)}).Page(ctx)
	return err == nil
}
