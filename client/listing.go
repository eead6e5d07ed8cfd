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
// sees one of its instances, and there are dozens of those. Each method is compiled three times
// for each, so none is inlined into the others. The same holds for Opt.
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
	resumed  *place       // where a cursor resumes the list; nil without one
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

// from returns the list after the page that returned the cursor.
func (l *Listing) from(cursor string) *Listing {
	next := *l
	at, err := l.readCursor(cursor)
	next.err = cmp.Or(l.err, err)
	next.resumed = at
	return &next
}

// page reads the page that the list asks for.
func (l *Listing) page(ctx context.Context) (*listPage, error) {
	values := l.asked()
	page, err := l.fetch(ctx, values)
	if page == nil {
		return nil, err
	}
	p := l.pager()
	if p.repeats(page, values) {
		return &listPage{items: reflect.MakeSlice(l.records, 0, 0), total: page.total, number: page.number, date: page.date}, nil
	}
	if lost := p.follow(page, values); lost != nil {
		err = errors.Join(err, lost)
	}
	return page, err
}

// pages yields the pages one after another. Inlining would put a copy of it into every List.
//
//go:noinline
func (l *Listing) pages(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) { l.pager().run(ctx, l.largest(), yield) }
}

// collect returns the records of all pages as a slice, and the joined errors.
func (l *Listing) collect(ctx context.Context) (any, error) {
	all := reflect.New(l.records).Elem()
	all.Set(reflect.MakeSlice(l.records, 0, 0))
	var errs []error
	for page, err := range l.pages(ctx) {
		if page != nil {
			before, more := all.Len(), page.items.Len()
			all.Grow(more) // reflect.AppendSlice would allocate twice as often
			all.SetLen(before + more)
			reflect.Copy(all.Slice(before, before+more), page.items)
		}
		errs = append(errs, err)
	}
	return all.Interface(), errors.Join(errs...)
}

// asked returns the parameters of the first page: those of the filter, and after a cursor the place and the size that it
// has.
func (l *Listing) asked() url.Values {
	values := maps.Clone(l.values)
	if values == nil {
		values = make(url.Values)
	}
	if l.resumed != nil {
		values.Del("page")
		values.Del("per_page")
		maps.Copy(values, l.resumed.values)
	}
	return values
}

// largest is asked with the largest page where there are pages and none was chosen. A cursor has chosen: with pages of
// another size its number would be that of another page.
func (l *Listing) largest() url.Values {
	values := l.asked()
	if !l.whole && l.resumed == nil && !values.Has("per_page") {
		values.Set("per_page", strconv.Itoa(MaxPerPage))
	}
	return values
}

// fetch reads the page that values ask for.
func (l *Listing) fetch(ctx context.Context, values url.Values) (*listPage, error) {
	if l.err != nil {
		return nil, fmt.Errorf("GET %s: %w", l.path, l.err)
	}
	page := &listPage{items: reflect.MakeSlice(l.records, 0, 0), total: -1, number: max(1, pageNumber(values))}
	a, err := l.view.client.do(ctx, l.view.at(Request{Path: l.path, Args: l.args, Query: values, Secrets: l.secret}))
	if last, told := lastPage(err); (told || l.noResult && errors.Is(err, ErrNotFound)) && (last < page.number || last == 1) {
		page.date, page.gone = dateOfError(err), true
		if !told || last == 0 {
			page.total = 0 // after the last of n pages it is not known
		}
		return page, nil // an error that names this page, or a later one, contradicts itself
	}
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	page.date = dateOf(a.header)
	if page.links, err = parseLinks(ctx, a.header.Values("Link")); err != nil {
		return nil, fmt.Errorf("GET %s: %w", l.path, err)
	}
	if a.status == http.StatusNoContent {
		return page, nil
	}
	raw, counted, err := l.open(a.body)
	if err != nil {
		return nil, a.unreadable(err)
	}
	items, err := decodeItems(ctx, l.view.client, raw, l.records, a.call.chosen)
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
	page.items, page.got, page.mark = items, items.Len()+len(bad), mark(raw)
	l.view.client.bodies.give(a.body) // the errors of items have copies
	if page.count(totalOf(a.header)); page.total < 0 {
		page.count(counted)
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
