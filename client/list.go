package client

import (
	"context"
	"iter"
	"reflect"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// List is a query not yet sent: making one does no I/O, each use of it asks anew.
// It is a value and safe for concurrent use.
//
// An item that cannot be read does not cost the others: the page and the
// iterators give the rest and report a *DecodeError for it.
type List[T any] engine.Listing

// core returns the list without the type of its records.
func (l List[T]) core() *listing {
	return newListing(engine.Listing(l).Spec(), reflect.TypeFor[T]())
}

// listOf returns the list of a service that spec describes, with the parameters of a filter.
func listOf[T any, S engine.AnyService](s *S, q *query, spec engine.ListSpec) List[T] {
	spec.Query, spec.Err = q.values, q.err
	return List[T](engine.List(s, spec))
}

// Page is one page of a list.
type Page[T any] struct {
	// Items are the records of the page, in the platform's order. A record that is copied from them holds little of the
	// page in memory; a pointer to one holds all of it. See the package documentation.
	Items []T
	// Total is the number of records of all pages; -1 if the platform did not report it, or reported one that
	// cannot be right.
	Total int
	// Number is the number of this page, from 1.
	Number int
	// Date is the time of the answer by the platform's clock; zero if it did not tell.
	Date time.Time
	// Cursor resumes the list after this page, with List.After, also in another
	// process. It is empty on the last page. It has the place and the size of the pages, but not the filter: whoever
	// changes a cursor can change where the list begins, and not what is in it.
	Cursor string
}

// Next reports whether there is a page behind this one.
func (p *Page[T]) Next() bool { return p.Cursor != "" }

// Page returns the page that the filter asks for, the first by default. An empty
// list is a page without items, not an error.
//
//go:noinline
func (l List[T]) Page(ctx context.Context) (*Page[T], error) {
	p, err := l.core().page(ctx)
	return pageOf[T](p), err
}

// All yields the records of all pages. A record that is kept by its pointer holds its page in memory: keep a copy, *p.
//
//go:noinline
func (l List[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return recordsOf[*T](l.core().pages(ctx))
}

// Collect returns the records of all pages. Where items cannot be read it returns the
// others, and the errors joined; see ErrUnreadableItem.
//
//go:noinline
func (l List[T]) Collect(ctx context.Context) ([]T, error) {
	all, err := l.core().collect(ctx)
	return all.([]T), err
}

// Pages yields the pages one after another. Where items of a page cannot be read,
// both the page and the error are given and the iteration may go on; with any
// other error the page is nil and the iteration ends.
//
//go:noinline
func (l List[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	return pagesOf[T](l.core().pages(ctx))
}

// After returns the list after the page that returned the cursor, with the size of pages that was used there. Page and
// PerPage of l do not count. The rest of its filter must be the one that the cursor is from: version, store, path,
// parameters and fields are compared. Otherwise, and for an empty cursor, the first use fails with ErrValidation.
// Cursors of release 0.1.0 are rejected too.
//
//go:noinline
func (l List[T]) After(cursor string) List[T] {
	spec := engine.Listing(l).Spec()
	spec.Cursor, spec.Resumed = cursor, true
	return List[T](spec.Listing())
}

// pageOf gives a page the type of its records.
func pageOf[T any](p *listPage) *Page[T] {
	if p == nil {
		return nil
	}
	return &Page[T]{p.items.Interface().([]T), p.total, p.number, p.date, p.cursor}
}

// pagesOf gives pages the type of their records. It is compiled once for each type, and
// not again wherever it is called.
//
//go:noinline
func pagesOf[T any](pages listPages) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		pages(func(p *listPage, err error) bool { return yield(pageOf[T](p), err) })
	}
}

// recordsOf yields the records of pages, by pointers of type P. The pointers of all types share its code.
//
//go:noinline
func recordsOf[P any](pages listPages) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		pages.each(func(record any, err error) bool {
			r, _ := record.(P) // nil beside an error
			return yield(r, err)
		})
	}
}
