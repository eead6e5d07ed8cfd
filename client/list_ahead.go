package client

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// Ahead yields the records of all pages in order, like All, but reads up to n pages at the same time. Memory is bounded
// by n pages, and the pace by the rate limit. Leaving the loop cancels requests in flight. If the pages are not
// numbered, or the number of the last page is not known, it reads one page after another.
//
// The number of requests in flight exceeds the number of pages that were read before by at most one, so that a wrong
// total causes few extra requests.
//
//go:noinline
func (l List[T]) Ahead(ctx context.Context, n int) iter.Seq2[*T, error] {
	return recordsOf[*T](coreOf(l).aheadPages(ctx, max(1, n)))
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
	p.run(ctx, next, yield) // the rest has no numbers, or is after the last expected page
}

// ahead yields the pages from the one that values select to the last expected page. It returns the parameters of the
// next page if the list continues in another way.
func (p *pager) ahead(ctx context.Context, n int, page *listPage, values url.Values, yield func(*listPage, error) bool) url.Values {
	ctx, cancel := context.WithCancel(ctx)
	var flight []chan fetched // from the page that the consumer waits for
	defer func() {
		cancel()
		for _, result := range flight {
			<-result // no goroutine may outlive the loop
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

// expected returns the number of the last page according to a page; 0 if unknown.
func (p *pager) expected(page *listPage) int {
	switch {
	case page.links.last > 0:
		return page.links.last
	case page.total > 0 && p.size > 0:
		return (page.total + p.size - 1) / p.size
	}
	return 0
}

// numbered reports whether next selects the page with the number, with the other parameters of values.
func numbered(values, next url.Values, number int) bool {
	return maps.EqualFunc(at(values, number), next, slices.Equal)
}

// at returns the parameters of another page.
func at(values url.Values, number int) url.Values {
	values = maps.Clone(values)
	values.Set("page", strconv.Itoa(number))
	return values
}
