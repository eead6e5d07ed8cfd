package client

import (
	"context"
	"iter"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// List is a query that is not yet sent. Making a List does no I/O, and each use of it sends new requests. It is a value
// and safe for concurrent use.
//
// An item that cannot be read does not affect the others. The page and the iterators return the other items and report
// a *DecodeError for it.
type List[T any] engine.Listing

// coreOf returns the list without the type of its records.
func coreOf[T any](l List[T]) *listing { return newListing(engine.Listing(l), (*T)(nil)) }

// listOf returns the list of a service that spec describes, with the parameters of a filter.
func listOf[T any, S engine.AnyService](s *S, q *query, spec engine.ListSpec) List[T] {
	spec.Query, spec.Err = q.values, q.err
	return List[T](engine.List(s, spec))
}

// Page is one page of a list.
type Page[T any] struct {
	// Items are the records of the page, in the platform's order. A copied record keeps little of the page in memory. A
	// pointer to a record keeps all of it. See the package documentation.
	Items []T
	// Total is the number of records of all pages; -1 if the platform did not report it, or reported an impossible one.
	Total int
	// Number is the number of this page, from 1.
	Number int
	// Date is the time of the response by the platform's clock; zero if it has none.
	Date time.Time
	// Cursor resumes the list after this page, with List.After, also in another process. It is empty on the last page.
	// It contains the position and the size of the pages, but not the filter. A changed cursor can therefore change
	// where the list continues, but not which records it selects.
	Cursor string
}

// Next reports whether there is a page after this one.
func (p *Page[T]) Next() bool { return p.Cursor != "" }

// Page returns the page that the filter selects, by default the first. An empty list is a page without items, not an
// error.
//
//go:noinline
func (l List[T]) Page(ctx context.Context) (*Page[T], error) {
	p, err := coreOf(l).page(ctx)
	return pageOf[T](p), err
}

// All yields the records of all pages. A pointer to a record keeps its page in memory, so keep a copy, *p.
//
//go:noinline
func (l List[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return recordsOf[*T](coreOf(l).pages(ctx))
}

// Collect returns the records of all pages. If items cannot be read, it returns the other items and the joined errors;
// see ErrUnreadableItem.
//
//go:noinline
func (l List[T]) Collect(ctx context.Context) ([]T, error) {
	all, err := coreOf(l).collect(ctx)
	return all.([]T), err
}

// Pages yields the pages in order. If items of a page cannot be read, it yields both the page and the error, and the
// iteration can continue. With any other error the page is nil and the iteration ends.
//
//go:noinline
func (l List[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	return pagesOf[T](coreOf(l).pages(ctx))
}

// After returns the list after the page that returned the cursor, with the same page size. Page and PerPage of l are
// ignored. The rest of the query must be the one that the cursor is from: version, store, path, parameters and fields.
// Otherwise, and for an empty cursor, the first use fails with ErrValidation. Cursors of release 0.1.0 are also
// rejected.
//
//go:noinline
func (l List[T]) After(cursor string) List[T] {
	return List[T](after(engine.Listing(l), cursor))
}

// pageOf gives a page the type of its records.
func pageOf[T any](p *listPage) *Page[T] {
	if p == nil {
		return nil
	}
	return &Page[T]{p.items.Interface().([]T), p.total, p.number, p.date, p.cursor}
}

// pagesOf gives pages the type of their records. It is compiled once for each type, and not again for each caller.
//
//go:noinline
func pagesOf[T any](pages listPages) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		pages(func(p *listPage, err error) bool { return yield(pageOf[T](p), err) })
	}
}

// recordsOf yields the records of pages as pointers of type P. The pointers of all types share its code.
//
//go:noinline
func recordsOf[P any](pages listPages) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		pages.each(func(record any, err error) bool {
			r, _ := record.(P) // nil if there is an error
			return yield(r, err)
		})
	}
}
