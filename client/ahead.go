package client

import (
	"context"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
)

// Ahead yields the records of all pages in order, like All, with up to n pages in
// flight. Memory is bounded by n pages, the pace by the rate limit; leaving the
// loop cancels what is in flight. Where the pages are not numbered, or the number of
// the last one is not known, it reads one page after another.
func (l List[T]) Ahead(ctx context.Context, n int) iter.Seq2[*T, error] {
	return recordsOf[T](l.core.aheadPages(ctx, max(1, n)))
}

type fetched struct {
	page *listPage
	err  error
}

//go:noinline
func (l *Listing) aheadPages(ctx context.Context, n int) listPages {
	return func(yield func(*listPage, error) bool) { l.eachAhead(ctx, n, yield) }
}

func (l *Listing) eachAhead(ctx context.Context, n int, yield func(*listPage, error) bool) {
	first, err := l.fetch(ctx, l.largest(), 0)
	if !yield(first, err) || first == nil || first.next == nil {
		return
	}
	rest := *l
	rest.values = first.next
	if first.last == 0 || pageNumber(first.next) == 0 {
		rest.eachPage(ctx, yield)
		return
	}
	rest.concurrently(ctx, n, first, yield)
}

// concurrently reads the pages behind first. The queue has a slot for every page
// in flight but the one that the consumer waits for.
func (l *Listing) concurrently(ctx context.Context, n int, first *listPage, yield func(*listPage, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan fetched, n-1)
	go func() {
		defer close(queue)
		for number := pageNumber(l.values); number <= first.last; number++ {
			result := make(chan fetched, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return
			}
			go func() {
				page, err := l.fetch(ctx, at(l.values, number), first.items.Len())
				result <- fetched{page, err}
			}()
		}
	}()
	stopped, number := false, pageNumber(l.values)
	for result := range queue {
		r := <-result
		number++
		if !stopped && (!yield(r.page, r.err) || r.page == nil) {
			stopped = true
			cancel() // and drain: nothing may outlive the loop
		}
	}
	if !stopped && number <= first.last { // ctx ended between two pages
		yield(nil, &Error{Method: http.MethodGet, Route: l.path, cause: ended(ctx)})
	}
}

// at returns the parameters of another page.
func at(values url.Values, number int) url.Values {
	values = maps.Clone(values)
	values.Set("page", strconv.Itoa(number))
	return values
}
