package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Listing is a list before it is known what its records are: a path, parameters and
// what the platform does there otherwise than elsewhere. [NewList] makes a List of it.
//
// It does all the work of a List, whatever the type of its records. List is only a thin
// shell around it: the methods of a generic type are compiled again in every package that
// sees one of its instances, and there are dozens of those.
type Listing struct {
	view     View
	path     string
	args     []any
	values   url.Values
	records  reflect.Type // that of a slice of them
	envelope []string     // members that lead to the items; none for an array
	total    string       // member beside the items that counts them
	sinceID  bool         // the resource knows since_id
	whole    bool         // the platform knows no pages here
	noResult bool         // any 404 says that nothing was found
	secret   bool         // there are secrets among the items
	resumed  bool         // behind a page whose size may have been the platform's choice
	err      error
}

// Listing returns the list at path, with {name} in it for each of args, and the given
// parameters.
func (v View) Listing(path string, values url.Values, args ...any) Listing {
	return Listing{view: v, path: path, values: values, args: args}
}

func (v View) list(path string, q *query, args ...any) Listing {
	l := v.Listing(path, q.values, args...)
	l.err = q.err
	return l
}

// WithSinceID marks a list that knows since_id. Its records have a field ID of type [ID].
func (l Listing) WithSinceID() Listing {
	l.sinceID = true
	return l
}

// WithEnvelope says that the items are not the whole answer: path is the way to
// them ("pages", "results"), total the member beside them that counts all items.
func (l Listing) WithEnvelope(total string, path ...string) Listing {
	l.total, l.envelope = total, path
	return l
}

// WithoutPages marks a list that the contract gives no page parameter: the first
// answer holds everything, unless it names a next page or a greater total.
func (l Listing) WithoutPages() Listing {
	l.whole = true
	return l
}

// WithSecrets marks a list with secrets among its items, as Request.Secrets does.
func (l Listing) WithSecrets() Listing {
	l.secret = true
	return l
}

// emptyNotFound marks a list that answers 404, with any description, where
// nothing is found.
func (l Listing) emptyNotFound() Listing {
	l.noResult = true
	return l
}

// of returns the listing of records of a type.
func (l Listing) of(record reflect.Type) *Listing {
	l.records = reflect.SliceOf(record)
	if id, ok := record.FieldByName("ID"); l.sinceID && (!ok || id.Type != reflect.TypeFor[ID]()) {
		l.err = cmp.Or(l.err, fmt.Errorf("%s has no field ID of type ID, which since_id needs", record))
	}
	return &l
}

// id returns the id of a record of a list that knows since_id, given as a pointer.
func (l *Listing) id(record any) ID {
	return ID(reflect.ValueOf(record).Elem().FieldByName("ID").Int())
}

// from returns the list behind the page that gave the cursor.
func (l *Listing) from(cursor string) *Listing {
	next := *l
	values, err := l.readCursor(cursor)
	next.err = cmp.Or(l.err, err)
	next.values, next.resumed = values, true
	return &next
}

// pages yields the pages one after another. Inlining would put a copy of it into every List.
//
//go:noinline
func (l *Listing) pages(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) { l.eachPage(ctx, yield) }
}

func (l *Listing) eachPage(ctx context.Context, yield func(*listPage, error) bool) {
	values, size := l.largest(), 0
	var guard loopGuard
	for values != nil {
		page, err := l.fetch(ctx, values, size)
		if page != nil && guard.repeated(values, page) {
			page, err = nil, fmt.Errorf("GET %s: the next page is one that was read already", l.path)
		}
		if !yield(page, err) || page == nil {
			return
		}
		size, values = max(size, page.items.Len()), page.next
	}
}

// largest returns the parameters with the largest page where there are pages and
// none was chosen. Behind a cursor that is chosen: with pages of another size its
// number would be that of another page.
func (l *Listing) largest() url.Values {
	values := maps.Clone(l.values)
	if values == nil {
		values = make(url.Values)
	}
	if !l.whole && !l.resumed && !values.Has("per_page") {
		values.Set("per_page", strconv.Itoa(MaxPerPage))
	}
	return values
}

// fetch reads the page that values ask for. Size is the size of the pages
// before it, 0 for the first: the platform gives smaller pages than it was asked for.
func (l *Listing) fetch(ctx context.Context, values url.Values, size int) (*listPage, error) {
	if l.err != nil {
		return nil, fmt.Errorf("GET %s: %w", l.path, l.err)
	}
	page := &listPage{items: reflect.MakeSlice(l.records, 0, 0), total: -1, number: max(1, pageNumber(values))}
	a, err := l.view.client.do(ctx, l.view.at(Request{Path: l.path, Args: l.args, Query: values, Secrets: l.secret}))
	if n, told := lastPage(err); told || l.noResult && errors.Is(err, ErrNotFound) {
		page.date = dateOfError(err)
		if !told || n == 0 {
			page.total = 0 // behind the last of n pages it is not known
		}
		return page, nil
	}
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.status == http.StatusNoContent {
		return page, nil
	}
	raw, counted, err := l.open(a.body)
	if err != nil {
		return nil, a.unreadable(err)
	}
	items, err := decodeItems(ctx, l.view.client, raw, l.records)
	if !items.IsValid() {
		return nil, a.unreadable(err)
	}
	bad := badItems(err)
	for _, item := range bad {
		page.unread = max(page.unread, item.id)
		if l.secret {
			item.Raw = nil
		}
	}
	page.items, page.total, page.date, page.mark = items, counted, dateOf(a.header), mark(raw)
	if page.date.IsZero() && !l.secret {
		page.latest = latestUpdate(raw)
	}
	l.view.client.bodies.give(a.body) // the errors of items have copies
	if total, ok := header(a.header, "X-Total-Count"); ok {
		page.total = int(total)
	}
	got := items.Len() + len(bad)
	page.follow(a.header, values, max(size, got), got, l.whole)
	if page.next != nil {
		page.cursor = l.writeCursor(page.next)
	}
	if err != nil {
		err = fmt.Errorf("GET %s: %w", l.path, err)
	}
	return page, err
}

// open finds the items in the answer, and the total if it stands beside them. An
// array is taken as it is also where an envelope is due. No member and null are no
// items; an empty body is an answer that got lost.
func (l *Listing) open(body []byte) (json.RawMessage, int, error) {
	noItems := json.RawMessage("[]")
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
		if raw = members[name]; raw == nil {
			raw = noItems
		}
	}
	if kind(raw) == 'n' {
		raw = noItems
	}
	return raw, total, nil
}
