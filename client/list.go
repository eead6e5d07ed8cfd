package client

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// List is a query not yet sent: making one does no I/O, each use of it asks anew.
// It is a value and safe for concurrent use.
//
// An item that cannot be read does not cost the others: the page and the
// iterators give the rest and report a *DecodeError for it.
type List[T any] struct {
	view     View
	path     string
	args     []any
	values   url.Values
	id       func(*T) ID // nil: the resource has no since_id
	envelope []string    // members that lead to the items; none for an array
	total    string      // member beside the items that counts them
	whole    bool        // the platform knows no pages here
	noResult bool        // any 404 says that nothing was found
	secret   bool        // there are secrets among the items
	err      error
}

// NewList returns the list at path with the given parameters, for packages with
// resources of their own.
func NewList[T any](v View, path string, values url.Values, args ...any) List[T] {
	return List[T]{view: v, path: path, args: args, values: values}
}

func list[T any](v View, path string, q *query, args ...any) List[T] {
	return List[T]{view: v, path: path, args: args, values: q.values, err: q.err}
}

// WithSince marks the list as one that knows since_id and tells how to find the id.
func (l List[T]) WithSince(id func(*T) ID) List[T] {
	l.id = id
	return l
}

func (l List[T]) since(id func(*T) ID) List[T] { return l.WithSince(id) }

// WithEnvelope says that the items are not the whole answer: path is the way to
// them ("pages", "results"), total the member beside them that counts all items.
func (l List[T]) WithEnvelope(total string, path ...string) List[T] {
	l.total, l.envelope = total, path
	return l
}

// WithoutPages marks a list that the contract gives no page parameter: the first
// answer holds everything, unless it names a next page or a greater total.
func (l List[T]) WithoutPages() List[T] {
	l.whole = true
	return l
}

// WithSecrets marks a list with secrets among its items, as Request.Secrets does.
func (l List[T]) WithSecrets() List[T] {
	l.secret = true
	return l
}

// emptyNotFound marks a list that answers 404, with any description, where
// nothing is found.
func (l List[T]) emptyNotFound() List[T] {
	l.noResult = true
	return l
}

// Page is one page of a list.
type Page[T any] struct {
	// Items are the records of the page, in the platform's order.
	Items []T
	// Total is the number of records of all pages; -1 if the platform did not tell.
	Total int
	// Number is the number of this page, from 1.
	Number int
	// Date is the time of the answer by the platform's clock; zero if it did not tell.
	Date time.Time
	// Cursor resumes the list behind this page, with List.From, also in another
	// process. It is empty on the last page.
	Cursor string

	next url.Values
	last int    // 0 if not known
	raw  []byte // the items as they came
}

// Next reports whether there is a page behind this one.
func (p *Page[T]) Next() bool { return p.next != nil }

// Page returns the page that the filter asks for, the first by default. An empty
// list is a page without items, not an error.
func (l List[T]) Page(ctx context.Context) (*Page[T], error) {
	return l.fetch(ctx, l.values, 0)
}

// All yields the records of all pages.
func (l List[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return flatten(l.Pages(ctx))
}

// Collect returns the records of all pages.
func (l List[T]) Collect(ctx context.Context) ([]T, error) {
	all := []T{}
	for page, err := range l.Pages(ctx) {
		if page != nil {
			all = append(all, page.Items...)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// Pages yields the pages one after another. Where items of a page cannot be read,
// both the page and the error are given and the iteration may go on; with any
// other error the page is nil and the iteration ends.
func (l List[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		values, size := l.largest(), 0
		var guard loopGuard
		for values != nil {
			page, err := l.fetch(ctx, values, size)
			if page != nil && guard.repeated(values, page.raw) {
				page, err = nil, fmt.Errorf("GET %s: the next page is one that was read already", l.path)
			}
			if !yield(page, err) || page == nil {
				return
			}
			size, values = max(size, len(page.Items)), page.next
		}
	}
}

// loopGuard finds out when a list leads back to where it was: to parameters that
// were sent before, or to the very page before, from a server that counts no pages.
type loopGuard struct {
	asked map[string]bool
	last  []byte
}

func (g *loopGuard) repeated(values url.Values, page []byte) bool {
	if g.asked == nil {
		g.asked = make(map[string]bool)
	}
	key := values.Encode()
	again := g.asked[key] || len(page) > len("[]") && bytes.Equal(page, g.last)
	g.asked[key], g.last = true, page
	return again
}

// From returns the list as it goes on behind the page that gave the cursor. The
// first use fails if the cursor is of another list.
func (l List[T]) From(cursor string) List[T] {
	values, err := l.readCursor(cursor)
	if err != nil && l.err == nil {
		l.err = err
	}
	l.values = values
	return l
}

// largest returns the parameters with the largest page where there are pages and
// none was chosen.
func (l List[T]) largest() url.Values {
	values := maps.Clone(l.values)
	if values == nil {
		values = make(url.Values)
	}
	if !l.whole && !values.Has("per_page") {
		values.Set("per_page", strconv.Itoa(MaxPerPage))
	}
	return values
}

// fetch reads the page that values ask for. Size is the size of the pages
// before it, 0 for the first: the platform gives smaller pages than it was asked for.
func (l List[T]) fetch(ctx context.Context, values url.Values, size int) (*Page[T], error) {
	if l.err != nil {
		return nil, fmt.Errorf("GET %s: %w", l.path, l.err)
	}
	page := &Page[T]{Items: []T{}, Total: -1, Number: max(1, pageNumber(values))}
	a, err := l.view.client.do(ctx, l.view.at(Request{Path: l.path, Args: l.args, Query: values, Secrets: l.secret}))
	if lastPage(err) || l.noResult && errors.Is(err, ErrNotFound) {
		page.Total, page.Date = 0, dateOfError(err)
		return page, nil
	}
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	raw, counted, err := l.open(a.body)
	if err != nil {
		return nil, a.unreadable(err)
	}
	items, err := decodeItems[T](ctx, l.view.client, raw)
	if items == nil && err != nil {
		return nil, a.unreadable(err)
	}
	if l.secret {
		sum := sha256.Sum256(raw)
		raw = sum[:]
		forgetRaw(err)
	}
	page.Items, page.Total, page.Date, page.raw = items, counted, dateOf(a.header), raw
	if total, ok := header(a.header, "X-Total-Count"); ok {
		page.Total = int(total)
	}
	bad := count(err)
	page.follow(a.header, values, max(size, len(items)+bad), len(items)+bad, l.whole)
	if page.next != nil {
		page.Cursor = l.writeCursor(page.next)
	}
	if err != nil {
		err = fmt.Errorf("GET %s: %w", l.path, err)
	}
	return page, err
}

// dateOf returns the time of an answer, or the zero time.
func dateOf(h http.Header) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return date.UTC()
}

func dateOfError(err error) time.Time {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.date
	}
	return time.Time{}
}

// forgetRaw drops the JSON of items from an error of decodeItems.
func forgetRaw(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			if bad, ok := e.(*DecodeError); ok {
				bad.Raw = nil
			}
		}
	}
}

// count returns how many items an error of decodeItems stands for.
func count(err error) int {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return len(joined.Unwrap())
	}
	return 0
}

// follow finds the next page: from the Link header, or else by counting; a list
// without pages is counted only if its total is known.
func (p *Page[T]) follow(h http.Header, values url.Values, size, got int, whole bool) {
	links := parseLinks(h.Values("Link"))
	if p.Total >= 0 && size > 0 {
		p.last = (p.Total + size - 1) / size
	}
	if last := pageNumber(links["last"]); last > 0 {
		p.last = last
	}
	switch next := links["next"]; {
	case next != nil:
		p.next = next
	case len(links) > 0, got == 0, got < size, p.last > 0 && p.Number >= p.last, whole && p.last == 0:
	default:
		p.next = maps.Clone(values)
		p.next.Set("page", strconv.Itoa(p.Number+1))
	}
}

// open finds the items in the answer, and the total if it stands beside them. An
// array is taken as it is also where an envelope is due.
func (l List[T]) open(body []byte) (json.RawMessage, int, error) {
	raw, total := json.RawMessage(body), -1
	for _, name := range l.envelope {
		if kind(raw) == '[' {
			break
		}
		var members map[string]json.RawMessage
		if err := wire.Unmarshal(raw, &members); err != nil {
			return nil, 0, fmt.Errorf("member %s: %w", quote(name), err)
		}
		if counted, ok := members[l.total]; ok {
			var n Int
			if n.UnmarshalJSON(counted) == nil {
				total = int(n)
			}
		}
		raw = members[name]
	}
	if kind(raw) == 0 || kind(raw) == 'n' {
		raw = json.RawMessage("[]")
	}
	return raw, total, nil
}

// lastPage reports whether err is the platform's way to say that there are no
// records here: 404 with the description "Last page is N".
func lastPage(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound && strings.HasPrefix(e.Description, "Last page is ")
}

func pageNumber(values url.Values) int {
	n, err := strconv.Atoi(values.Get("page"))
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// flatten yields the records of pages.
func flatten[T any](pages iter.Seq2[*Page[T], error]) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for page, err := range pages {
			if page != nil {
				for i := range page.Items {
					if !yield(&page.Items[i], nil) {
						return
					}
				}
			}
			if err != nil && !yield(nil, err) {
				return
			}
		}
	}
}
