package client

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// Ahead yields the records of all pages in order, like All, with up to n pages in
// flight. Memory is bounded by n pages, the pace by the rate limit; leaving the
// loop cancels what is in flight. Where the pages are not numbered, or the number of
// the last one is not known, it reads one page after another.
//
// At most as many pages after the current one are in flight as there were before it, so that a wrong total costs few
// requests.
//
//go:noinline
func (l List[T]) Ahead(ctx context.Context, n int) iter.Seq2[*T, error] {
	return recordsOf[*T](l.core().aheadPages(ctx, max(1, n)))
}

type fetched struct {
	page *listPage
	err  error
}

//go:noinline
func (l *listing) aheadPages(ctx context.Context, n int) listPages {
	return func(yield func(*listPage, error) bool) { l.eachAhead(ctx, n, yield) }
}

func (l *listing) eachAhead(ctx context.Context, n int, yield func(*listPage, error) bool) {
	p, values := l.pager(), l.largest()
	page, err := l.fetch(ctx, values)
	next := p.give(page, err, values, yield)
	if next != nil && numbered(values, next, page.number+1) {
		next = p.ahead(ctx, n, page, next, yield)
	}
	p.run(ctx, next, yield) // what is left has no number, or is after the last page that was expected
}

// ahead yields the pages from the one that values ask for to the last one that is expected after a page. It returns
// the parameters of the next page where the list continues otherwise.
func (p *pager) ahead(ctx context.Context, n int, page *listPage, values url.Values, yield func(*listPage, error) bool) url.Values {
	ctx, cancel := context.WithCancel(ctx)
	var flight []chan fetched // from the page that the consumer waits for
	defer func() {
		cancel()
		for _, result := range flight {
			<-result // nothing may outlive the loop
		}
	}()
	last, number := p.expected(page), page.number
	for window := 2; number < last; window = min(window+1, n) {
		for next := number + len(flight) + 1; len(flight) < min(window, n) && next <= last; next++ {
			asked, result := at(values, next), make(chan fetched, 1)
			flight = append(flight, result)
			go func() {
				page, err := p.list.fetch(ctx, asked)
				result <- fetched{page, err}
			}()
		}
		r := <-flight[0]
		flight, number = flight[1:], number+1
		asked := at(values, number)
		next := p.give(r.page, r.err, asked, yield)
		if next == nil || !numbered(asked, next, number+1) {
			return next
		}
		values, last = next, max(last, p.expected(r.page))
	}
	return values
}

// expected returns the number of the last page as a page tells it; 0 if it does not.
func (p *pager) expected(page *listPage) int {
	switch {
	case page.links.last > 0:
		return page.links.last
	case page.total > 0 && p.size > 0:
		return (page.total + p.size - 1) / p.size
	}
	return 0
}

// numbered reports whether next is the page with the number, of the pages that values ask for.
func numbered(values, next url.Values, number int) bool {
	return maps.EqualFunc(at(values, number), next, slices.Equal)
}

// at returns the parameters of another page.
func at(values url.Values, number int) url.Values {
	values = maps.Clone(values)
	values.Set("page", strconv.Itoa(number))
	return values
}
